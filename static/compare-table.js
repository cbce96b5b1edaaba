// The runs of a comparison token by token, those that keep longest to the first one on top, and a step of two of them.

import { h } from './dom.js';
import { nameOf } from './compare-state.js';
import { showSteps } from './compare-step.js';
import { parting, showTokens } from './token-rows.js';

/** {table, steps}, kept up to date; `open(lane, index)` shows a run in Trace. */
export function createTable(comparison, open) {
  const { state } = comparison;
  const tokens = h('div', { class: 'token-rows' });
  const table = h('section', { class: 'by-token', 'aria-label': 'Token by token', hidden: true },
    h('header', { class: 'panel-head' }, h('h2', null, 'Token by token'),
      h('p', { class: 'aside' }, 'The dark bar marks each run’s first token that differs from the first row’s; before it the tokens are the same'),
      h('p', { class: 'tools aside' }, h('i', { class: 'masked-key', 'aria-hidden': 'true' }), 'mask blocked the most probable token')), tokens);
  const steps = h('div', { class: 'step-sides' });

  comparison.on('lanes run chosen', () => {
    const order = ordered();
    table.hidden = !order.length;
    const chosen = state.chosen ?? usual(order);
    const at = chosen && { row: order.findIndex(one => one.lane === chosen.lane), index: chosen.index };
    showTokens(tokens, order.map(({ lane }) => ({ ...state.lanes[lane], name: nameOf(state.lanes[lane]) })), at,
      (row, index) => comparison.choose(order[row].lane, index));
    const sides = chosen ? [...new Set([order[0]?.lane, chosen.lane])].map(lane => ({ lane, ...state.lanes[lane] })).filter(({ run }) => run?.steps.length) : [];
    showSteps(steps, sides.map(({ lane, run, way }) => ({ title: nameOf(state.lanes[lane]), run, way, index: chosen.index,
      open: () => open(lane, chosen.index) })));
    steps.dataset.count = sides.length;
  });

  /** The runs that have begun, as {lane, parts}: the reference, what is the same, what differs later, what differs sooner. */
  function ordered() {
    const begun = [...state.lanes.keys()].filter(lane => state.lanes[lane].run.steps.length);
    const base = begun.includes(comparison.reference()) ? comparison.reference() : begun[0];
    const far = ({ parts }) => (parts < 0 ? Number.MAX_SAFE_INTEGER : parts);
    return begun.map(lane => ({ lane, parts: parting(state.lanes[lane].run, state.lanes[base].run) }))
      .sort((one, other) => (other.lane === base) - (one.lane === base) || far(other) - far(one));
  }

  /** Before a step is chosen: where the run parts that keeps longest to the reference. */
  function usual(order) {
    const found = state.phase === 'finished' && order.find(({ parts }) => parts >= 0);
    return found ? { lane: found.lane, index: found.parts } : null;
  }

  return { table, steps };
}
