// A word where somebody clicked, for a few seconds: what could not be done there, and why.

import { words } from './controls.js';
import { h, icon, put } from './dom.js';

const SHOWN = 7000; // milliseconds
const EDGE = 8; // pixels that stay free around it

/** `tell(error, place)` shows an error below a place of the window, {left, bottom}; the next click or Escape takes it away. */
export function createNote(root) {
  const note = h('div', { class: 'refusal note-here', role: 'alert', hidden: true });
  root.append(note);
  let timer = null;

  function hide() {
    clearTimeout(timer);
    note.hidden = true;
  }
  document.addEventListener('pointerdown', event => { if (!note.contains(event.target)) hide(); }, true);
  document.addEventListener('keydown', event => { if (event.key === 'Escape') hide(); });

  return function tell(error, { left, bottom }) {
    hide();
    put(note, h('span', { class: 'sign error' }, icon('error')), h('div', null, words(error)));
    note.hidden = false;
    const { width, height } = note.getBoundingClientRect();
    const within = (at, size, room) => `${Math.max(EDGE, Math.min(at, room - size - EDGE))}px`;
    note.style.left = within(left, width, innerWidth);
    note.style.top = within(bottom + EDGE, height, innerHeight);
    timer = setTimeout(hide, SHOWN);
  };
}
