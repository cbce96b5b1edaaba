// Boxes of the graph that somebody opens or folds: it is drawn again, and a run's steps find their places in it.

import { button, h } from './dom.js';
import { plural } from './tokens.js';

/** Whether a click on a box draws more of the machine: its submachine, or the tools that are folded below it. */
export const opens = box => box != null && (box.hidden > 0 || Boolean(box.opens && !box.open));

/** Whether what a box holds is drawn and can be folded. */
export const folds = (box, { unfolded }) => box != null && (box.open || (box.kind === 'name' && unfolded.includes(box.entered)));

const LIVE = { message: 'no box is opened or folded while steps come', fix: 'stop the run, or wait for its end' };
const TURNING = { message: 'another box is being drawn', fix: 'click again when it is there' };
const SILENT = { message: 'the server did not answer', fix: 'click again, or reload the page' };

/** `tell(error, place)` says why a box can't be turned, at the place of the window where that was asked for. */
export function createOpening({ store, ask, request, tell }) {
  const { state } = store;
  let turning = false; // one at a time: each picture is drawn from the one before

  /** What is open, and what is unfolded, when a box has been turned. */
  function turned(box) {
    if (box.parameter != null) {
      const others = state.opened.filter(([tool, parameter]) => tool !== box.tool || parameter !== box.parameter);
      return { opened: [...others, [box.tool, box.parameter, !box.open]] };
    }
    const outside = state.unfolded.filter(entered => !entered.startsWith(box.entered));
    return { unfolded: box.hidden > 0 ? [...state.unfolded, box.entered] : outside };
  }

  /** Open a box, or fold it. While steps come nothing is drawn again for it. */
  async function turn(id, place) {
    const { run, picture } = state;
    const box = picture.boxes.find(one => one.id === id);
    if (!(opens(box) || folds(box, state))) return;
    if (turning || store.live()) {
      tell(turning ? TURNING : LIVE, place);
      return;
    }
    const was = { opened: state.opened, unfolded: state.unfolded };
    const steps = (run.uprooted ? [] : run.steps).map(({ token_id, writer, state: from, next_state, whole, valid }) => (
      { token_id, writer, state: from, next_state, valid: whole ? [] : valid.map(one => one.token_id) }));
    Object.assign(state, turned(box));
    const now = request();
    const { direction, opened, unfolded } = now;
    turning = true;
    const message = await ask({ ...now, ...(steps.length ? run.request : {}), direction, opened, unfolded, ask: 'draw', steps })
      .catch(() => ({ kind: 'error', error: SILENT }));
    turning = false;
    if (state.picture !== picture || run !== state.run) return; // another machine, or another run, stands there by now
    if (message?.kind === 'machine') redraw(message, box);
    else Object.assign(state, was);
    if (message?.kind === 'error') tell({ ...message.error, partly: 'The box stays as it was.' }, place);
  }

  function redraw({ picture, places = [] }, looked) {
    const same = one => ['kind', 'tool', 'parameter', 'entered'].every(name => one[name] === looked[name]);
    places.forEach((place, index) => Object.assign(state.run.steps[index], place));
    Object.assign(state, { picture, box: picture.boxes.find(same)?.id ?? null });
    store.commit('machine run select box');
  }

  return { turn };
}

/** What of a box is drawn, and a button for the rest of it; nothing where there is no rest. */
export function drawing(box, state, turn) {
  const disabled = state.run.phase === 'waiting' || state.run.phase === 'streaming';
  const act = (label, title) => button('', label, { class: 'button small turn', title: disabled ? 'When the run has ended' : title, disabled,
    onclick: event => turn(box.id, event.currentTarget.getBoundingClientRect()) });
  const fold = () => act('Fold', 'Draw one box for all of it');
  if (box.submachine != null) {
    const size = `${box.submachine}, ${plural(box.states, 'state')}`;
    return [size, ' ', box.open ? fold() : box.opens ? act('Open', 'Draw its states') : h('span', { class: 'aside' }, 'too many to be drawn')];
  }
  if (box.hidden > 0) return [`${plural(box.hidden, 'tool')} folded`, ' ', act('Unfold', 'Draw more of them')];
  return folds(box, state) && ['unfolded ', fold()];
}
