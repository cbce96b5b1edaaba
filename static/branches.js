// Step in by hand: another valid token at a step, a text of one's own, or another result than the host's, and on from
// there; runs are kept as a tree.

import { words } from './controls.js';
import { bring, button, h, icon, put, say } from './dom.js';
import { showTokens } from './token-rows.js';
import { firstDifference, kept } from './rewrites.js';
import { place, resultOf, resultStart } from './host-results.js';
import { textAt } from './segments.js';
import { chip, count, stepName, visible } from './tokens.js';

const MOST = 12; // runs that are kept
const HINT = 'Click a token above, or:';
const OTHER_RESULT = 'What if the tool had said:';

export function mount({ store, actions }) {
  const { state } = store;
  const about = h('p', { class: 'aside' }, HINT);
  const text = h('input', { id: 'branch-text', type: 'text', class: 'mono', spellcheck: 'false', autocomplete: 'off', 'aria-label': 'Text to go on with',
    onkeydown: event => { if (event.key === 'Enter' && !go.disabled) write(); } });
  const go = button('', 'Go on from here', { id: 'branch-button', class: 'button small', disabled: true, onclick: write });
  const refusal = h('div', { class: 'refusal', role: 'alert', hidden: true });
  const list = h('ul', { class: 'runs', 'aria-label': 'Runs' });
  const rows = h('div', { class: 'token-rows' });
  const element = h('section', { class: 'branches', 'aria-label': 'Branches', hidden: true },
    h('header', { class: 'panel-head' }, h('h2', null, 'Step in'), about, h('div', { class: 'tools' }, text, go)), refusal, list, rows);
  let family = [], other = null, said = null;

  /** Take another token at a step of the run that is shown. */
  function take(index, candidate) {
    branch(index, candidate.token, { opening: [...own(state.run, index), candidate.token_id] });
  }

  /** Go on with a text: in the place of a result that the host wrote, or as the model's own. */
  function write() {
    const { selected, run } = state;
    if (!text.value || selected < 0) return;
    const at = resultStart(run.steps, selected);
    if (at == null) branch(selected, text.value, { opening: own(run, selected), opening_text: text.value });
    else branch(at, text.value, { opening: own(run, at), replaced: [[place(run, at), text.value]] });
  }

  /** Results that were replaced before that step stay so. */
  function branch(at, token, { replaced = [], ...asked }) {
    const { run } = state;
    const { opening, opening_text, replaced: earlier = [], ...plain } = run.request;
    const all = [...earlier.filter(([before]) => before < place(run, at)), ...replaced];
    actions.branch({ parent: run, at, token, key: run.key, request: { ...plain, ...asked, replaced: all } });
  }

  /** Show another run of the family, at the step where it left its parent, or where a run that was refused has left it. */
  function recall(run, at = run.at ?? (state.selected < 0 || state.run.phase === 'failed' ? state.run.at ?? -1 : state.selected), error = null) {
    if (store.live()) return;
    Object.assign(state, { run, picture: run.picture ?? state.picture, marker: run.marker ?? state.marker, box: null, pinned: false,
      following: false, selected: Math.min(at, run.steps.length - 1), error, stale: run.key !== store.machineKey() });
    store.commit('machine run select box error');
  }

  store.on('run machine', () => {
    const { run } = state;
    if (run.steps.length && !state.stale && !run.uprooted) run.picture = state.picture;
    if (!family.includes(run)) {
      family = family.includes(run.parent) ? [...family, run].slice(-MOST) : [run];
      other = run.parent ?? null;
    }
  });

  store.on('run select', ({ run, selected }) => {
    if (run.parent && !run.seen && !store.live() && run.steps.length > run.at) {
      run.seen = true;
      if (run.phase === 'finished') text.value = '';
      if (selected === run.steps.length - 1) {
        store.select(run.at); // tells everybody, this one too
        return;
      }
    }
    element.hidden = !run.steps.length && family.length < 2;
    const live = store.live();
    const result = resultOf(run, selected);
    const hosts = result == null && run.steps[selected]?.writer === 'host';
    go.disabled = live || selected < 0 || hosts;
    text.disabled = hosts;
    text.placeholder = hosts ? 'the host’s own words' : selected >= 0 ? `instead of ${visible(result ?? run.steps[selected]?.token ?? '')}` : '';
    list.hidden = family.length < 2;
    put(list, family.length > 1 && tree(null).map(one => h('li', { style: `--depth:${depth(one)}` }, entry(one))));
    const mate = family.length > 1 && other !== run && family.includes(other) ? other : family.find(one => one !== run);
    rows.hidden = !mate || live || !run.steps.length;
    const refused = mate && !live && !run.steps.length; // why is said below
    if (rows.hidden) say(about, refused ? '' : run.parent && live ? 'The branch is running.' : result != null ? OTHER_RESULT : hosts ? '' : HINT);
    if (rows.hidden) return;
    const apart = firstDifference(run.steps, mate.steps);
    say(about, apart < 0 ? 'The two runs are the same.' : `The two runs part at step ${apart + 1}.`);
    const lane = one => ({ name: name(one), run: one, way: one.request?.method, verdict: null });
    showTokens(rows, [lane(run), lane(mate)], selected >= 0 ? { row: 0, index: selected } : null,
      (row, index) => { if (row) recall(mate); store.select(index); });
  });

  // What is refused is said here, for the place above Run may be far away. Where nothing of it was written, the run that
  // stood there stays.
  store.on('run error', ({ run, error }) => {
    if (run.parent && run.phase === 'failed' && error?.ofRun && said !== error) {
      said = error;
      if (!run.steps.length) {
        family = family.filter(one => one !== run);
        recall(run.parent, run.at, error);
        return null;
      }
    }
    const shown = said != null && said === error;
    if (refusal.hidden === !shown) return null;
    refusal.hidden = !shown;
    put(refusal, shown && [h('span', { class: 'sign error' }, icon('error')), h('div', null, words(error))]);
    return shown && (() => bring(refusal));
  });

  function entry(run) {
    const mine = run === state.run;
    const end = { finished: '', failed: 'refused', stopped: 'stopped' }[run.phase] ?? 'running';
    const written = visible(textAt({ ...run, steps: kept(run.steps) }, kept(run.steps).length));
    return [h('button', { type: 'button', class: 'run-entry', 'aria-current': mine ? 'true' : null, onclick: () => recall(run) },
      run.parent ? [h('b', null, stepName(run.at)), ' ', chip(run.token, run.parent.steps[run.at]?.mode ?? 'text')] : h('b', null, 'First run'),
      h('span', { class: 'mono' }, written), h('span', { class: 'aside' }, end || `${count(run.steps.length)} steps`)),
    !mine && family.length > 2 && h('button', { type: 'button', class: 'button small', 'aria-pressed': String(run === other),
      onclick: () => { other = run; store.commit('run select'); } }, 'Compare')];
  }

  /** The runs in the order of the tree: each followed by its branches. */
  const tree = parent => family.filter(run => (run.parent && family.includes(run.parent) ? run.parent : null) === parent)
    .flatMap(run => [run, ...tree(run)]);
  const depth = run => (run.parent && family.includes(run.parent) ? 1 + depth(run.parent) : 0);
  const name = run => (run.parent ? `${stepName(run.at)} ${visible(run.token)}` : 'First run');

  return { element, take };
}

/** The tokens of a run's first steps that its host did not write. */
const own = (run, count) => run.steps.slice(0, count).filter(step => step.writer !== 'host').map(step => step.token_id);
