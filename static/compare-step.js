// One step of a run: what the model wanted, what the mask left; two of them stand side by side.

import { button, h, put } from './dom.js';
import { massBar, stepBars } from './bar-rows.js';
import { WAYS } from './compare-state.js';
import { isGuided } from './runs.js';
import { chip, isWeighed, MODES, percent, stateName } from './tokens.js';

/** Fill `element` with steps [{title, run, way, index, open}]; `open` shows the run in Trace. */
export function showSteps(element, sides) {
  put(element, sides.map(side => panel(side)));
}

function panel({ title, run, way, index, open }) {
  const step = run.steps[index];
  const size = run.model?.vocabulary ?? 0;
  const head = h('header', { class: 'panel-head' }, h('h2', null, `Step ${index + 1}, ${title}`),
    h('p', { class: 'aside' }, step ? about(step, way) : 'this run had ended'),
    step && h('div', { class: 'tools' }, button('', 'Open in Trace', { class: 'button small', onclick: open })));
  if (!step) return h('section', { class: 'step-side' }, head, h('p', { class: 'nothing' }, `The run took ${run.steps.length} steps.`));
  if (step.writer === 'host') {
    return h('section', { class: 'step-side' }, head, h('p', { class: 'nothing' }, 'The host wrote ', chip(step.token, 'result'), ' into the answer.'));
  }
  const { parts } = stepBars(step, size, { most: 5 });
  return h('section', { class: 'step-side', 'data-index': index }, head,
    h('div', { class: 'mass' }, massBar(step, !isGuided(way))),
    h('div', { class: 'step-bars', role: 'table', 'aria-label': `Probabilities at step ${index + 1}, ${title}` }, parts));
}

function about(step, way) {
  if (step.writer === 'host') return 'written by the host';
  if (!isGuided(way)) return 'no mask: every token is allowed';
  const where = [step.tool, step.parameter].filter(Boolean).join('.');
  return [MODES[step.mode] ?? step.mode, where && [', ', h('code', { class: 'mono' }, where)], ' at ', stateName(step.state_name, step.mode),
    `; mask kept ${percent(Math.min(1, step.mass_kept))}`, isWeighed(step) && (step.tool ? ', its arguments chosen as a whole' : WAYS[way].sets.method === 'weighed' && ', its name weighed as a whole'),
    step.revealed?.length > 0 && (step.revealed.length > 1 ? `, ${step.revealed.length} signatures in view` : ', its signature in view')];
}
