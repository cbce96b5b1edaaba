// The answer cut into pieces, each with the mode that its underline shows.

const CLOSING = /(\)=?|\}+\s*(<\/[^<>]*>)?\s*)$/;

/** Where the text stands before step `index` and after the last one. */
export function textAt(run, index) {
  const { steps } = run;
  if (index < steps.length) return steps[index].text;
  const last = steps.at(-1);
  if (!last) return '';
  return last.text + (last.end === 'eos' ? '' : last.token);
}

const cut = new WeakMap(); // what has been cut

/**
 * The pieces [{start, end, kind}] of the text after all steps, in order.
 * "Its area is <T>square(5)" → text to 12, name to 22 (`<T>square(`), argument to 23, name to 24.
 */
export function segments(run) {
  if (cut.get(run)?.steps !== run.steps.length) cut.set(run, { steps: run.steps.length, pieces: cutUp(run) });
  return cut.get(run).pieces;
}

function cutUp(run) {
  const { steps } = run;
  const pieces = [];
  let at = textAt(run, 0).length;
  if (at) pieces.push({ start: 0, end: at, kind: 'text' });
  steps.forEach((step, index) => {
    const end = Math.max(at, textAt(run, index + 1).length);
    const next = steps[index + 1];
    const text = textAt(run, index + 1).slice(at, end);
    const injected = step.writer === 'host' && (step.mode === 'text' || (step.mode === 'name' && !step.tool));
    const kind = injected ? 'result' : step.mode === 'end' ? 'text' : step.mode;
    const call = kind === 'text' && next && next.mode === 'name' ? callStart(run, end) : -1;
    if (call >= 0) {
      markCall(pieces, at, end, call);
    } else if (kind === 'name' && text.includes('(') && !text.endsWith('(')) {
      const cut = at + text.indexOf('(') + 1;
      pieces.push({ start: at, end: cut, kind }, { start: cut, end, kind: 'argument' });
    } else if (kind === 'argument' && leaves(step, next) && CLOSING.test(text)) {
      const cut = end - CLOSING.exec(text)[0].length;
      pieces.push({ start: at, end: cut, kind }, { start: cut, end, kind: 'name' });
    } else {
      pieces.push({ start: at, end, kind });
    }
    at = end;
  });
  return merged(pieces.filter(piece => piece.end > piece.start));
}

/** Where the call begins whose marker has just been completed; -1 where none is seen. */
function callStart(run, end) {
  const from = run.marker ? textAt(run, run.steps.length).lastIndexOf(run.marker, end - 1) : -1;
  return from >= 0 && end - from < run.marker.length + 24 ? from : -1;
}

const leaves = (step, next) => (next ? next.mode !== 'argument' : step.end != null && step.end !== 'limit');

/** A marker may be spelled by several tokens: then earlier pieces belong to the call, too. */
function markCall(pieces, at, end, start) {
  if (start > at) pieces.push({ start: at, end: start, kind: 'text' });
  pieces.push({ start: Math.max(at, start), end, kind: 'name' });
  for (let index = pieces.length - 2; index >= 0 && pieces[index].start >= start; index -= 1) {
    if (pieces[index].kind === 'text') pieces[index].kind = 'name';
  }
}

/** Neighbours of one kind become one piece. */
function merged(pieces) {
  const list = [];
  for (const piece of pieces) {
    const last = list.at(-1);
    if (last?.kind === piece.kind && last.end === piece.start) last.end = piece.end;
    else list.push({ ...piece });
  }
  return list;
}

/** The pieces, cut at `from` and `to`; what lies between gets the values of `change`. */
export function recut(list, from, to, change) {
  if (!(to > from)) return list;
  return list.flatMap(piece => {
    const [start, end] = [Math.max(piece.start, from), Math.min(piece.end, to)];
    if (start >= end) return [piece];
    return [{ ...piece, end: start }, { ...piece, start, end, ...change }, { ...piece, start: end }].filter(one => one.end > one.start);
  });
}

/** The pieces with what makes a call invalid in pieces of its own. */
export const wronged = (list, error) => (error ? recut(list, ...(error.fault ?? [error.start, error.end]), { wrong: true }) : list);
