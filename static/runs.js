// What a run is before it begins, and what begins a call in it.

export const emptyRun = () => ({ phase: 'empty', steps: [], prefix: '', calls: [], notes: [], end: null, queue: null, model: null });

/** What begins a call: the label of the way out of text mode. */
export function markerOf(picture) {
  const text = picture?.boxes.find(box => box.kind === 'text');
  return picture?.edges.find(edge => edge.from === text?.id && edge.to !== text.id)?.label ?? null;
}
