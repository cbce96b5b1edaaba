// What the page knows. Views read `store.state`, act through the functions below, and listen to topics:
// view, inputs, machine, run (steps, phase), select (the step), box (the state looked at), error, cut, check, fights.

import { usualAgain } from './defaults.js';
import { emptyRun, learned, machineKey, uproot } from './runs.js';
import { createTopics } from './topics.js';
import { initialState } from './state.js';

export function createStore(options) {
  const state = initialState(options);
  const { on, touch, commit, soon } = createTopics(state);

  const key = () => machineKey(state.inputs);
  const live = () => state.run.phase === 'waiting' || state.run.phase === 'streaming';
  let drawn = null; // the key of the machine that is shown
  const isStale = of => state.picture != null && drawn !== of;

  function change(values) {
    Object.assign(state.inputs, usualAgain(state.example, state.inputs, values.model));
    Object.assign(state.inputs, values);
    if (state.error?.ofRun) { state.error = null; touch('error run'); } // what a run complained of may be right now
    commit('inputs');
  }

  /** Open a view. */
  function show(view) {
    state.view = view;
    commit('view');
  }

  function select(index) {
    const last = state.run.steps.length - 1;
    state.selected = Math.max(-1, Math.min(index, last));
    state.following = live() && state.selected === last;
    if (!state.pinned) state.box = null;
    commit('select box');
  }

  function inspect(box) {
    Object.assign(state, { box, closed: false });
    commit('box');
  }

  function clearRun(phase) {
    state.run = { ...emptyRun(), phase, key: key(), request: structuredClone(state.inputs) };
    Object.assign(state, { selected: -1, following: true, box: null, pinned: false });
    touch('run select box');
  }

  /** A run begins; a branch says `from` where: {parent, at, token, request, key}. */
  function begin(from) {
    clearRun('waiting');
    Object.assign(state.run, from);
    state.error = null;
    commit('error');
  }

  function stop() {
    if (!live()) return;
    Object.assign(state.run, { phase: 'stopped', end: 'stopped' });
    state.following = false;
    commit('run select');
  }

  /** Messages of a run, as playground.run() sends them. */
  const TAKE = {
    start(message) {
      Object.assign(state.run, { phase: 'streaming', model: message.model });
      learn(message, state.run.key);
      state.run.marker = state.marker;
    },
    queue(message) { state.run.queue = message.position; },
    step(message) {
      if (state.run.phase !== 'streaming') return;
      state.run.steps.push({ ...message.step, index: state.run.steps.length });
      if (state.following) {
        state.selected = state.run.steps.length - 1;
        if (!state.pinned) state.box = null;
      }
    },
    picture(message) {
      state.picture = message.picture;
      touch('machine');
    },
    end(message) {
      Object.assign(state.run, { ...message, phase: message.end === 'stopped' ? 'stopped' : 'finished' });
      state.following = false;
    },
    error(message) {
      state.run.phase = 'failed';
      fail({ ...message.error, ofRun: true, ofBranch: state.run.parent != null }, state.run.key);
    },
  };

  function take(messages) {
    for (const message of messages) {
      if (live()) TAKE[message.kind]?.(message);
    }
    soon('run select box');
  }

  /** A recorded run, at the step where the mask did most, or where the example says. */
  function replay(messages) {
    clearRun('waiting');
    take(messages);
    const { steps } = state.run;
    const most = steps.reduce((best, step, index) => (step.mass_kept < steps[best].mass_kept ? index : best), 0);
    select(state.example?.step ?? most);
  }

  function learn(message, of = key()) {
    drawn = of;
    const complaint = state.error?.ofRun && { error: state.error }; // it stands until what it names has changed
    Object.assign(state, learned(message, state), complaint);
    touch('machine error');
  }

  function fail(error, of = key()) {
    Object.assign(state, { error, stale: isStale(of) });
    touch('machine error');
  }

  /** A machine that was drawn for the inputs; a trace of another one goes, if it wasn't made while they changed. */
  function draw(message) {
    if (live()) return;
    const own = state.run.key === key() && !state.run.uprooted;
    if (message.kind === 'error') fail(message.error);
    else if (own && state.run.steps.length) learn({ ...message, picture: null });
    else {
      if (state.run.overtaken === key()) uproot(state.run);
      else if (!own || state.run.phase !== 'failed') clearRun('empty');
      learn(message);
    }
    commit('run');
  }

  /** The inputs are no longer those of the machine that is shown. */
  function outdate() {
    state.stale = isStale(key());
    commit('machine');
  }

  function reading(now) {
    if (state.reading === now) return;
    state.reading = now;
    commit('run');
  }

  return { state, on, show, reading, outdate, commit, change, select, inspect, begin, stop, take, replay, draw, live, machineKey: key };
}
