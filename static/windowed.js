// The rows of a table. Of a long one only those near what is seen exist, and two rows keep the room of the others.

import { h } from './dom.js';
import { inSight } from './sight.js';

const ALL = 500; // so many rows are simply there
const AROUND = 30; // rows above and below what is seen

/** `make(index)` makes a row of the table in `scroll`; `columns` is how many cells it has. */
export function windowed(scroll, table, body, columns, make) {
  const room = () => h('tr', { 'aria-hidden': 'true', class: 'room' }, h('td', { colspan: columns }));
  const above = room(), below = room();
  let rows = new Map(), count = 0, height = 32, chosen = -1;
  let seen = { top: 0, size: 800 }; // what was measured last: to ask while others write would lay out the page

  const long = () => count > ALL;

  function made(index) {
    const row = make(index);
    if (index === chosen) row.setAttribute('aria-current', 'step');
    if (long()) row.setAttribute('aria-rowindex', index + 2);
    return row;
  }

  /** Have those rows that are to exist; of `all` of a long table none is left out. */
  function paint(all = false) {
    const some = long() && !all;
    const [from, to] = some ? inSight(seen.top, seen.size, height, count, AROUND) : [0, count];
    const next = new Map();
    for (let index = from; index < to; index += 1) next.set(index, rows.get(index) ?? made(index));
    const added = [...next].filter(([index]) => !rows.has(index)).map(([, row]) => row);
    const grows = !some && !above.isConnected && [...rows.keys()].every((index, at) => index === at); // the usual case: more steps
    rows = next;
    above.firstChild.style.height = `${from * height}px`;
    below.firstChild.style.height = `${(count - to) * height}px`;
    if (grows) body.append(...added);
    else if (added.length || !some || rows.size + 2 !== body.children.length) {
      body.replaceChildren(...(some ? [above] : []), ...rows.values(), ...(some ? [below] : []));
    }
  }

  function measure() {
    seen = { top: scroll.scrollTop, size: scroll.clientHeight };
    height = rows.values().next().value?.offsetHeight || height;
  }

  function look() {
    measure();
    if (long()) paint();
  }

  scroll.addEventListener('scroll', look, { passive: true });
  new ResizeObserver(look).observe(scroll);
  addEventListener('beforeprint', () => { if (long()) paint(true); });
  addEventListener('afterprint', look);

  return {
    /** There are `total` rows; those from `changed` on are made anew. */
    show(total, changed) {
      for (const [index, row] of rows) {
        if (index >= changed) {
          row.remove();
          rows.delete(index);
        }
      }
      count = total;
      if (long()) table.setAttribute('aria-rowcount', count + 1);
      else table.removeAttribute('aria-rowcount');
      if (!count) seen.top = 0;
      paint();
    },

    /** Choose a row; gives what brings it into sight, within the table only. */
    choose(index) {
      rows.get(chosen)?.removeAttribute('aria-current');
      chosen = index;
      rows.get(chosen)?.setAttribute('aria-current', 'step');
      return () => {
        measure();
        const head = table.tHead.offsetHeight;
        const [top, bottom] = [index * height, head + (index + 1) * height];
        if (top < scroll.scrollTop) scroll.scrollTop = top;
        else if (bottom > scroll.scrollTop + scroll.clientHeight) scroll.scrollTop = bottom - scroll.clientHeight;
        look();
      };
    },
  };
}
