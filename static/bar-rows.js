// The bars of one step: a row per token, before the mask on the left, after it on the right; and the mass bar above.

import { h, icon, prose } from './dom.js';
import { chip, count, percent, probability, visible } from './tokens.js';

const MOST = 10;
const SMALL = 0.001; // less probable tokens are shown on demand

const cell = (name, attributes, ...children) => h('span', { role: 'cell', class: name, ...attributes }, ...children);

const heads = () => h('div', { class: 'bar-row heads', role: 'row' },
  ['Token', 'Before: what the model wanted', null, null, `After: what it may say, sum ${probability(1)}`]
    .map(text => h('span', text && { role: 'columnheader' }, text)));

/**
 * A step's rows {parts, left}: `left` of its candidates have none.
 * `all`: every candidate has one; `most`: so many; `take(candidate)` goes on with another valid token instead.
 */
export function stepBars(step, size, { all = false, most = MOST, take = null } = {}) {
  const ranked = [...step.candidates].sort((a, b) => b.before - a.before || b.after - a.after);
  const rows = all ? ranked : pick(ranked, step.token_id, most);
  const others = rest(rows, step, size);
  const bars = [...rows, ...(others ? [others] : [])];
  const top = name => Math.max(...bars.map(one => one[name]), 1e-9);
  const tops = { before: top('before'), after: top('after') };
  return { parts: [heads(), rows.map(one => row(one, step, tops, take)), others && line(others, step, tops)], left: ranked.length - rows.length };
}

/** The most probable ones; among them always the chosen one and the three best valid ones. */
function pick(ranked, chosen, most) {
  const kept = new Set(ranked.slice(0, most));
  const wanted = [...ranked.filter(one => one.token_id === chosen), ...ranked.filter(one => one.after > 0).slice(0, 3)];
  for (const one of wanted) {
    if (kept.has(one)) continue;
    const out = [...kept].reverse().find(other => !wanted.includes(other));
    kept.delete(out);
    kept.add(one);
  }
  return ranked.filter(one => kept.has(one) && (one.before >= SMALL || wanted.includes(one)));
}

/** What the mask kept and removed. The share that it kept is written in its bar, or beside it: `scant` and `scarce` ones have no room on a phone, or anywhere. */
export function massBar(step, unguided) {
  const kept = Math.min(1, step.mass_kept);
  const gone = 1 - kept < 1e-6 ? 0 : 1 - kept;
  const held = `kept ${percent(kept)}`;
  const room = kept < 0.17 ? 'scarce' : kept < 0.29 ? 'scant' : '';
  const words = [h('span', { class: 'beside' }, `${held}, `), percent(gone), // the style leaves out what there is no room for
    h('span', { class: 'removed' }, ' removed'), h('span', { class: 'by-mask' }, ' by the mask')];
  return h('div', { class: `mode-${step.mode} ${room}`, role: 'img', 'aria-label': `${held}, removed ${percent(gone)}` },
    h('span', { class: 'kept', style: `flex-grow:${Math.max(kept, 0.004)}` }, h('span', null, unguided ? 'no mask' : held)),
    gone > 0 && h('span', { class: 'gone', style: `flex-grow:${gone}` }, gone > 0.06 && h('b', null, words)));
}

/** One row; its data are what outside checks read. */
function line({ id, before, after, allowed, kind, name, note, reason, gone = 0 }, step, most) {
  const bar = (value, top, name = null) => h('i', { class: name, style: `width:${Math.min(1, value / top) * 100}%` });
  return h('div', {
    class: `bar-row mode-${step.mode} ${allowed ? '' : 'blocked'} ${kind}`, role: 'row',
    'data-token-id': id, 'data-before': before, 'data-after': after, 'data-allowed': String(allowed),
  }, cell(null, null, name), cell('before', null, gone > 0 && bar(gone, most.before, 'gone'), gone < before && bar(before - gone, most.before)), cell('value', null, probability(before)),
  cell('way', { 'aria-label': allowed ? 'valid' : 'blocked' }, icon(allowed ? 'next' : 'barred')),
  allowed
    ? [cell('after', null, bar(after, most.after), note && h('small', null, note)), cell('value strong', null, probability(after))]
    : cell('reason', { title: reason }, prose(reason)));
}

function row(candidate, step, most, take) {
  const { token_id: id, token, before, after } = candidate;
  const allowed = after > 0;
  const mine = id === step.token_id;
  const face = chip(token, allowed ? step.mode : 'none');
  const name = [take && allowed && !mine ? h('button', { type: 'button', class: 'take', title: 'Take this token instead, and go on from there',
    'aria-label': `Take ${visible(token)} instead`, onclick: () => take(candidate) }, face) : face, mine && h('span', { class: 'visually-hidden' }, ' chosen')];
  const reason = step.reasons?.[id] || 'not valid here';
  return line({ id, before, after, allowed, kind: mine ? 'chosen' : '', name, reason }, step, most);
}

/** All tokens that have no row of their own, so that both columns add up to 1. */
function rest(rows, step, size) {
  const others = size - rows.length;
  if (others <= 0) return null;
  const left = name => Math.max(0, 1 - rows.reduce((sum, one) => sum + one[name], 0));
  const before = left('before'), after = left('after');
  const valid = Math.max(0, step.allowed_count - rows.filter(one => one.after > 0).length);
  return {
    id: -1, before, after: valid ? after : 0, allowed: valid > 0, kind: 'rest',
    gone: valid ? Math.max(0, before - after * step.mass_kept) : 0, // the blocked ones' part
    name: `${count(others)} more`, reason: 'all blocked',
    note: valid === others ? 'all valid' : `${count(valid)} of them valid`,
  };
}
