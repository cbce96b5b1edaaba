// Changes of the tools' text that can be undone: they go through the text field, so that Ctrl+Z takes them back, too.

const LARGE = 5000; // characters, and
const MANY = 40; // lines, above which a browser's own way of typing takes seconds to minutes
const HUGE = 100000; // characters, which no browser types into a text
const past = [];

function field() {
  const element = document.getElementById('tools-input');
  element?.flush?.(); // a long text waits for a pause before it goes into the field
  return element;
}

let long = { go: () => false };
/** The editor of long texts, which shows places by itself. */
export function useLong(editor) { long = editor; }

/** Where a line and a column (characters, both from 1) stand in a text that counts UTF-16 units. */
export function offset(text, line, column) {
  let at = text.startsWith('\ufeff') && line === 1 ? 1 : 0;
  for (let number = 1; number < line; number += 1) {
    const next = text.indexOf('\n', at);
    if (next < 0) return text.length;
    at = next + 1;
  }
  for (let passed = 1; passed < column && at < text.length; passed += 1) at += text.codePointAt(at) > 0xffff ? 2 : 1;
  return at;
}

/** The text with replacements {line, column, end_line, end_column, text}; of those that overlap the first one counts. */
export function replaced(text, changes) {
  const cuts = changes.map(one => ({ text: one.text, from: offset(text, one.line, one.column), to: offset(text, one.end_line, one.end_column) }))
    .sort((one, other) => one.from - other.from || one.to - other.to);
  let at = 0, made = '';
  let last = null;
  for (const cut of cuts) {
    if (cut.from < at || (last && cut.from === last.from && cut.to === last.to)) continue;
    made += text.slice(at, cut.from) + cut.text;
    at = cut.to;
    last = cut;
  }
  return made + text.slice(at);
}

/** Write a new text over the old one, as if it had been typed: only what differs is touched. */
export function write(text) {
  const element = field();
  const old = element.value;
  if (text === old) return;
  keep(old, text);
  put(element, old, text);
}

/** What Ctrl+Z takes back; characters that are typed one after the other go together. */
export function keep(before, after, typed = false) {
  const last = past.at(-1);
  if (typed && last?.typed && last.after === before && Date.now() - last.at < 1500) Object.assign(last, { after, at: Date.now() });
  else past.push({ before, after, typed, at: Date.now() });
  if (past.length > 50) past.shift();
}

/** A large text that is pasted goes in at once, and Ctrl+Z takes back what the browser's own history doesn't know. */
export function takeLarge(element) {
  element.addEventListener('beforeinput', event => {
    const text = event.data ?? event.dataTransfer?.getData('text/plain') ?? '';
    if (!text || !large(text)) return;
    event.preventDefault();
    const before = element.value;
    element.setRangeText(text, element.selectionStart, element.selectionEnd, 'end');
    keep(before, element.value);
    element.dispatchEvent(new Event('input', { bubbles: true }));
  });
  element.addEventListener('keydown', event => {
    if (event.key.toLowerCase() !== 'z' || event.shiftKey || !(event.ctrlKey || event.metaKey) || !canUndo()) return;
    event.preventDefault();
    undo();
  });
}

const large = text => text.length > LARGE || text.split('\n').length > MANY;

/** Whether the last change made here can be taken back: nobody has typed since. */
export const canUndo = () => past.length > 0 && field()?.value === past.at(-1).after;

export function undo() {
  if (!canUndo()) return;
  const { before, after } = past.pop();
  put(field(), after, before);
}

function put(element, old, text) {
  if (old.length > HUGE || text.length > HUGE) {
    element.value = text;
    element.dispatchEvent(new Event('input', { bubbles: true }));
    return;
  }
  let from = 0;
  while (from < old.length && from < text.length && old[from] === text[from]) from += 1;
  let same = 0;
  while (same < old.length - from && same < text.length - from && old.at(-1 - same) === text.at(-1 - same)) same += 1;
  element.focus({ preventScroll: true });
  element.setSelectionRange(from, old.length - same);
  const piece = text.slice(from, text.length - same);
  const typed = !large(piece) && (piece ? document.execCommand('insertText', false, piece) : document.execCommand('delete'));
  if (!typed || element.value !== text) {
    element.value = text;
    element.dispatchEvent(new Event('input', { bubbles: true }));
  }
}

/** Put the caret at a place, and bring its line into sight. */
export function jump(line, column, length = 0) {
  const element = field();
  const from = offset(element.value, line, column);
  element.closest('details')?.setAttribute('open', ''); // folded on a phone
  if (long.go(from, from + length)) return;
  element.focus({ preventScroll: true });
  element.setSelectionRange(from, from + length);
  const row = element.closest('.editor').querySelector(`.line[data-line="${line}"]`);
  if (row) row.scrollIntoView({ block: 'nearest' });
  else element.scrollTop = Math.max(0, (line - 4) * parseFloat(getComputedStyle(element).lineHeight));
}
