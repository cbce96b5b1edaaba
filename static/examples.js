// The bar of examples: each fills tools, question and settings, and shows its recorded run.

import { button, h, icon, put, say } from './dom.js';
import { isOwn } from './draft.js';

const FADED = 44; // pixels of the bar's edges that more examples stand behind

export function mount(element, { store, actions, draft }) {
  const { examples } = store.state.options;
  const buttons = examples.map(example => h('button', {
    type: 'button', class: 'example', 'data-example': example.id, onclick: () => actions.load(example),
  }, h('span', null, example.title), ' ', h('small', null, example.subtitle)));
  const yours = h('button', { type: 'button', class: 'example', 'data-example': 'yours', hidden: true, onclick: actions.restore },
    h('span', null, 'Yours'), ' ', h('small', null, 'what you typed'));
  const row = h('div', { class: 'row', onscroll: edge }, yours, buttons);
  const all = button('', 'All', { class: 'button small all', 'aria-expanded': 'false', onclick: () => {
    all.setAttribute('aria-expanded', String(element.classList.toggle('open')));
    edge();
  } }, icon('next'));
  put(element, h('span', { class: 'label' }, 'Examples'), row, all);
  new ResizeObserver(edge).observe(row);

  /** Whether more stands behind each edge, and how many there are in all. */
  function edge() {
    const open = element.classList.contains('open');
    row.classList.toggle('before', row.scrollLeft > 4);
    row.classList.toggle('more', row.scrollLeft + row.clientWidth < row.scrollWidth - 4);
    all.hidden = !open && row.scrollWidth <= row.clientWidth + 4;
    say(all.querySelector('span'), open ? 'Fewer' : `All ${buttons.filter(one => !one.hidden).length}`);
  }

  /** Those of the view that is open; a view without any shows the first view's. */
  store.on('view', ({ view }) => {
    const of = example => example.view ?? 'trace';
    const place = examples.some(example => of(example) === view) ? view : 'trace';
    examples.forEach((example, index) => { buttons[index].hidden = of(example) !== place; });
    return edge;
  });
  store.on('inputs questions', state => {
    const { example, inputs } = state;
    const own = isOwn(state);
    yours.hidden = own || !draft.kept;
    examples.forEach((one, index) => {
      const same = one === example && one.tools === inputs.tools && one.question === inputs.question;
      buttons[index].setAttribute('aria-pressed', String(same));
    });
    return () => intoSight(buttons[examples.indexOf(example)]);
  });

  /** The bar alone is scrolled, as far as is needed. */
  function intoSight(one) {
    if (one?.getAttribute('aria-pressed') !== 'true') return;
    const [own, room] = [one, row].map(part => part.getBoundingClientRect());
    row.scrollLeft += Math.max(0, own.right + FADED - room.right) - Math.max(0, room.left + FADED - own.left);
  }
}
