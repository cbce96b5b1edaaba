// The editor of a long text: browsers take seconds to lay out megabytes in a text field, so the field with the whole
// text lays out nothing, and a second one holds the rows around those in sight. Each change is carried over.

import { h, put } from './dom.js';
import { keep, useLong } from './edits.js';
import { listen } from './long-keys.js';
import { cut, rowOf, windowOf } from './long-rows.js';
import { inSight } from './sight.js';
import { count, plural } from './tokens.js';

export const LONG_OVER = 100000; // characters
const AROUND = 40; // rows above and below what is seen

/** `row(text, number, first, offset)` draws a row of a line, and where it starts in it; `change(text)` takes a new text. */
export function mountLong(box, field, row, change) {
  const drawn = h('div', { class: 'long-rows', 'aria-hidden': 'true' });
  const pane = h('textarea', { class: 'long-pane', spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off', wrap: 'off', 'aria-label': 'Tools, the part in sight',
    onpointerdown: () => { choose(false); away = false; }, onselectionchange: () => remember() });
  const space = h('div', { class: 'long-space' }, drawn, pane);
  const frame = h('div', { class: 'long-frame', hidden: true }, space);
  const caption = h('p', { class: 'long-caption aside', hidden: true });
  box.prepend(frame);
  field.after(caption);
  let rows = null, seen = null, on = false, all = false, away = false;
  let caret = [0, 0], height = 21, columns = 60;

  frame.addEventListener('scroll', () => { remember(); paint(); }, { passive: true });
  field.addEventListener('focus', () => {
    if (!on) return;
    const whole = field.selectionStart === 0 && field.selectionEnd === field.value.length;
    pane.focus({ preventScroll: true });
    choose(whole);
  });
  new ResizeObserver(() => on && measure() && show(rows.text)).observe(frame);

  function measure() {
    const style = getComputedStyle(pane);
    const [size, left, right, line] = ['fontSize', 'paddingLeft', 'paddingRight', 'lineHeight'].map(name => parseFloat(style[name]));
    const before = `${columns} ${height}`;
    [columns, height] = [Math.max(20, Math.floor((pane.clientWidth - left - right) / size / 0.602)), line || 21];
    return before !== `${columns} ${height}`;
  }

  /** Show a text, or nothing where it is short enough for the usual field. */
  function show(text) {
    const now = text.length > LONG_OVER;
    if (now !== on) {
      on = now;
      frame.hidden = caption.hidden = !now;
      box.classList.toggle('long', now);
      field.tabIndex = now ? -1 : 0;
      if (!now) { rows = seen = null; put(drawn); pane.value = ''; return; }
      [caret, all] = [[0, 0], false];
      if (document.activeElement === field) pane.focus({ preventScroll: true });
      measure();
    }
    if (now && (rows?.text !== text || rows.columns !== columns)) {
      rows = { ...cut(text, columns), columns };
      space.style.height = `${rows.starts.length * height}px`;
      caption.textContent = `${count(text.length)} characters in ${plural(rows.numbers.findLast(Boolean), 'line')}; Ctrl+A takes all of them`;
    }
    paint(true);
  }

  function paint(again = false) {
    if (!on) return;
    const near = around => inSight(frame.scrollTop, frame.clientHeight || 300, height, rows.starts.length, around);
    const [first, last] = near(8);
    if (!again && seen && first >= seen.from && last <= seen.to) return;
    seen = windowOf(rows, ...near(AROUND));
    pane.style.top = drawn.style.top = `${seen.from * height}px`;
    pane.style.height = `${(seen.to - seen.from) * height}px`;
    const place = caret.map(seen.own);
    away = place.includes(null);
    if (seen.value !== pane.value) pane.value = seen.value;
    if (document.activeElement === pane && !all) pane.setSelectionRange(place[0] ?? 0, place[1] ?? place[0] ?? 0);
    let start = seen.from;
    while (!rows.numbers[start]) start -= 1; // the line that the window begins inside of
    let [number, line] = [rows.numbers[start], rows.starts[start]];
    put(drawn, seen.texts.map((text, index) => {
      const own = rows.numbers[seen.from + index];
      if (own) [number, line] = [own, rows.starts[seen.from + index]];
      return row(text, number, Boolean(own), rows.starts[seen.from + index] - line);
    }));
  }

  /** The field with the whole text gets it in the next pause: that takes long. */
  let held = null, pause;
  function hold(text) {
    held = text;
    clearTimeout(pause);
    if (on && text.length > LONG_OVER) pause = setTimeout(field.flush, 300); else field.flush();
  }
  field.flush = () => {
    clearTimeout(pause);
    if (held !== null && field.value !== held) field.value = held;
    held = null;
  };

  function remember() {
    if (on && seen && !away && pane.value === seen.value) caret = [seen.whole(pane.selectionStart), seen.whole(pane.selectionEnd)];
  }

  /** Bring a part of the text into sight, and choose it. */
  function go(from, to = from) {
    caret = [from, to];
    choose(false);
    pane.focus({ preventScroll: true });
    reach();
    paint(true);
  }

  function reach() {
    const top = rowOf(rows, caret[1]) * height;
    if (top >= frame.scrollTop && top <= frame.scrollTop + frame.clientHeight - 2 * height) return;
    frame.scrollTop = Math.max(0, top - 4 * height);
    paint(true);
  }

  function choose(everything) {
    all = everything;
    box.classList.toggle('all', all);
    if (all) pane.select();
  }

  /** Put a text in the place of a part of the whole. */
  function replace(from, to, text) {
    const now = rows.text.slice(0, from) + text + rows.text.slice(to);
    keep(rows.text, now, text.length < 2);
    caret = [from + text.length, from + text.length];
    choose(false);
    away = false;
    change(now);
    if (on) reach();
    else { field.focus({ preventScroll: true }); field.setSelectionRange(...caret); }
  }

  listen(pane, {
    choose, go, remember, replace,
    away: () => away,
    length: () => rows.text.length,
    page: pages => go(rows.starts[Math.max(0, Math.min(rows.starts.length - 1, rowOf(rows, caret[1]) + pages * Math.floor(frame.clientHeight / height)))]),
    part: () => (all ? [0, rows.text.length] : caret),
    all: () => all,
    text: () => rows.text,
    seen: () => seen,
  });
  useLong({ go: (from, to) => on && (go(from, to), true) });
  return { show, hold, on: () => on };
}
