// Errors, Run and Stop, and how the run stands.

import { button, h, icon, prose, put, say } from './dom.js';
import { isMute } from './checking.js';
import { WAYS } from './compare-state.js';
import { isGuided, isOutdated } from './runs.js';
import { milliseconds, plural } from './tokens.js';

const ENDS = {
  eos: ['ok', 'Finished'], call: ['ok', 'Finished after a call'],
  needs_result: ['warning', 'Waits for a result'],
  limit: ['warning', 'Cut off by the token limit'], stopped: ['muted', 'Stopped'],
};

/** Beyond so many tools the model in the box, token by token, often takes a wrong one: of 60 for every second question. */
const MANY = 40;
const isLost = ({ inputs: { model, method }, machine }) => model === 'embedded' && method === 'guided' && machine?.tool_count > MANY;

/** The icon of each kind of headline. */
export const SIGNS = { ok: 'check', warning: 'warning', error: 'error' };

export function mount(element, { store, actions }) {
  const error = h('div', { id: 'error-box', role: 'alert', hidden: true });
  const run = button('play', 'Run', { id: 'run-button', class: 'button primary', onclick: actions.run });
  const stop = button('stop', 'Stop', { id: 'stop-button', class: 'button', disabled: true, onclick: actions.stop });
  const status = h('div', { class: 'status' });
  const notices = h('div', { class: 'notices' });
  const shorten = button('', 'Take a shortlist', { class: 'button small', onclick: () => store.change(WAYS.shortlist.sets) });
  const [told, taken] = [h('span', { role: 'status' }), h('span', { class: 'value' })]; // of steps that stream in none is read aloud
  const headline = h('p', { class: 'headline' }, told, taken);
  put(element, error, notices, h('div', { class: 'pair' }, run, stop), headline, status);

  function force() {
    store.change({ start: 'call' });
    actions.run();
  }

  document.addEventListener('keydown', event => {
    if (store.state.view === 'trace' && event.key === 'Enter' && (event.ctrlKey || event.metaKey)) actions.run();
  });

  store.on('error', ({ error: told }) => {
    error.hidden = !told || told.ofBranch; // which says it beside its field
    put(error, told && [h('span', { class: 'sign error' }, icon('error')), h('div', null, words(told))]);
  });

  store.on('machine error check inputs', state => {
    const cautions = state.warnings.filter(one => !one.line).map(one => prose(one.message));
    if (isMute(state)) cautions.unshift('The toy knows only the paper’s tokens and can’t write these tools: Run takes the model in the box.');
    if (isLost(state)) cautions.push(['Of so many tools the model in the box often takes a wrong one. A shortlist errs less, and takes a few seconds. ', shorten]);
    put(notices, cautions.map(words => h('div', { class: 'notice' }, h('span', { class: 'sign warning' }, icon('warning')), h('div', null, words))));
  });

  store.on('run error inputs', state => {
    const { run: now } = state;
    const live = store.live();
    const focused = document.activeElement;
    run.disabled = stop.disabled = false; // the focus leaves a button before it is disabled
    if (focused === (live ? run : stop)) (live ? stop : run).focus({ preventScroll: true });
    run.disabled = live;
    stop.disabled = !live;
    const [kind, text] = !live && isOutdated(state) ? ['muted', outdated(state)] : headlineOf(now, state.error);
    if (headline.dataset.kind !== kind) {
      headline.querySelector('.icon')?.remove();
      if (SIGNS[kind]) headline.prepend(icon(SIGNS[kind]));
    }
    headline.dataset.kind = kind;
    say(told, text);
    say(taken, now.steps.length ? plural(now.steps.length, 'step') : '');
    headline.hidden = !text;
    const sum = name => now.totals?.[name] ?? now.steps.reduce((total, step) => total + (step[name] ?? 0), 0);
    put(status, now.steps.length > 0 && [
      line('Model', milliseconds(sum('model_ms'))), line('Mask, all steps', milliseconds(sum('mask_ms')))],
    now.notes.map(note => h('p', { class: 'note' }, prose(note))),
    now.end === 'needs_result' && wayToValue(now),
    callWasFree(now) && button('', 'Force a call', { class: 'button small', onclick: force }));
  });
}

/** A button that goes to the field for the result of a run's last call. */
export const wayToValue = run => button('', 'Give it a value', { class: 'button small to-value',
  onclick: () => goTo(`value-${run.calls.at(-1)?.name}`) });

/** Go to a field, in whatever folds it lies. */
function goTo(id) {
  const field = document.getElementById(id);
  for (let at = field?.closest('details'); at; at = at.parentElement.closest('details')) at.open = true;
  field?.focus();
}

/** Whether a guided run could have called a tool and didn't. */
const callWasFree = run => run.phase === 'finished' && run.end !== 'limit' && run.calls.length === 0
  && run.request?.start === 'text' && isGuided(run.request.method);

const line = (name, value) => h('p', null, h('span', null, name), h('span', { class: 'value' }, value));

const outdated = ({ run, inputs }) => (run.request.question === inputs.question ? 'Made with other settings' : 'Answers an earlier question');

/** Whether a call begins whose tool is chosen as a whole: of hundreds in some seconds. */
function isWeighing({ request, steps }) {
  const last = steps.at(-1);
  return request?.method === 'weighed' && last?.mode === 'text' && last.next_state !== last.state;
}

/** How a run stands: [kind, words]. */
export function headlineOf(run, error) {
  if (run.phase === 'waiting') {
    return run.queue ? ['busy', `Place ${run.queue} in the queue: the model is busy`] : ['busy', 'Waiting for the model…'];
  }
  if (run.phase === 'streaming') return ['busy', isWeighing(run) ? 'Running: names are weighed' : 'Running'];
  if (run.phase === 'failed' && run.parent) return ['error', 'Branch failed: see Step in'];
  if (run.phase === 'failed') return error ? ['error', `${run.steps.length ? 'Broken off' : 'No run'}: see the message above Run`] : ['', ''];
  if (run.phase === 'stopped') return ['muted', run.steps.length ? `Stopped at step ${run.steps.length}` : 'Stopped before the first step'];
  if (run.phase !== 'finished') return ['', ''];
  if (run.call_error && run.call_error.begun !== false && run.end !== 'limit') return ['error', 'The call is not valid'];
  const [kind, text] = ENDS[run.end] ?? ['muted', run.end];
  if (kind !== 'ok') return [kind, text];
  if (!run.calls.length) return ['muted', 'Finished without a call'];
  return ['ok', run.calls.length > 1 ? `Finished, ${run.calls.length} calls are valid` : 'Finished, call is valid'];
}

/** The place, what is wrong and what would work. */
export function words(told) {
  const place = told.line ? `Line ${told.line}${told.column ? `, column ${told.column}` : ''}` : '';
  const message = told.message ?? told.text ?? 'something went wrong';
  return [place && h('b', null, place), h('p', null, prose(message.charAt(0).toUpperCase() + message.slice(1))),
    told.partly && h('p', null, told.partly), told.fix && h('p', { class: 'fix' }, 'Fix: ', prose(told.fix))];
}
