// What the comparison knows: its ways of answering, their runs, and the step that is looked at.

import { emptyRun, markerOf, outdatedWays, variedOf } from './runs.js';
import { createTopics } from './topics.js';

/** The ways to answer a question; `sets` is what a way fixes of a request. */
export const WAYS = {
  alone: { label: 'Without tools', about: 'the model answers alone', sets: { method: 'guided', start: 'none', documentation: false } },
  unguided: { label: 'Unguided', about: 'no mask', sets: { method: 'unguided' } },
  fuzzy: { label: 'Fuzzy names', about: 'a wrong name is replaced', sets: { method: 'fuzzy' } },
  backtrace: { label: 'Backtrace', about: 'a failed call is taken back', sets: { method: 'backtrace' } },
  guided: { label: 'Guided', about: 'ToolDec', sets: { method: 'guided' } },
  weighed: { label: 'Weighed', about: 'ToolDec, names as wholes', sets: { method: 'weighed' } },
  shortlist: { label: 'Shortlist', about: 'weighed, likeliest shown', sets: { method: 'weighed', documentation: false, reveal: true } },
  quoted: { label: 'Quoted', about: 'strings from the question', sets: { method: 'guided', quote: true } },
  searched: { label: 'Searched', about: 'arguments as wholes', sets: { method: 'guided', search: true } },
};
/** "Unguided, seed 3" */
export const nameOf = ({ way, temperature, seed }) => WAYS[way].label + (temperature > 0 ? `, seed ${seed}` : '');
export const MOST = 8;
export const USUAL = ['alone', 'unguided', 'backtrace', 'guided'];

const empty = given => ({ way: 'guided', temperature: 0, seed: 0, ...given, run: { ...emptyRun(), error: null }, messages: [], verdict: null });

/** The settings {way, temperature, seed} that an example's lane stands for. */
function wayOf({ way, method = 'guided', start, temperature = 0, seed = 0 }) {
  return { way: way ?? (start === 'none' ? 'alone' : method), temperature, seed };
}

/** The ways as a link or an example holds them; what is none is left out. */
export const waysOf = lanes => lanes.map(wayOf).filter(({ way, temperature, seed }) => way in WAYS && [temperature, seed].every(Number.isFinite)).slice(0, MOST);

export function createComparison() {
  const state = { lanes: [], phase: 'empty', chosen: null, tab: 0, following: true, error: null, queue: null, asked: null, shared: false };
  const { on, commit, soon } = createTopics(state);
  const live = () => state.phase === 'waiting' || state.phase === 'running';

  /** Choose the ways, `shared` by a link or not; runs that were there go. */
  function set(lanes, shared = false) {
    Object.assign(state, { lanes: lanes.map(lane => empty(wayOf(lane))), phase: 'empty', chosen: null, error: null, tab: 0, following: true, shared });
    commit('lanes run chosen');
  }

  /** Change one way; its run no longer fits and goes. */
  function change(index, values) {
    state.lanes = state.lanes.map((lane, at) => (at === index ? empty({ ...wayOf(lane), ...values }) : lane));
    Object.assign(state, { chosen: null, shared: false });
    commit('lanes run chosen');
  }

  const add = () => keep([...state.lanes, empty({ way: 'unguided', temperature: 1, seed: state.lanes.length })]);
  const remove = index => keep(state.lanes.filter((_, at) => at !== index));

  function keep(lanes) {
    Object.assign(state, { lanes, chosen: null, shared: false, tab: Math.min(state.tab, lanes.length - 1) });
    commit('lanes run chosen');
  }

  /** The runs begin; `asked` are the inputs. */
  function begin(asked) {
    set(state.lanes);
    state.asked = asked;
    state.phase = 'waiting';
    commit('run');
  }

  function stop() {
    if (!live()) return;
    state.phase = 'stopped';
    for (const { run } of state.lanes) if (run.phase === 'streaming') run.phase = 'stopped';
    commit('run');
  }

  const LANE = {
    start(run, message) { Object.assign(run, { phase: 'streaming', model: message.model, marker: markerOf(message.picture) }); },
    step(run, message) { run.steps.push({ ...message.step, index: run.steps.length }); },
    end(run, message) { Object.assign(run, message, { phase: 'finished' }); },
    error(run, message) { Object.assign(run, { phase: 'failed', error: message.error }); },
  };
  const TAKE = {
    queue({ position }) { state.queue = position; },
    lane({ lane, message }) {
      Object.assign(state, { phase: 'running', queue: null });
      if (state.following && state.tab !== lane) follow(lane);
      const one = state.lanes[lane];
      one?.messages.push(message);
      if (one) LANE[message.kind]?.(one.run, message);
    },
    verdict({ lane, kind, ...verdict }) { state.lanes[lane].verdict = verdict; },
    done() { state.phase = 'finished'; },
    error({ error }) { Object.assign(state, { phase: 'failed', error }); },
  };

  function take(messages) {
    for (const message of messages) if (live()) TAKE[message.kind]?.(message);
    soon('run');
  }

  /** A recorded comparison. */
  function replay(messages, asked) {
    Object.assign(state, { phase: 'waiting', asked });
    take(messages);
    commit('run');
  }

  /** Look at a step of a lane. */
  function choose(lane, index) {
    state.chosen = { lane, index };
    commit('chosen');
  }

  /** Which lane a small screen shows: the one that is running, until another is chosen. */
  function show(tab) {
    Object.assign(state, { tab, following: false });
    commit('lanes');
  }

  function follow(lane) {
    state.tab = lane;
    commit('lanes');
  }

  /** The lane that the others are compared with: the first guided one, or the first. */
  const reference = () => Math.max(0, state.lanes.findIndex(lane => lane.way === 'guided'));

  /** What the server is asked for each lane; what a way doesn't fix is the page's. */
  const requests = inputs => state.lanes.map(({ way, temperature, seed }) => ({
    ...variedOf(inputs), start: inputs.start === 'none' ? 'text' : inputs.start, ...WAYS[way].sets, temperature, seed }));

  /** Why the runs aren't those of these inputs, in words; '' where they are. */
  const outdated = inputs => (live() || !state.lanes.some(lane => lane.run.steps.length) ? '' : outdatedWays(state.asked, inputs, requests));

  return { state, on, commit, live, set, change, add, remove, begin, stop, take, replay, choose, show, reference, requests, outdated };
}
