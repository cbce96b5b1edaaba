// What each tool costs: tokens in a prompt with and without its documentation, states of its own in the machine.

import { h, put } from './dom.js';
import { latest } from './latest.js';
import { count } from './tokens.js';
import { virtual } from './virtual.js';

const COLUMNS = [['documented', 'with docs'], ['bare', 'without'], ['signature', 'signature'], ['states', 'states']];

export function mount(element, { store, wire }) {
  const about = h('span', { class: 'aside' });
  const note = h('p', { class: 'aside' });
  const frame = h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Sizes of the tools' });
  const list = virtual(frame, 26, row);
  put(element, h('summary', null, 'What each tool costs', about),
    h('div', { class: 'size heads' }, h('span', null, 'Tool'), COLUMNS.map(([, title]) => h('span', null, title))), frame, note);

  let shown = null;
  const key = () => ['tools_format', 'model', 'tools'].map(name => store.state.inputs[name]).join('\n');
  const question = latest(() => {
    const { tools, tools_format, model } = store.state.inputs;
    shown = key();
    put(about, 'counting…');
    return wire.ask({ ask: 'sizes', tools, tools_format, model });
  }, answer => {
    const rows = [...(answer.rows ?? [])].sort((one, other) => (other.documented ?? other.states ?? 0) - (one.documented ?? one.states ?? 0));
    list.show(rows);
    const sum = key => rows.reduce((total, one) => total + (one[key] ?? 0), 0);
    const tokens = rows.some(one => one.documented != null);
    const all = store.state.check?.tools ?? rows.length;
    const first = all > rows.length ? `the first ${count(rows.length)} tools: ` : '';
    put(about, first, tokens ? `${count(sum('documented'))} tokens with docs` : `${count(sum('states'))} states`);
    put(note, tokens ? `All: ${count(sum('documented'))} tokens as JSON with documentation, ${count(sum('bare'))} without, ${count(sum('signature'))} as signatures; ${count(sum('states'))} states.`
      : 'This vocabulary can\'t spell JSON, so only states are counted.');
  });

  const refresh = () => {
    if (element.open && store.state.view === 'check' && shown !== key()) question.now();
  };
  element.addEventListener('toggle', refresh);
  store.on('check view', refresh);
}

function row(size) {
  return h('div', { class: 'size', role: 'listitem' }, h('code', { title: size.tool }, size.tool),
    COLUMNS.map(([key]) => h('span', null, size[key] == null ? '–' : count(size[key]))));
}
