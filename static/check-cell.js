// One place of the heat: what the model wanted there, the worst run, and what would help.

import { button, h, put } from './dom.js';
import { fixed, fixName } from './checking.js';
import { write } from './edits.js';
import { mean, wanted } from './fighting.js';
import { outdatedFights } from './runs.js';
import { chip, count, percent, probability } from './tokens.js';

export function mount(element, { store }) {
  store.on('fights inputs', ({ fights, inputs }) => {
    const cell = fights?.cells.get(fights.selected);
    element.hidden = !cell;
    if (!cell) return;
    const advice = !outdatedFights(fights, inputs) && fights.advice.find(one => one.tool === cell.tool && one.parameter === cell.parameter);
    const shown = wanted(cell);
    const place = cell.place.startsWith('argument') ? ['argument ', h('code', null, cell.parameter)] : { name: 'first token of the name', rest: 'rest of the name', comma: 'comma', end: 'end of the call' }[cell.place];
    const ask = () => {
      store.change({ question: cell.worst.question, start: 'call' });
      store.show('trace');
      document.getElementById('run-button').click();
    };
    put(element,
      h('div', null, h('p', null, 'Selected: ', h('code', { class: 'is-tool' }, cell.tool), ', ', place, `, mean ${percent(mean(cell))} removed`),
        h('p', { class: 'wanted' }, shown.map(([token, before]) => [chip(token, 'none', { class: 'barred' }), ` ${probability(before)} `]),
          h('span', { class: 'aside' }, `of ${count(cell.blocked)} blocked`))),
      h('div', null, h('p', null, `Worst run of ${count(fights.asked.length)}, ${percent(cell.worst.removed)} removed`),
        h('p', null, `“${cell.worst.question}” `, h('span', { class: 'piece mode-name' }, cell.worst.text))),
      h('div', { class: 'help' }, h('div', null, h('p', null, 'What would help'),
        h('p', { class: 'aside' }, advice ? advice.fix : help(cell))),
      button('', 'Try it', { class: 'button', title: 'This question in Trace', onclick: ask }),
      advice?.replacement && button('', fixName(advice), { class: 'button primary', onclick: () => write(fixed(store.state.inputs.tools, [advice])) })));
  });
}

/** What usually helps at a place. */
function help(cell) {
  if (mean(cell) < 0.25) return 'nothing needed: little is removed here';
  if (cell.place === 'name') return 'a description, or a name that begins as the model would begin it';
  if (cell.place === 'rest') return 'a name that goes on as the model expects';
  if (cell.place.startsWith('argument')) return 'a type or an enum that holds what the model wants to write';
  return 'a description that says how many arguments there are';
}
