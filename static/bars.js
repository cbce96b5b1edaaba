// The next token: what the model wanted, what the mask removed and why, and what it may say.

import { massBar, stepBars } from './bar-rows.js';
import { h, put } from './dom.js';
import { foundCalls } from './found.js';
import { isGuided } from './runs.js';
import { steady } from './steady.js';
import { chip, count, exactly, isEnd, isWeighed, stateName } from './tokens.js';

export function mount(element, { store, take }) {
  const head = h('header', { class: 'panel-head' });
  const mass = h('div', { class: 'mass' });
  const found = h('div');
  const list = h('div', { id: 'probability-bars', role: 'table', 'aria-label': 'Probabilities before and after the mask' });
  put(element, head, mass, found, list);
  const phone = matchMedia('(max-width: 700px)'); // there the graph lies below the bars
  let shown, of, was, all = false;

  store.on('run select machine', ({ run, selected, machine }) => {
    const step = run.steps[selected];
    const size = run.model?.vocabulary ?? machine?.machine?.vocabulary ?? 0;
    if (shown === step && of === size && step && was === store.live()) return null;
    was = store.live();
    if (shown !== step) all = false;
    [shown, of] = [step, size];
    const settle = steady(element);
    draw(step, size);
    return settle;
  });

  function draw(step, size) {
    put(found, step && foundCalls(step));
    if (!step) {
      put(head, h('h2', null, 'Next token'));
      put(mass);
      put(list, h('p', { class: 'nothing' }, 'Run to see what the model wanted and what the machine let it say.'));
      return;
    }
    const host = step.writer === 'host';
    put(head, h('h2', null, 'Next token at ', stateName(step.state_name)), h('p', { class: 'aside' }, validity(step, size)),
      !host && formula(step));
    put(mass, !host && massBar(step, !isGuided(store.state.run.request?.method)));
    if (host) {
      put(list, h('p', { class: 'nothing' }, 'The host wrote ', chip(step.token, 'result'), ' into the answer.'));
      return;
    }
    const showAll = () => {
      all = true;
      draw(step, size);
    };
    const { parts, left } = stepBars(step, size, { all, most: phone.matches ? 5 : undefined, take: store.live() ? null : candidate => take(step.index, candidate) });
    put(list, parts, left > 0 && h('button', { type: 'button', class: 'button small more', onclick: showAll }, `Show ${left} more`));
  }
}

function validity(step, size) {
  if (step.writer === 'host') return 'written by the host; the model isn’t asked';
  if (step.allowed_count === size) return `all ${count(size)} tokens are valid`;
  return `${count(step.allowed_count)} of ${count(size)} tokens ${step.allowed_count === 1 ? 'is' : 'are'} valid`;
}

/** P̃(uare) = 0.274 / 0.297 = 0.923, where the mask took something away; P̂(uare) = 0.981 where wholes are chosen. */
function formula(step) {
  const chosen = step.candidates.find(one => one.token_id === step.token_id);
  if (!chosen || step.mass_kept >= 0.9995) return null;
  const [before, kept, after] = [chosen.before, step.mass_kept, chosen.after].map(exactly);
  const token = isEnd(step) ? 'end' : chip(step.token).textContent;
  if (isWeighed(step)) return h('p', { class: 'formula', title: 'P̂: what the token’s whole names or arguments weigh together, of all that are valid' }, h('span', { class: 'mono' }, `P̂(${token}) = ${after}`), step.tool ? ', arguments as wholes' : ', names weighed');
  return h('p', { class: 'formula mono', title: 'P̃: what the token may have after the mask, its probability before over the share that the mask kept (section 3.1)' }, `P̃(${token}) = ${before} / ${kept} = ${after}`);
}
