// The bar of examples: each fills tools, question and settings, and shows its recorded run.

import { h, put } from './dom.js';
import { isOwn } from './draft.js';

export function mount(element, { store, actions, draft }) {
  const { examples } = store.state.options;
  const buttons = examples.map(example => h('button', {
    type: 'button', class: 'example', 'data-example': example.id, onclick: () => actions.load(example),
  }, h('span', null, example.title), ' ', h('small', null, example.subtitle)));
  const yours = h('button', { type: 'button', class: 'example', 'data-example': 'yours', hidden: true, onclick: actions.restore },
    h('span', null, 'Yours'), ' ', h('small', null, 'what you typed'));
  const row = h('div', { class: 'row' }, yours, buttons);
  put(element, h('span', { class: 'label' }, 'Examples'), row);

  /** Those of the view that is open; a view without any shows the first view's. */
  store.on('view', ({ view }) => {
    const of = example => example.view ?? 'trace';
    const place = examples.some(example => of(example) === view) ? view : 'trace';
    examples.forEach((example, index) => { buttons[index].hidden = of(example) !== place; });
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
    row.scrollLeft += Math.max(0, own.right + 4 - room.right) - Math.max(0, room.left - own.left + 4);
  }
}
