// The panel of the state machine: the picture, its legend, zoom, and the state that is looked at.

import { button, h, put, say, svg } from './dom.js';
import { mark, number } from './marks.js';
import { opens } from './opening.js';
import { readPicture } from './picture.js';
import { drawings } from './places.js';
import { plural } from './tokens.js';
import { viewport } from './viewport.js';

const MANY = 150; // states of a picture that changes at once, as all do in a run: transitions would keep the browser from the next step

const LEGEND = {
  text: 'text mode', name: 'tool name', argument: 'argument', result: 'result', 'may-end': 'may end', pale: 'out of reach',
};

export function mount(element, { store, actions }) {
  const about = h('p', { class: 'aside' });
  const stale = h('span', { class: 'stale', hidden: true }, 'not updated');
  const scale = h('output', { class: 'scale', 'aria-label': 'Zoom', 'aria-live': 'off' }, '100 %');
  const frame = h('div', { id: 'state-graph', tabindex: '-1' });
  const empty = h('p', { class: 'nothing' }, 'Write tools to see their machine.');
  put(element,
    h('header', { class: 'panel-head' }, h('h2', null, 'State machine'), about, stale, h('div', { class: 'tools' },
      button('minus', '', { class: 'button square small', label: 'Zoom out', onclick: () => view.zoom(1 / 1.2) }), scale,
      button('plus', '', { class: 'button square small', label: 'Zoom in', onclick: () => view.zoom(1.2) }),
      button('fit', 'Fit', { class: 'button small', title: 'Show the whole machine', onclick: () => view.fit() }))),
    h('div', { class: 'canvas' }, frame, empty),
    h('ul', { class: 'legend' }, Object.entries(LEGEND).map(([kind, text]) => h('li', { class: `key-${kind}` }, key(kind), text))));

  const view = viewport(frame, k => say(scale, `${Math.round(k * 100)} %`), target => {
    const node = target.closest('g.node, g.cluster');
    if (node) look(node);
  });
  let picture = null, source = null, shown = 0, was = null;
  let hold = null; // what waits until all views have written

  /** Look at a state, and open it where something is folded in it. */
  function look(node) {
    const id = node.dataset.copy ?? node.id;
    const place = node.getBoundingClientRect();
    rove(node);
    store.inspect(id);
    if (opens(source.boxes.find(box => box.id === id))) actions.turn(id, place);
  }

  /** One state is the tab stop: the one that was looked at, or gone to, last. */
  function rove(node) {
    picture.boxes.forEach(one => one.setAttribute('tabindex', one === node ? '0' : '-1'));
  }

  function describe({ machine, picture: data }) {
    const { machine: one, tools, tool_count: count } = machine ?? {};
    const type = frame => frame.querySelector('text')?.textContent.split(' ')[0]; // "IntFSM side: int"
    const opened = picture && [...new Set([...picture.clusters.values()].map(type))];
    return one ? [one.states == null ? '' : `${plural(one.states, 'state')}, `, plural(count ?? tools?.length ?? 0, 'tool'),
      data?.collapsed ? `; ${plural(data.collapsed, 'tool')} folded` : '',
      opened?.length ? `; ${opened.join(', ')} opened` : ''].join('') : '';
  }

  /** The state that is looked at, where it has been drawn anew; `hold` is to fit the picture into its frame. */
  function draw(state) {
    const data = state.picture;
    stale.hidden = !state.stale;
    frame.classList.toggle('old', state.stale);
    empty.hidden = data != null;
    const before = source;
    const held = frame.contains(document.activeElement);
    if (data !== before) {
      source = data;
      picture = data && readPicture(data);
      if (!picture) put(frame);
    }
    say(about, describe(state));
    element.querySelector('.key-result').hidden = !picture?.svg.querySelector('.mode-result');
    if (data === before || !picture) return null;
    const drawn = picture, keep = before && state.run.steps.length > 0;
    shown = 0;
    const [looked] = state.box ? drawings(picture, state.box) : [];
    const next = looked && (picture.boxes.get(looked.id) ?? picture.boxes.get(`${looked.id}.0`));
    if (next) rove(next);
    hold = () => {
      view.hold(drawn, keep);
      if (next && held) next.focus({ preventScroll: true });
    };
    return looked;
  }

  function update(state) {
    if (!picture) return null;
    if (state.run.steps.length !== shown) {
      number(picture, state.run.steps);
      shown = state.run.steps.length;
    }
    const current = mark(picture, source, state);
    const step = state.run.steps[state.selected];
    const stepped = step !== was;
    was = step;
    return current && (() => view.reveal(current, !state.following, stepped));
  }

  store.on('machine run select box view', state => {
    if (state.view !== 'trace') return null; // what nobody sees is drawn when its view opens
    const looked = draw(state);
    const reveal = update(state);
    frame.classList.toggle('still', store.live() || picture?.boxes.size > MANY);
    return () => {
      hold?.();
      hold = null;
      if (looked) view.reveal(looked);
      else reveal?.();
    };
  });

  // Arrow keys go to the nearest state in their direction; Enter looks at it.
  frame.addEventListener('keydown', event => {
    const node = event.target.closest?.('g.node');
    if (!node) return;
    if (event.key === 'Enter' || event.key === ' ') look(node);
    else if (!go(node, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  });

  function go(node, name) {
    const along = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[name];
    if (!along) return false;
    const centre = one => { const box = one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
    const [x, y] = centre(node);
    let best = null, least = Infinity;
    for (const other of picture.boxes.values()) {
      const [u, v] = centre(other);
      const ahead = (u - x) * along[0] + (v - y) * along[1];
      const aside = Math.abs((u - x) * along[1]) + Math.abs((v - y) * along[0]);
      if (other !== node && ahead > 4 && ahead + 2 * aside < least) [best, least] = [other, ahead + 2 * aside];
    }
    if (best) {
      rove(best);
      best.focus({ preventScroll: true });
      view.reveal(best);
    }
    return true;
  }
}

function key(kind) {
  if (kind === 'pale') return svg('svg', { viewBox: '0 0 22 14', class: 'key wide' }, svg('path', { d: 'M0 7h22' }));
  return svg('svg', { viewBox: '0 0 16 16', class: `key mode-${kind === 'may-end' ? 'text' : kind}` },
    svg('circle', { cx: 8, cy: 8, r: 6 }), kind === 'may-end' && svg('circle', { cx: 8, cy: 8, r: 3.2 }));
}
