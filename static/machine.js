// The machine as the paper's five parts: (S, V, g, s0, R).

import { button, download, h, put } from './dom.js';
import { count, stateName } from './tokens.js';

export function mount(element, { store }) {
  const rows = h('dl');
  const save = button('down', 'SVG', { class: 'button small', title: 'The picture as a file',
    onclick: () => download('machine.svg', 'image/svg+xml', store.state.picture.svg) });
  put(element, h('h2', null, 'The machine'), rows, save);
  store.on('machine', ({ machine, picture }) => {
    const one = machine?.machine;
    element.hidden = !one;
    save.hidden = !picture;
    if (!one) return;
    put(rows, part('S', 'states', one.states), part('V', 'tokens of the model', one.vocabulary),
      part('g', 'transitions, text mode apart', one.transitions), part('s0', 'start', one.start),
      part('R', 'ends the answer', one.end));
  });
}

function part(letter, meaning, value) {
  const sign = letter === 's0' ? stateName('s0') : letter;
  return [h('dt', null, h('i', null, sign), meaning),
    h('dd', null, typeof value === 'number' ? count(value) : value == null ? 'not counted' : String(value))];
}
