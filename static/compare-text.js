// A run's answer in pieces: its call, arguments, results and fault marked, also where no machine told them apart.

import { parted } from './breaks.js';
import { h } from './dom.js';
import { kept } from './rewrites.js';
import { isGuided } from './runs.js';
import { recut, segments, textAt, wronged } from './segments.js';

const ARGUMENTS = /\(|"(?:arguments|parameters)"\s*:\s*|\nAction Input:\s*/; // what stands before the arguments of a call
const THOUGHT = /^Thought:[^]*?\nAction: ?/; // ReAct's calls begin with their thought
const CLOSING = /\)=?$|\}?\s*<\/[^<>]*>$/;

/** {text, pieces} of the answer that stands; `pieces` are [{start, end, kind, wrong}]. */
export function answerOf({ run, way }) {
  const own = { ...run, steps: kept(run.steps) };
  const text = textAt(own, own.steps.length);
  let pieces = segments(own);
  if (!isGuided(way)) spans(text, run).forEach(span => { pieces = marked(pieces, text, span); });
  return { text, pieces: wronged(pieces, run.call_error) };
}

/** Where the calls stand, the wrong one included, as [start, end]. */
function spans(text, { calls, call_error: error }) {
  const right = (calls ?? []).map(call => [call.start, call.end]);
  if (!error || error.end <= error.start) return right;
  const close = ['name', 'illegal_symbol'].includes(error.kind) ? /^[^)\n]*\)/.exec(text.slice(error.end)) : null;
  return [...right, [error.start, error.end + (close?.[0].length ?? 0)]];
}

function marked(pieces, text, [begin, end]) {
  const start = begin + (THOUGHT.exec(text.slice(begin, end))?.[0].length ?? 0);
  const call = text.slice(start, end);
  const opening = ARGUMENTS.exec(call);
  const from = opening ? start + opening.index + opening[0].length : end;
  const to = Math.max(from, end - (CLOSING.exec(call)?.[0].length ?? 0));
  const once = recut(pieces, start, from, { kind: 'name' });
  return recut(recut(once, from, to, { kind: 'argument' }), to, end, { kind: 'name' });
}

/** The answer as elements; ReAct's steps fold, all but the last. */
export function answerParts({ text, pieces }, live) {
  const span = ({ start, end, kind, wrong }) => {
    const blank = start === 0 ? text.length - text.trimStart().length : 0;
    const piece = h('span', { class: `piece mode-${kind}${wrong ? ' wrong' : ''}` }, parted(text.slice(Math.min(start + blank, end), end), kind));
    return kind === 'result' ? [h('wbr'), piece] : piece; // rather a new line than a broken word
  };
  const ends = reactSteps(text);
  if (ends.length < 2) return pieces.map(span);
  return ends.map((end, index) => {
    const [from, to] = [ends[index - 1] ?? 0, end];
    const mine = pieces.filter(piece => piece.start < to && piece.end > from)
      .map(piece => span({ ...piece, start: Math.max(piece.start, from), end: Math.min(piece.end, to) }));
    const name = /\nAction: ?([^\n]*)/.exec(text.slice(from, to))?.[1];
    return h('details', { class: 'react', open: live || index === ends.length - 1 },
      h('summary', null, `Step ${index + 1}`, name && [', ', h('code', { class: 'mono' }, name)]), mine);
  });
}

/** Where ReAct's steps end: behind each observation, and at the end. */
function reactSteps(text) {
  if (!text.startsWith('Thought:')) return [text.length];
  const ends = [...text.matchAll(/\nObservation:[^\n]*\n?/g)].map(match => match.index + match[0].length);
  return ends.at(-1) === text.length ? ends : [...ends, text.length];
}
