// What is typed, pasted and copied in the field that shows a part of a long text, carried over to the whole of it.

import { undo } from './edits.js';
import { changed } from './long-rows.js';

const LARGE = 5000; // characters that are pasted go past the small field

const PLAIN = { pageup: editor => editor.page(-1), pagedown: editor => editor.page(1) };
const STEERED = { a: editor => editor.choose(true), z: undo, home: editor => editor.go(0), end: editor => editor.go(editor.length()) };

/** `editor` has the whole text, the window that is seen, and the part that is chosen; `replace` changes it. */
export function listen(pane, editor) {
  const on = (name, act) => pane.addEventListener(name, act);

  on('beforeinput', event => {
    const data = event.data ?? event.dataTransfer?.getData('text/plain') ?? '';
    if (!editor.all() && data.length < LARGE) return;
    event.preventDefault();
    editor.remember();
    editor.replace(...editor.part(), event.inputType === 'insertLineBreak' ? '\n' : data.replace(/\r\n?/g, '\n'));
  });

  function take(kind) {
    const seen = editor.seen();
    if (pane.value === seen.value) return;
    const { from, to, text } = changed(seen.value, pane.value);
    let [start, end] = [seen.whole(from), seen.whole(to)];
    if (!text && start === end) [start, end] = kind.endsWith('Forward') ? [start, end + 1] : [start - 1, end]; // a row was only cut there
    editor.replace(Math.max(0, start), end, text);
  }
  on('input', event => { if (!event.isComposing) take(event.inputType ?? ''); });
  on('compositionend', () => take(''));

  on('keydown', event => {
    const steer = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    const instead = !event.shiftKey && (steer ? STEERED : PLAIN)[key];
    if (instead) {
      event.preventDefault();
      instead(editor);
    } else if (!steer && editor.away() && !['shift', 'alt', 'tab', 'escape'].includes(key)) editor.go(...editor.part());
    else if (/^arrow|^page|^home|^end/.test(key)) editor.choose(false);
  });

  const copy = event => {
    editor.remember();
    const [from, to] = editor.part();
    if (from === to) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', editor.text().slice(from, to));
    if (event.type === 'cut') editor.replace(from, to, '');
  };
  on('copy', copy);
  on('cut', copy);
}
