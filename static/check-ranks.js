// What is told of a tool's rank: how its name is reached, where it stood before, whether it was expected.

import { count, probability, visible } from './tokens.js';

/** {path} in words; {bound} where a name is so improbable that nobody followed it. */
export function wayTo({ weight, path }, { lost, tools }) {
  if (tools < 2) return { path: 'only one tool' };
  if (weight) return { path: opinions(weight) };
  if (path.length) return { path: path.map(piece => `${visible(piece.token)} ${short(piece.probability)}`).join(' × ') };
  const bound = probability(Math.max(0.001, lost));
  return { path: `less likely than ${bound}: not computed`, bound };
}

/** What the mask alone makes of a name, its P in a heat, and how much likelier the question makes its words. */
function opinions([masked, lift, heat]) {
  const size = lift >= 1e6 ? lift.toExponential(0) : lift >= 100 ? count(Math.round(lift)) : lift.toPrecision(2);
  return `P̃ ${short(masked)} · ${heat < 1 ? `in a list of few ${short(heat)} · ` : ''}${size} × likelier`;
}

const short = value => (value > 0.9995 ? '1' : value < 0.0005 ? '.000' : value.toFixed(3).slice(1));

/** Where each tool stood before; one that has vanished lends its place to one that has come, if there is one of each. */
export function ranks(before, now) {
  const old = new Map(before.entries.map((one, rank) => [one.tool, { ...one, rank }]));
  const found = new Map(now.entries.filter(one => old.has(one.tool)).map(one => [one.tool, old.get(one.tool)]));
  const gone = before.entries.filter(one => !now.entries.some(other => other.tool === one.tool));
  const come = now.entries.filter(one => !old.has(one.tool));
  if (gone.length === 1 && come.length === 1) found.set(come[0].tool, old.get(gone[0].tool));
  return found;
}

/** The tool that the pasted questions expect for this one. */
export function expectation({ questions }, asked) {
  for (const line of questions.split('\n')) {
    const at = line.lastIndexOf('=>');
    if (at > 0 && line.slice(0, at).trim() === asked.trim()) return line.slice(at + 2).trim();
  }
  return null;
}
