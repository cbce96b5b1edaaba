// A part whose height changes from step to step: what stands below it stays where it is seen.

const column = matchMedia('(max-width: 1160px)');
const anchored = () => getComputedStyle(document.documentElement).overflowAnchor === 'auto'; // then the browser sees to it; Safari doesn't

/** Before a part is written anew: gives what is to be done afterwards, which scrolls the page where the part ends above its middle. */
export function steady(part) {
  if (!column.matches || anchored()) return null;
  const before = part.offsetHeight;
  return () => {
    const { top, height } = part.getBoundingClientRect();
    if (before && height && top + before < innerHeight / 2) scrollBy(0, height - before);
  };
}
