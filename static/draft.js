// What a visitor has typed, kept in this tab: a reload brings it back, and no example loses it.

import { fitting } from './share.js';

const KEPT = 'tooldec-typed';
const PAUSE = 400; // milliseconds of no typing

/** Whether tools, question or questions are the visitor's own, not those of an example. */
export const isOwn = ({ example, inputs, questions }) => inputs.tools !== (example?.tools ?? '')
  || inputs.question !== (example?.question ?? '') || questions !== (example?.questions ?? '');

/** `draft.kept`: {inputs, questions} that were typed last, or null; `draft.shown`: whether they stood there at the end. */
export function createDraft(store) {
  const { state } = store;
  const draft = { ...read(state.inputs), keep, leave: () => keep(false) };
  let timer = null;

  /** Keep what stands there now, if it is somebody's own; `shown` is whether a reload brings it back by itself. */
  function keep(shown = true) {
    clearTimeout(timer);
    const own = isOwn(state);
    if (own) draft.kept = { inputs: structuredClone(state.inputs), questions: state.questions };
    draft.shown = shown && own;
    if (draft.kept) write(draft);
  }

  store.on('inputs questions', () => {
    clearTimeout(timer);
    timer = setTimeout(keep, PAUSE);
  });
  addEventListener('pagehide', () => keep());
  return draft;
}

function read(like) {
  try {
    const { inputs, questions, shown } = JSON.parse(sessionStorage.getItem(KEPT));
    return { kept: { inputs: fitting(inputs, like), questions: String(questions) }, shown: shown === true };
  } catch {
    return { kept: null, shown: false };
  }
}

function write({ kept, shown }) {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify({ ...kept, shown }));
  } catch { /* too large, or a private window: it is kept until the page is left */ }
}
