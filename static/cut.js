// A word on a link that was cut on its way, until something is changed or it is closed.

import { button, h, icon, put } from './dom.js';

export function mount(element, { store }) {
  const close = () => {
    store.state.cut = null;
    store.commit('cut');
  };
  store.on('cut', ({ cut }) => {
    element.hidden = !cut;
    put(element, cut && [h('span', { class: 'sign warning' }, icon('warning')),
      h('p', null, h('b', null, 'This link is incomplete'), `: its tools and its question can’t be read. Shown instead: ${cut}. `,
        h('span', { class: 'fix' }, 'Fix: copy the whole link again, to its last letter')),
      button('close', '', { class: 'button square small', label: 'Close', onclick: close })]);
  });
  store.on('inputs', ({ cut }) => { if (cut) close(); });
}
