// What a visitor makes of the page, kept in this tab: a reload brings it back, and no example loses what was typed.

import { waysOf } from './compare-state.js';
import { fitting, readLanes } from './share.js';
import { inputsOf } from './state.js';

const KEPT = 'tooldec-typed';
const PAUSE = 400; // milliseconds of no typing

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Whether tools, question or questions are the visitor's own, not those of an example or a link. */
export function isOwn({ example, linked, inputs, questions }) {
  const given = { tools: '', question: '', questions: '', ...(example ?? linked) };
  return inputs.tools !== given.tools || inputs.question !== given.question || questions !== given.questions;
}

/** Whether an example stands there as it was given, with its settings and its ways. */
export const isUntouched = ({ example, inputs, questions, lanes, options }) => example != null && !isOwn({ example, inputs, questions })
  && same(inputs, inputsOf(example, options)) && (!example.lanes || same(lanes, waysOf(example.lanes)));

/**
 * `draft.kept` is what was typed last, or null; `draft.last` what stood there at the end. Both are
 * {example, linked, inputs, questions, lanes}: `example` is the id of the one it came from, which alone is kept of one that
 * nobody touched; `linked` tells that the texts are a link's.
 */
export function createDraft(store) {
  const { state } = store;
  const draft = { ...read(state.inputs), keep, leave };
  let timer = null;

  /** Keep what was typed: something else comes in its place. */
  function leave() {
    clearTimeout(timer);
    if (isOwn(state)) draft.kept = now();
  }

  /** Keep what stands there, for a reload. */
  function keep() {
    leave();
    draft.last = isUntouched(state) ? { example: state.example.id } : isOwn(state) ? draft.kept : now();
    write(draft);
  }

  function now() {
    const { example, linked, inputs, questions, lanes } = state;
    return { example: example?.id, linked: linked != null && !isOwn(state), inputs: structuredClone(inputs), questions, lanes };
  }

  store.on('inputs questions lanes', () => {
    clearTimeout(timer);
    timer = setTimeout(keep, PAUSE);
  });
  addEventListener('pagehide', keep);
  return draft;
}

function read(like) {
  try {
    const { kept, last } = JSON.parse(sessionStorage.getItem(KEPT));
    const known = checked(kept, like);
    return { kept: known?.inputs ? known : null, last: last === 'kept' ? known : checked(last, like) };
  } catch {
    return { kept: null, last: null };
  }
}

function checked(given, like) {
  if (!given) return null;
  const { example, linked, inputs, questions, lanes } = given;
  return inputs ? { example, linked: linked === true, inputs: fitting(inputs, like), questions: String(questions), lanes: readLanes(lanes) } : { example };
}

function write({ kept, last }) {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify({ kept, last: last === kept ? 'kept' : last })); // a text is written once
  } catch { /* too large, or a private window: it is kept until the page is left */ }
}
