// Runs token by token, a row each, aligned by step: where each first differs from the first row, and what the mask blocked.

import { h, put } from './dom.js';
import { firstDifference, takenBack } from './rewrites.js';
import { isGuided } from './runs.js';
import { chip, choice, isEnd, stepName } from './tokens.js';

/** The first step at which two runs chose different tokens; -1 where there is none, as far as both are written. */
export function parting(run, other) {
  const at = firstDifference(run.steps, other.steps);
  return [run, other].every(one => at < one.steps.length || isWhole(one)) ? at : -1;
}

/** Whether a run ended by itself: it would never write more. */
const isWhole = run => run.phase === 'finished' && run.end !== 'limit';

/** The steps of a row at which the mask blocked the most probable token; a run without tools only shows what the model would say. */
const maskedIn = ({ verdict, way }) => (isGuided(way) && way !== 'alone' ? verdict?.masked ?? [] : []);

/**
 * Fill `element` with rows of {name, run, way, verdict}; the first is what the others are compared with.
 * `chosen` is {row, index}, `choose(row, index)` looks at a step.
 */
export function showTokens(element, rows, chosen, choose) {
  const old = element.querySelector('.scroll');
  const longest = Math.max(0, ...rows.map(({ run }) => run.steps.length));
  const [first] = rows;
  const masked = new Set(rows.flatMap(maskedIn));
  const heads = Array.from({ length: longest }, (_, index) => h('th', {
    scope: 'col', class: [masked.has(index) && 'masked', chosen?.index === index && 'chosen'].filter(Boolean).join(' ') || null,
    title: stepName(index) }, index + 1));
  const body = rows.map((row, number) => line(row, number, number ? parting(row.run, first.run) : -1,
    first, longest, chosen, choose));
  const table = h('table', { class: 'tokens' }, h('thead', null, h('tr', null, h('th', { scope: 'col', class: 'who' }, 'Step'), heads,
    h('th', { class: 'told' }, h('span', { class: 'visually-hidden' }, 'Compared')))), h('tbody', null, body));
  table.addEventListener('keydown', walk);
  const box = h('div', { class: 'scroll', tabindex: '-1', role: 'region', 'aria-label': 'Token by token', 'data-step': chosen?.index ?? '' }, table);
  const moved = old?.dataset.step !== box.dataset.step;
  put(element, box);
  box.scrollLeft = old?.scrollLeft ?? 0;
  if (moved && chosen) reveal(box, heads[chosen.index]);
}

/** Scroll sideways, as little as shows a column between the two that stay. */
function reveal(box, head) {
  if (!head) return;
  const edge = box.getBoundingClientRect();
  const { left, right } = head.getBoundingClientRect();
  const from = edge.left + box.querySelector('.who').offsetWidth;
  const to = edge.right - box.querySelector('.told').offsetWidth;
  box.scrollLeft += left < from ? left - from : Math.max(0, Math.min(right - to, left - from));
}

function line(row, number, parts, first, longest, chosen, choose) {
  const { run, name } = row;
  const gone = takenBack(run.steps);
  const wrong = faulty(row);
  const masked = new Set(maskedIn(row));
  const cells = Array.from({ length: longest }, (_, index) => {
    const step = run.steps[index];
    const apart = parts >= 0 && index >= parts;
    const classes = [apart && 'apart', index === parts && 'parts', masked.has(index) && 'masked'].filter(Boolean).join(' ') || null;
    return h('td', { class: classes }, step && token(step, {
      plain: number > 0 && !apart, wrong: wrong.has(index), gone: gone.has(index),
      pressed: chosen?.row === number && chosen.index === index, act: () => choose(number, index) }));
  });
  const told = number === 0 ? [ending(run)]
    : [parts >= 0 ? `differs at ${parts + 1}` : run.steps.length > 0 && likeness(run, first.run),
      gone.size > 0 && h('small', null, `${gone.size} taken back`)];
  return h('tr', { class: number === 0 ? 'reference' : null }, h('th', { scope: 'row', class: 'who' }, name), cells,
    h('td', { class: 'told' }, told));
}

/** How the first run ended. */
function ending(run) {
  if (run.phase !== 'finished') return null;
  return run.end === 'limit' ? 'cut off' : run.call_error ? '1 error' : 'no error';
}

/** What is said of two runs that are over and nowhere differ. */
function likeness(run, first) {
  if (run.phase !== 'finished' || first.phase !== 'finished') return null;
  return run.steps.length === first.steps.length ? 'the same' : ['the same', h('small', null, 'until one is cut off')];
}

function token(step, { plain, wrong, gone, pressed, act }) {
  const mode = step.writer === 'host' ? 'result' : step.mode;
  const text = isEnd(step) ? 'end' : choice(step);
  const face = wrong ? chip(step.token, 'none', { class: 'wrong' }) : plain ? h('span', { class: 'plain' }, text)
    : isEnd(step) ? h('span', { class: `chip mode-${mode}` }, text) : chip(step.token, mode);
  return h('button', { type: 'button', class: gone ? 'token gone' : 'token', 'aria-pressed': String(pressed), tabindex: pressed ? '0' : '-1',
    'aria-label': [`Step ${step.index + 1}: ${text}`, wrong && 'not valid', gone && 'taken back'].filter(Boolean).join(', '), onclick: act }, face);
}

/** The steps whose tokens make a call invalid, as a set of their indices. */
function faulty({ run }) {
  const error = run.call_error;
  if (!error) return new Set();
  const [from, to] = error.fault ?? [error.start, error.end];
  const gone = takenBack(run.steps);
  return new Set(run.steps.filter(step => !gone.has(step.index) && !isEnd(step) && step.text.length < to
    && step.text.length + step.token.length > from).map(step => step.index));
}

/** Arrow keys go from token to token. */
function walk(event) {
  const cell = event.target.closest('td');
  const row = cell?.parentElement;
  const to = { ArrowRight: cell?.nextElementSibling, ArrowLeft: cell?.previousElementSibling,
    ArrowDown: row?.nextElementSibling?.children[cell.cellIndex], ArrowUp: row?.previousElementSibling?.children[cell.cellIndex] }[event.key];
  const next = to?.querySelector('button');
  if (!next) return;
  event.preventDefault();
  event.stopPropagation();
  next.focus();
}
