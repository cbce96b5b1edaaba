// Answers that are written anew: which tokens still stand, and where two runs part.

const PARTIAL = /⟨[0-9A-F ]+⟩/; // a token that is no complete UTF-8 text

/** Whether a step's token still stands in a later text. */
function stands(step, text) {
  const before = step.text.replace(/\uFFFD+$/, '');
  return text.startsWith(PARTIAL.test(step.token) || step.text !== before ? before : before + step.token) && text.length >= step.text.length;
}

/** The first `count` steps whose tokens haven't been taken back by then. */
export function kept(steps, count = steps.length) {
  const standing = [];
  for (const step of steps.slice(0, count)) {
    while (standing.length && !stands(standing.at(-1), step.text)) standing.pop();
    standing.push(step);
  }
  return standing;
}

/** Where an answer is written anew: the steps whose text isn't the one before and its token. */
const breaks = steps => steps.map((_, index) => index).filter(index => index && !stands(steps[index - 1], steps[index].text));

const known = new WeakMap(); // of each run, until more of it is known

/** For each step the run as it stood until the answer was next written anew: only steps whose tokens follow each other. */
export function stretches(run) {
  const facts = [run.steps.length, run.phase, run.end, run.marker].join(' ');
  if (known.get(run)?.facts === facts) return known.get(run).stretch;
  const ends = [...breaks(run.steps), run.steps.length];
  const made = new Map();
  const stretch = index => {
    const end = ends.find(one => one > index) ?? run.steps.length;
    if (!made.has(end)) made.set(end, { ...run, steps: kept(run.steps, end), last: end === run.steps.length });
    return made.get(end);
  };
  known.set(run, { facts, stretch });
  return stretch;
}

/** The steps whose tokens were taken back, as a set of their indices. */
export function takenBack(steps) {
  const standing = new Set(kept(steps).map(step => step.index));
  return new Set(steps.map(step => step.index).filter(index => !standing.has(index)));
}

/** The first step at which a run chose another token than the one it is compared with; -1 where there is none. */
export function firstDifference(steps, others) {
  const longest = Math.max(steps.length, others.length);
  for (let index = 0; index < longest; index += 1) {
    const [one, other] = [steps[index], others[index]];
    if (one?.token_id !== other?.token_id || one?.text !== other?.text) return index;
  }
  return -1;
}
