// Results that a host wrote into an answer: where one begins, and what it says.

/** How many characters the answer had before a step, as the server counts them. */
export const place = (run, at) => [...run.steps[at].text].length;

/** The first step of the host's result that a step is of; null where it is of none. */
export function resultStart(steps, index) {
  const isResult = step => step?.writer === 'host' && step.mode === 'result';
  if (!isResult(steps[index])) return null;
  return steps.findLastIndex((step, at) => at < index && !isResult(step)) + 1;
}

/** The result that a step is of, without what stands around it; null where it is of none. */
export function resultOf(run, index) {
  const at = resultStart(run.steps, index);
  if (at == null) return null;
  const call = run.calls.findLast(one => one.end <= place(run, at));
  return call?.result ?? run.steps[at].token;
}
