// The page's usual settings, and when they come back.

export const USUAL = { documentation: true, reveal: false, results: true, max_tokens: 256 };

/** What only suited an example goes back to usual where a visitor takes another model than the example's. */
export function usualAgain(example, inputs, model) {
  if (!example || model === undefined || model === example.model) return {};
  const kept = Object.keys(USUAL).filter(name => inputs[name] === example[name]);
  return Object.fromEntries(kept.map(name => [name, USUAL[name]]));
}
