// Which rows of a long list are in sight.

/** The rows [from, to) of one height that a frame shows where it is scrolled to, and so many `around` them. */
export function inSight(top, size, height, count, around) {
  const from = Math.min(Math.floor(top / height), count - 1) - around;
  return [Math.max(0, from), Math.min(count, Math.ceil((top + size) / height) + around)];
}
