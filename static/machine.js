// The machine as the paper's five parts: (S, V, g, s0, R).

import { button, download, h, put, say } from './dom.js';
import { count, stateName } from './tokens.js';

const FILES = { dot: 'DOT', graphml: 'GraphML', json: 'JSON' };

export function mount(element, { store, wire, request }) {
  const rows = h('dl');
  const save = button('down', 'SVG', { class: 'button small', title: 'The picture as a file',
    onclick: () => download('machine.svg', 'image/svg+xml', store.state.picture.svg) });
  const others = Object.entries(FILES).map(([format, label]) => button('', label, { class: 'button small', title: `The machine as ${label}`,
    'data-format': format, onclick: async () => {
      const file = await wire.ask({ ...request(), ask: 'file', format });
      if (file?.kind === 'file') download(file.name, 'text/plain', file.text);
      say(told, file?.kind === 'file' ? '' : `No file: ${file?.error?.message ?? 'the server did not answer'}`);
    } }));
  const files = h('div', { class: 'files' }, save, others);
  const told = h('p', { class: 'aside', role: 'status' });
  put(element, h('h2', null, 'The machine'), rows, files, told);
  store.on('machine', ({ machine, picture }) => {
    say(told, '');
    const one = machine?.machine;
    element.hidden = !one;
    files.hidden = !picture;
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
