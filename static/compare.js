// Compare: one question, several ways, side by side and token by token.

import { button, h, icon, put, say } from './dom.js';
import { createComparison, MOST, nameOf, USUAL, waysOf } from './compare-state.js';
import { createLane } from './compare-lane.js';
import { createTable } from './compare-table.js';
import { isUntouched } from './draft.js';
import { variedOf } from './runs.js';
import { isLink } from './share.js';
import { words } from './controls.js';

const KEYS = { name: 'tool name', argument: 'argument', result: 'result, by the host', wrong: 'error' };
const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];

export function mount(element, { store, actions, wire, request, inputs }) {
  const comparison = createComparison();
  const { state } = comparison;
  const taker = { take: comparison.take, live: comparison.live, stop: comparison.stop };
  const run = button('play', 'Run', { id: 'compare-run', class: 'button primary', onclick: begin });
  const stop = button('stop', 'Stop', { id: 'compare-stop', class: 'button', disabled: true, onclick: halt });
  const error = h('div', { class: 'error-box', id: 'compare-error', role: 'alert', hidden: true });
  const top = h('section', { class: 'asked', 'aria-label': 'Question and tools' });
  const [title, about] = [h('h2'), h('p', { class: 'aside' })];
  const stale = h('span', { class: 'earlier', hidden: true });
  const more = button('plus', 'Add a way', { class: 'button small', onclick: comparison.add });
  const tabs = h('div', { class: 'lane-tabs', role: 'group', 'aria-label': 'Ways' });
  const lanes = h('div', { class: 'lanes' });
  const { table, steps } = createTable(comparison, open);
  put(element, top, h('header', { class: 'panel-head ways' }, title, about, stale, more,
    h('ul', { class: 'tools keys-legend' }, Object.entries(KEYS).map(([kind, text]) => h('li', null, h('span', {
      class: kind === 'wrong' ? 'piece wrong' : `piece mode-${kind}` }, text))))), tabs, lanes, table, steps);

  let columns = [], kept = null, told = null;
  const first = store.state.options.examples.find(one => one.view === 'compare');
  let lent = null; // the example that stood there before the first one here came in its place unasked; false once somebody has asked

  function begin() {
    if (comparison.live()) return;
    if (store.live()) actions.stop();
    const asked = request();
    const { example } = store.state;
    const known = example && example.question === asked.question && example.tools === asked.tools;
    lent = false;
    comparison.begin(asked);
    wire.run({ ask: 'compare', ...asked, lanes: comparison.requests(asked), ...(known && { wanted: example.wanted, answer: example.answer }) }, taker);
  }

  function halt() {
    wire.stop();
    comparison.stop();
  }

  store.on('view', ({ view }) => {
    const { example } = store.state;
    const untouched = isUntouched(store.state);
    if (view !== 'compare') {
      const back = lent;
      if (back) lent = untouched && example === first ? null : false;
      if (lent === null && back) actions.load(back);
      return;
    }
    put(top, inputs.question, inputs.editor, h('div', { class: 'pair' }, run, stop), error, inputs.settings);
    if (kept) store.change(kept); // what a run that was opened in Trace had set
    kept = null;
    if (lent === false || !first || !untouched || (example.view ?? 'trace') !== 'trace' || store.state.run.parent) return;
    lent = example;
    actions.load(first);
  });

  store.on('lanes', ({ lanes: others, view }) => {
    const ways = others === told ? [] : waysOf(others ?? []);
    if (ways.length) comparison.set(ways, view === 'compare' && isLink(location.hash));
  });

  store.on('example', async ({ example, inputs: given }) => {
    if (example.view !== 'compare') return;
    const asked = structuredClone(given);
    if (comparison.live()) halt();
    comparison.set(example.lanes);
    const file = new URL(`examples/${example.id}.run.json`, import.meta.url);
    const recorded = example.recorded && await fetch(file).then(answer => (answer.ok ? answer.json() : null)).catch(() => null);
    if (recorded && store.state.example === example && state.phase === 'empty') comparison.replay(recorded, asked);
  });

  const fail = () => {
    const told = state.error ?? store.state.error;
    error.hidden = !told;
    put(error, told && [h('span', { class: 'sign error' }, icon('error')), h('div', null, words(told))]);
  };
  store.on('error', fail);
  const describe = ({ inputs: now, example } = store.state) => {
    const own = example?.view === 'compare' && example.question === now.question && example.tools === now.tools;
    say(about, !own ? '' : /^Figure/.test(example.title) ? `${example.title} of the paper` : example.subtitle);
    const old = comparison.outdated(now);
    stale.hidden = !old;
    say(stale, `outdated: ${old}`);
  };
  store.on('inputs', describe);

  comparison.on('lanes', () => {
    told = store.state.lanes = waysOf(state.lanes);
    store.commit('lanes');
    if (columns.length !== state.lanes.length) {
      columns = state.lanes.map((_, index) => createLane(comparison, index));
      put(lanes, columns.map(column => column.element));
    }
    lanes.style.setProperty('--lanes', columns.length);
    lanes.style.setProperty('--half', Math.ceil(columns.length / 2));
    say(title, `One question, ${NUMBERS[columns.length] ?? columns.length} ${columns.length === 1 ? 'way' : 'ways'}`);
    say(run.querySelector('span'), columns.length > 1 ? `Run all ${NUMBERS[columns.length]}` : 'Run');
    more.disabled = columns.length >= MOST;
    put(tabs, state.lanes.map((lane, index) => h('button', { type: 'button', 'aria-pressed': String(index === state.tab),
      onclick: () => comparison.show(index) }, nameOf(lane))));
    columns.forEach(({ element: column }, index) => column.classList.toggle('shown', index === state.tab));
  });

  comparison.on('lanes run', () => {
    describe();
    const live = comparison.live();
    if (live && document.activeElement === run) stop.disabled = false, stop.focus();
    run.disabled = live;
    stop.disabled = !live;
    columns.forEach((column, index) => column.update(state.lanes[index]));
    fail();
  });

  function open(lane, index) {
    lent = false;
    kept = variedOf(store.state.inputs);
    actions.open(comparison.requests(store.state.inputs)[lane], state.lanes[lane].messages, index);
  }

  document.addEventListener('keydown', event => {
    if (store.state.view === 'compare' && event.key === 'Enter' && (event.ctrlKey || event.metaKey)) begin();
  });
  comparison.set(USUAL.map(way => ({ way })));
}
