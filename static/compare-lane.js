// One way to answer: how, what came of it, its verdict, and what it cost.

import { button, h, icon, prose, put, say } from './dom.js';
import { answerOf, answerParts } from './compare-text.js';
import { WAYS } from './compare-state.js';
import { kept } from './rewrites.js';
import { isGuided } from './runs.js';
import { count, plural } from './tokens.js';

const BADGES = {
  name: ['error', 'name error'], argument: ['error', 'argument error'], format: ['error', 'format error'],
  'illegal symbol': ['error', 'illegal symbol'], 'cut off': ['warning', 'cut off'], wrong: ['warning', 'wrong but valid'],
  correct: ['ok', 'correct'], valid: ['ok', 'valid call'], none: ['muted', 'no call'],
  right: ['ok', 'right answer'], wrong_answer: ['muted', 'wrong answer'],
};
const PHASES = { waiting: ['busy', 'waiting'], streaming: ['busy', 'running'], stopped: ['muted', 'stopped'], failed: ['error', 'no run'] };
const SIGNS = { error: 'error', warning: 'warning', ok: 'check' };

/** A column for the lane at `index`; `update(lane)` shows it. */
export function createLane(comparison, index) {
  const set = values => comparison.change(index, values);
  const way = h('select', { class: 'way-select', 'aria-label': `Way ${index + 1}`, onchange: () => set({ way: way.value }) },
    Object.entries(WAYS).map(([value, { label }]) => h('option', { value }, label)));
  const number = (name, label, more) => h('input', { type: 'number', 'aria-label': label, title: label, min: 0, ...more,
    onchange: event => set({ [name]: Math.max(0, event.target.valueAsNumber || 0) }) });
  const temperature = number('temperature', 'Temperature', { step: 0.1, max: 5 });
  const seed = number('seed', 'Seed', { step: 1, max: 4294967295 });
  const sampled = h('label', null, 'seed', seed);
  const remove = button('close', '', { class: 'button square small remove', label: 'Remove this way', onclick: () => comparison.remove(index) });
  const about = h('p', { class: 'aside about' });
  const verdictBadge = h('p', { class: 'verdict', role: 'status' });
  const answer = h('div', { class: 'lane-answer' });
  const sentence = h('p', { class: 'sentence' });
  const figures = h('dl', { class: 'figures' });
  const element = h('article', { class: 'lane' },
    h('header', null, h('h3', null, h('span', { class: 'pick' }, way)), verdictBadge),
    h('div', { class: 'sets' }, about, h('label', null, 'temperature', temperature), sampled, remove),
    answer, sentence, figures);

  function update(lane) {
    const { run, verdict } = lane;
    element.dataset.way = lane.way;
    element.dataset.phase = run.phase;
    way.value = lane.way;
    for (const [control, value] of [[temperature, lane.temperature], [seed, lane.seed]]) {
      if (document.activeElement !== control) control.value = value;
    }
    sampled.hidden = lane.temperature === 0;
    remove.hidden = comparison.state.lanes.length < 2;
    say(about, WAYS[lane.way].about);
    const [kind, text] = verdict ? BADGES[verdict.word] ?? ['muted', verdict.word] : PHASES[run.phase] ?? PHASES[comparison.live() && 'waiting'] ?? ['', ''];
    verdictBadge.hidden = !text;
    verdictBadge.dataset.kind = kind;
    put(verdictBadge, SIGNS[kind] && icon(SIGNS[kind]), h('span', null, text));
    put(answer, run.steps.length > 0 ? answerParts(answerOf(lane), !verdict)
      : h('p', { class: 'nothing' }, run.error ? why(run.error) : comparison.state.shared ? 'Press Run to see the shared comparison.' : 'The answer appears here.'));
    const tokens = kept(run.steps).length;
    const gone = run.steps.length - tokens;
    put(sentence, run.error && run.steps.length > 0 && why(run.error), verdict && prose([verdict.sentence, isGuided(lane.way) && lane.way !== 'alone' && blocked(verdict.masked),
      gone > 0 && `${plural(gone, 'token was', 'tokens were')} taken back.`].filter(Boolean).join(' ')));
    const time = run.steps.reduce((sum, step) => sum + step.model_ms + step.mask_ms, 0);
    const asked = run.steps.filter(step => step.writer === 'model').length;
    const [amount, unit] = time >= 1000 ? [(time / 1000).toFixed(2), 's'] : [time >= 100 ? Math.round(time) : time.toFixed(1), 'ms'];
    put(figures, figure(tokens ? count(tokens) : '–', 'tokens'),
      figure(asked ? count(asked) : '–', 'model steps'), figure(asked ? [amount, h('small', null, ` ${unit}`)] : '–', 'time'));
  }

  return { element, update };
}

const why = error => prose([error.message ?? error.text, error.fix].filter(Boolean).join('; '));

const figure = (value, name) => h('div', null, h('dt', null, name), h('dd', null, value));

/** "The mask blocked the most probable token at steps 4 and 7." */
function blocked(steps) {
  if (!steps.length) return 'The mask never had to block the most probable token.';
  if (steps.length > 6) return `The mask blocked the most probable token at ${count(steps.length)} steps, first at ${steps[0] + 1}.`;
  const shown = steps.map(index => index + 1);
  const last = shown.pop();
  const list = shown.length ? `${shown.join(', ')} and ${last}` : last;
  return `The mask blocked the most probable token at step${steps.length > 1 ? 's' : ''} ${list}.`;
}
