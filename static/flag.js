// The flag that tells the step at its state: above it, or where nothing else is written.

import { svg } from './dom.js';
import { frameOf } from './places.js';

const LETTER = 6.6; // the width of a letter in the picture
const HALF = 8.5; // half of the flag's height
const GAP = 3.5; // between the flag and the state's ring

const number = (element, name) => Number(element.getAttribute(name));

/** What is written in the picture and its states, as [left, top, right, bottom, element]. */
function parts(picture) {
  picture.parts ??= [
    ...[...picture.svg.querySelectorAll('.edge rect')].map(one => box(number(one, 'x'), number(one, 'y'), number(one, 'width'), number(one, 'height'), one)),
    ...[...picture.svg.querySelectorAll('.band text, .cluster text')].map(one => box(number(one, 'x'), number(one, 'y') - 10, one.textContent.length * LETTER, 13, one)),
    ...[...picture.boxes.values()].flatMap(node => {
      const { x, y, width, height } = frameOf(node);
      return [box(x, y, width, height, node), ...[...node.querySelectorAll('.subtitle')].map(one => line(one))];
    }),
  ];
  return picture.parts;
}

const box = (x, y, width, height, element) => [x, y, x + width, y + height, element];

function line(text) {
  const width = text.textContent.length * LETTER;
  const left = { right: 0, left: width }[['right', 'left'].find(side => text.classList.contains(side))] ?? width / 2;
  return box(number(text, 'x') - left, number(text, 'y') - 9, width, 12, text);
}

/** Middles of the places around a state, the best ones first; a loop and its label are above. */
function* places({ x, y, width, height }, wide, loops) {
  const [middle, up, down, near] = [x + width / 2, y - HALF - GAP, y + height + HALF + 7, wide / 2 + 4];
  const aside = [[x - near - GAP, y + height / 2], [x + width + near + GAP, y + height / 2]];
  if (!loops) yield [middle, up];
  yield [middle, down];
  if (!loops) yield* [[middle - near, up], [middle + near, up], [middle, up - 14]];
  yield* [[middle, down + 14], [middle, down + 28], [middle - near, down], [middle + near, down]];
  yield* aside;
  yield* aside.flatMap(([at, level]) => [[at, level - 14], [at, level + 14]]);
}

/** How much of the others a flag would cover, and how much of it would lie beyond the picture's edge. */
function covered([x, y], wide, others, { left, top, width, height }) {
  const own = [x - wide / 2 - 1, y - HALF - 1, x + wide / 2 + 1, y + HALF + 1];
  const shared = one => Math.max(0, Math.min(own[2], one[2]) - Math.max(own[0], one[0])) * Math.max(0, Math.min(own[3], one[3]) - Math.max(own[1], one[1]));
  return others.reduce((sum, one) => sum + shared(one), shared(own) - shared(box(left, top, width, height)));
}

/** Put a step's flag at a state. */
export function flag(picture, element, text, loops) {
  const wide = text.length * 7 + 12;
  const tags = [...element.querySelectorAll('.subtitle')].map(line);
  const others = [...parts(picture), ...tags];
  let best = null, least = Infinity;
  for (const place of places(frameOf(element), wide, loops)) {
    const sum = covered(place, wide, others, picture);
    if (sum < least) [best, least] = [place, sum];
    if (!sum) break;
  }
  const [x, y] = best;
  const group = svg('g', { class: 'flag' }, svg('rect', { x: x - wide / 2, y: y - HALF, width: wide, height: 2 * HALF, rx: 3 }),
    svg('text', { x, y: y + 4, 'text-anchor': 'middle' }, text));
  element.parentNode.append(group);
  return group;
}
