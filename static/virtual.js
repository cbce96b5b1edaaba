// A long list of rows of one height, of which only those in sight exist.

import { h } from './dom.js';
import { inSight } from './sight.js';

const AROUND = 8; // rows above and below what is seen
const ALL = 120; // so many rows are simply there, as high as they need

/** `row(item, index)` makes an element; `usual` is a row's height in pixels where there are many, unless its style says --row. */
export function virtual(frame, usual, row) {
  const space = h('div', { class: 'virtual', role: 'list' });
  frame.append(space);
  let items = [], first = -1, last = -1, tall = 0;

  function paint() {
    if (items.length <= ALL) return;
    const height = parseFloat(getComputedStyle(space).getPropertyValue('--row')) || usual;
    space.style.height = `${items.length * height}px`;
    const [from, to] = inSight(frame.scrollTop, frame.clientHeight || 600, height, items.length, AROUND);
    if (from === first && to === last && height === tall) return;
    [first, last, tall] = [from, to, height];
    space.replaceChildren(...items.slice(from, to).map((item, index) => {
      const element = row(item, from + index);
      element.style.top = `${(from + index) * height}px`;
      return element;
    }));
  }

  frame.addEventListener('scroll', paint, { passive: true });
  new ResizeObserver(paint).observe(frame);

  return {
    show(list) {
      items = list;
      [first, last] = [-1, -1];
      const many = items.length > ALL;
      space.classList.toggle('many', many);
      if (many) return paint();
      space.style.height = '';
      return space.replaceChildren(...items.map(row));
    },
  };
}
