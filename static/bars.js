// The next token: what the model wanted, what the mask removed and why, and what it may say.

import { h, icon, prose, put } from './dom.js';
import { chip, count, isEnd, percent, probability, stateName } from './tokens.js';

const MOST = 10;
const SMALL = 0.001; // less probable tokens are shown on demand

export function mount(element, { store }) {
  const head = h('header', { class: 'panel-head' });
  const mass = h('div', { class: 'mass' });
  const list = h('div', { id: 'probability-bars', role: 'table', 'aria-label': 'Probabilities before and after the mask' });
  put(element, head, mass, list);
  let shown, of, all = false;

  store.on('run select machine', ({ run, selected, machine }) => {
    const step = run.steps[selected];
    const size = run.model?.vocabulary ?? machine?.machine?.vocabulary ?? 0;
    if (shown === step && of === size && step) return;
    if (shown !== step) all = false;
    [shown, of] = [step, size];
    draw(step, size);
  });

  function draw(step, size) {
    if (!step) {
      put(head, h('h2', null, 'Next token'));
      put(mass);
      put(list, h('p', { class: 'nothing' }, 'Run to see what the model wanted and what the machine let it say.'));
      return;
    }
    const host = step.writer === 'host';
    const unguided = store.state.run.request?.method === 'unguided';
    const chosen = step.candidates.find(one => one.token_id === step.token_id);
    put(head, h('h2', null, 'Next token at ', stateName(step.state_name)),
      h('p', { class: 'aside' }, host ? 'written by the host; the model isn’t asked' : step.whole ? `all ${count(size)} tokens are valid`
        : `${count(step.allowed_count)} of ${count(size)} tokens ${step.allowed_count === 1 ? 'is' : 'are'} valid`),
      chosen && !host && !step.whole && h('p', { class: 'formula mono' },
        `P̃(${isEnd(step) ? 'end' : chip(step.token).textContent}) = ${probability(chosen.before)} / ${probability(step.mass_kept)} = ${probability(chosen.after)}`));
    put(mass, !host && massBar(step, unguided));
    if (host) {
      put(list, h('p', { class: 'nothing' }, 'The host wrote ', chip(step.token, 'result'), ' into the answer.'));
      return;
    }
    const ranked = [...step.candidates].sort((a, b) => b.before - a.before || b.after - a.after);
    const rows = all ? ranked : pick(ranked, step.token_id);
    const most = { before: Math.max(...rows.map(one => one.before), 1e-9), after: Math.max(...rows.map(one => one.after), 1e-9) };
    put(list, h('div', { class: 'bar-row heads', role: 'row' }, h('span', { role: 'columnheader' }, 'Token'),
      h('span', { role: 'columnheader' }, 'Before: what the model wanted'), h('span'), h('span'),
      h('span', { role: 'columnheader' }, `After: what it may say, sum ${probability(1)}`)),
    rows.map(one => row(one, step, most)), rest(rows, step, size, most),
    ranked.length > rows.length && h('button', { type: 'button', class: 'button small more', onclick: () => { all = true; draw(step, size); } },
      `Show ${ranked.length - rows.length} more`));
  }
}

/** The most probable ones; among them always the chosen one and the three best valid ones. */
function pick(ranked, chosen) {
  const kept = new Set(ranked.slice(0, MOST));
  const wanted = [...ranked.filter(one => one.token_id === chosen), ...ranked.filter(one => one.after > 0).slice(0, 3)];
  for (const one of wanted) {
    if (kept.has(one)) continue;
    const out = [...kept].reverse().find(other => !wanted.includes(other));
    kept.delete(out);
    kept.add(one);
  }
  return ranked.filter(one => kept.has(one) && (one.before >= SMALL || wanted.includes(one)));
}

function massBar(step, unguided) {
  const kept = Math.min(1, step.mass_kept);
  const gone = Math.max(0, 1 - kept);
  return h('div', { class: `mode-${step.mode}`, role: 'img', 'aria-label': `kept ${percent(kept)}, removed ${percent(gone)}` },
    h('span', { class: 'kept', style: `flex-grow:${Math.max(kept, 0.004)}` }, kept >= 0.16 && (unguided ? 'no mask' : `kept ${percent(kept)}`)),
    gone > 0 && h('span', { class: 'gone', style: `flex-grow:${gone}` }, h('b', null,
      `${kept < 0.16 ? `kept ${percent(kept)}, ` : ''}${percent(gone)} ${gone > 0.42 ? 'removed by the mask' : gone > 0.2 ? 'removed' : ''}`)));
}

const data = one => ({ 'data-token-id': one.token_id, 'data-before': one.before, 'data-after': one.after, 'data-allowed': String(one.allowed) });

function row(one, step, most) {
  const allowed = one.after > 0;
  const mine = one.token_id === step.token_id;
  return h('div', { class: `bar-row mode-${step.mode}${allowed ? '' : ' blocked'}${mine ? ' chosen' : ''}`, role: 'row', ...data({ ...one, allowed }) },
    h('span', { role: 'cell' }, chip(one.token, allowed ? step.mode : 'none'), mine && h('span', { class: 'visually-hidden' }, ' chosen')),
    h('span', { role: 'cell', class: 'before' }, h('i', { style: `width:${(one.before / most.before) * 100}%` })),
    h('span', { role: 'cell', class: 'value' }, probability(one.before)),
    h('span', { role: 'cell', class: 'way', 'aria-label': allowed ? 'valid' : 'blocked' }, icon(allowed ? 'next' : 'barred')),
    allowed ? [h('span', { role: 'cell', class: 'after' }, h('i', { style: `width:${(one.after / most.after) * 100}%` })),
      h('span', { role: 'cell', class: 'value strong' }, probability(one.after))]
      : h('span', { role: 'cell', class: 'reason', title: step.reasons?.[one.token_id] }, prose(step.reasons?.[one.token_id] || 'not valid here')));
}

/** All tokens that have no row of their own, so that both columns add up to 1. */
function rest(rows, step, size, most) {
  const others = size - rows.length;
  if (others <= 0) return null;
  const before = Math.max(0, 1 - rows.reduce((sum, one) => sum + one.before, 0));
  const valid = Math.max(0, step.allowed_count - rows.filter(one => one.after > 0).length);
  const after = valid ? Math.max(0, 1 - rows.reduce((sum, one) => sum + one.after, 0)) : 0;
  return h('div', { class: `bar-row rest mode-${step.mode}${valid ? '' : ' blocked'}`, role: 'row', ...data({ token_id: -1, before, after, allowed: valid > 0 }) },
    h('span', { role: 'cell' }, `${count(others)} more`),
    h('span', { role: 'cell', class: 'before' }, h('i', { style: `width:${Math.min(1, before / most.before) * 100}%` })),
    h('span', { role: 'cell', class: 'value' }, probability(before)),
    h('span', { role: 'cell', class: 'way' }, icon(valid ? 'next' : 'barred')),
    valid ? [h('span', { role: 'cell', class: 'after' }, h('i', { style: `width:${Math.min(1, after / most.after) * 100}%` }),
      h('small', null, valid === others ? 'all valid' : `${count(valid)} of them valid`)), h('span', { role: 'cell', class: 'value strong' }, probability(after))]
      : h('span', { role: 'cell', class: 'reason' }, 'all blocked'));
}
