// What the page knows when it opens.

import { USUAL } from './defaults.js';
import { emptyRun } from './runs.js';

export const initialState = options => ({
  options,
  view: 'trace',
  inputs: inputsOf({}, options),
  example: null, linked: null, cut: null,
  machine: null, picture: null, marker: null, warnings: [], stale: false, reading: false,
  run: emptyRun(), selected: -1, following: true,
  box: null, pinned: false, closed: false, opened: [], unfolded: [],
  error: null, lanes: null,
  base: '', changes: null,
  check: null, questions: '', fights: null,
});

/** All inputs, as an example or a link gives them; what it doesn't tell is usual. */
export function inputsOf(given, options) {
  const usual = {
    tools: '', tools_format: 'auto', question: '', scheme: options.schemes[0]?.value, start: 'text', model: options.model,
    ...USUAL, quote: false, search: false, values: {}, method: 'guided', temperature: 0, top_p: 1, top_k: 0, seed: 0,
  };
  return Object.fromEntries(Object.entries(usual).map(([name, value]) => [name, structuredClone(given[name] ?? value)]));
}
