// The tag of states that were there before and have changed (Figure 3): what is new has its own from the server.

import { svg } from './dom.js';
import { frameOf, outer } from './places.js';

export function mount(element, { store }) {
  const frame = element.querySelector('#state-graph');

  store.on('machine run view', ({ changes }) => () => {
    frame.querySelectorAll('.changed-tag').forEach(one => one.remove());
    const changed = new Set(changes?.changed.map(outer));
    frame.querySelectorAll('g.node').forEach(node => { if (changed.has(node.dataset.copy ?? node.id)) tag(node); });
  });
}

function tag(node) {
  const below = node.querySelector('.subtitle');
  const { x, y, width, height } = frameOf(node);
  const line = below ? Number(below.getAttribute('y')) : y + height;
  node.append(svg('text', { class: 'subtitle tag changed-tag', x: x + width / 2, y: line + 13, 'text-anchor': 'middle' }, 'changed'));
}
