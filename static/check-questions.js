// A set of questions, with the tools that they are meant for: asked one after the other, and told in a confusion table.

import { button, h, icon, prose, put } from './dom.js';
import { collector, emptyFights } from './fighting.js';
import { outdatedFights } from './runs.js';
import { count, percent, plural } from './tokens.js';

const SHOWN = 12; // tools of the confusion table
const HINT = 'Once they are asked, a table here shows which tools are taken for each other: with “=> tool” behind each question.';

export function mount(element, { store, wire, request }) {
  const { state } = store;
  const field = h('textarea', { id: 'questions-input', dir: 'auto', rows: '6', spellcheck: 'false', 'aria-label': 'Questions, one on a line',
    placeholder: 'What is 2 + 3? => add\nThe side of a square is 5, what is its area? => square',
    oninput: () => { state.questions = field.value; store.commit('questions'); } });
  const ask = button('play', 'Ask all', { id: 'ask-button', class: 'button primary', onclick: start });
  const halt = button('stop', 'Stop', { class: 'button', hidden: true, onclick: stop });
  const word = h('p', { class: 'aside', role: 'status' });
  const table = h('div', { class: 'confusion' });
  put(element, h('header', { class: 'panel-head' }, h('h2', null, 'Questions'), h('p', { class: 'aside' }, 'one on a line, with ', h('code', null, '=> tool'), ' where you know it')),
    h('div', { class: 'asks' }, h('div', null, field, h('div', { class: 'row' }, ask, halt, word)), table));

  let taker = null;
  function start() {
    if (store.live() || taker?.live()) return;
    const fights = emptyFights(structuredClone(state.inputs));
    state.fights = fights;
    taker = collector(fights, () => store.commit('fights'));
    wire.run({ ...request(), ask: 'fights', questions: field.value }, taker);
    store.commit('fights');
  }

  function stop() {
    wire.stop();
    state.fights.phase = 'stopped';
    store.commit('fights');
  }

  const lines = () => field.value.split('\n').filter(line => line.trim() && !line.trim().startsWith('#')).length;

  store.on('questions fights inputs run view', ({ fights, questions }) => {
    if (field.value !== questions) field.value = questions;
    const live = taker?.live() ?? false;
    ask.disabled = live || store.live() || !lines();
    ask.querySelector('span').textContent = lines() > 1 ? `Ask all ${count(lines())}` : 'Ask';
    halt.hidden = !live;
    put(word, told(fights, live));
    put(table, fights?.asked.length ? confusion(fights) : h('p', { class: 'aside' }, HINT));
  });

  function told(fights, live) {
    if (!fights) return 'each is asked once, with a forced call';
    if (fights.error) return [h('span', { class: 'sign error' }, icon('error')), ' ', prose(fights.error.message)];
    if (live) return fights.queue && !fights.count ? `place ${fights.queue} in the queue` : `${count(fights.asked.length)} of ${count(fights.count)}`;
    const failed = fights.asked.filter(one => one.error);
    const old = outdatedFights(fights, state.inputs);
    const no = fights.unknown.length ? `; no tool is called ${fights.unknown.slice(0, 3).join(', ')}` : '';
    const sum = `${plural(fights.asked.length, 'question')} asked${failed.length ? `, ${count(failed.length)} failed: ${failed[0].error.message}` : ''}${no}`;
    return [sum, old && [' ', h('span', { class: 'earlier' }, `outdated: ${old}`)]];
  }

  /** Rows are the tools that were expected, columns those that are most probable. */
  function confusion(fights) {
    const judged = fights.asked.filter(one => one.expected && one.top.length);
    if (!judged.length) return h('p', { class: 'aside' }, HINT);
    const right = judged.filter(one => one.top[0].tool === one.expected);
    const rows = tally(judged.map(one => one.expected)), all = new Set([...rows, ...tally(judged.map(one => one.top[0].tool))]);
    const columns = [...all].slice(0, SHOWN);
    const cell = (row, column) => judged.filter(one => one.expected === row && one.top[0].tool === column);
    const mark = (row, column) => {
      const hits = cell(row, column);
      if (!hits.length) return h('td', null, '·');
      const asks = () => store.change({ question: hits[0].question });
      return h('td', null, h('button', { type: 'button', class: row === column ? 'right' : 'wrong', title: hits.map(one => one.question).slice(0, 5).join('\n'), onclick: asks }, hits.length));
    };
    return [h('p', null, h('b', null, `${count(right.length)} of ${count(judged.length)}`), ` would call the expected tool (${percent(right.length / judged.length)})`),
      h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Confusion table' }, h('table', null,
        h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'expected ↓ called →'), columns.map(name => h('th', { scope: 'col', title: name }, h('code', null, name))))),
        h('tbody', null, rows.slice(0, 60).map(name => h('tr', null, h('th', { scope: 'row', title: name }, h('code', null, name)), columns.map(other => mark(name, other))))))),
      all.size > SHOWN && h('p', { class: 'aside' }, `${count(all.size - SHOWN)} more tools are called, too`)];
  }
}

/** Names by how often they come, the most frequent first. */
function tally(names) {
  const times = new Map();
  names.forEach(name => times.set(name, (times.get(name) ?? 0) + 1));
  return [...times].sort((one, other) => other[1] - one[1]).map(([name]) => name);
}
