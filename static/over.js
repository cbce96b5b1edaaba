// What can be laid over the graph: what changed since older tools (Figure 3), and which states many questions visited.

import { outdatedFights } from './runs.js';
import { button, h, put, svg } from './dom.js';
import { drawings, frameOf } from './places.js';
import { heat } from './fighting.js';
import { count, ownName, plural } from './tokens.js';

export function mount(element, { store, actions }) {
  const { state } = store;
  const frame = element.querySelector('#state-graph');
  const told = h('p', { class: 'told', role: 'status', hidden: true });
  let marking = true, covering = false;
  const changed = button('', 'What changed', { class: 'button small', title: 'Mark what is new since the older tools', hidden: true, onclick: () => { marking = !marking; show(); } });
  const onward = button('', 'From here on', { class: 'button small', title: 'Compare with the tools as they are now', hidden: true, onclick: () => {
    Object.assign(state, { base: state.inputs.tools, changes: null });
    actions.draw();
  } });
  const coverage = button('', 'Coverage', { class: 'button small', title: 'Colour states by the visits of many questions', hidden: true, onclick: () => { covering = !covering; show(); } });
  const bar = h('div', { class: 'over' }, told, changed, onward, coverage);
  element.querySelector('.canvas').after(bar);

  store.on('machine fights run select box view', () => show);

  function show() {
    const { changes, fights, picture } = state;
    const visits = fights?.asked.length && !outdatedFights(fights, state.inputs) ? fights.visits : null;
    const any = changes && (changes.new.length || changes.changed.length || changes.gone.length);
    changed.hidden = onward.hidden = !any;
    coverage.hidden = !visits;
    bar.hidden = !any && !visits;
    changed.setAttribute('aria-pressed', String(Boolean(any && marking)));
    coverage.setAttribute('aria-pressed', String(Boolean(visits && covering)));
    frame.classList.toggle('changes', Boolean(any && marking));
    frame.classList.toggle('covering', Boolean(visits && covering));
    frame.querySelectorAll('.visits, .changed-tag').forEach(one => one.remove());
    frame.querySelectorAll('.altered').forEach(one => one.classList.remove('altered'));
    const drawn = frame.querySelector('svg') && picture ? parts(frame) : null;
    if (drawn && any && marking) changes.changed.forEach(id => drawings(drawn, id).forEach(alter));
    if (drawn && visits && covering) cover(drawn, visits, fights.asked.length);
    const words = visits && covering ? coverageWords(drawn, visits, fights) : any && marking ? changeWords(changes, picture) : '';
    told.hidden = !words;
    put(told, words);
  }
}

/** The picture's elements by id, as `places` wants them. */
function parts(frame) {
  const named = selector => new Map([...frame.querySelectorAll(selector)].map(one => [one.id, one]));
  const boxes = named('g.node');
  return { boxes, clusters: named('g.cluster'), edges: Map.groupBy(frame.querySelectorAll('g.edge'), one => one.id),
    copies: Map.groupBy([...boxes.values()].filter(one => one.dataset.copy), one => one.dataset.copy) };
}

/** Mark what was there before and has changed: on the line of its name, as the server marks what is new, where that has room. */
function alter(element) {
  element.classList.add('altered');
  if (!element.matches('g.node')) return;
  const name = element.querySelector('.subtitle');
  const side = ['right', 'left'].find(one => name?.classList.contains(one)) ?? '';
  if (name && !side && !name.matches('.inside')) {
    name.append(svg('tspan', { class: 'tag changed-tag' }, ' changed'));
    return;
  }
  const { x, y, width, height } = frameOf(element);
  element.append(svg('text', { class: `subtitle tag changed-tag ${side}`, x: side ? name.getAttribute('x') : x + width / 2,
    y: side ? Number(name.getAttribute('y')) + 12 : y + height + 13 }, 'changed'));
}

function cover(drawn, visits, asked) {
  for (const [id, element] of drawn.boxes) {
    const times = visits[element.dataset.copy ?? id] ?? 0;
    element.classList.remove('never', 'met-0', 'met-1', 'met-2', 'met-3', 'met-4');
    element.classList.add(times ? `met-${heat(Math.min(1, times / asked))}` : 'never');
    const shape = frameOf(element);
    element.append(svg('text', { class: 'visits', x: shape.x + shape.width / 2, y: shape.y - 4, 'text-anchor': 'middle' }, times ? `${count(times)}×` : 'never'));
  }
  for (const [id, elements] of drawn.edges) elements.forEach(one => one.classList.toggle('met', Boolean(visits[id])));
}

function coverageWords(drawn, visits, fights) {
  const boxes = drawn ? [...drawn.boxes].filter(([, one]) => !one.dataset.copy) : [];
  const met = boxes.filter(([id]) => visits[id]).length;
  return `${count(met)} of ${plural(boxes.length, 'state')} visited by ${plural(fights.asked.length, 'question')}; ${count(boxes.length - met)} never`;
}

/** A state that is gone is told with what led to it, which may be most of a long name. */
const shortened = told => (told.length > 28 ? `${told.slice(0, 26)}…` : told);

function changeWords({ new: added, changed, gone }, picture) {
  const names = ids => ids.map(id => picture.boxes.find(box => box.id === id)).filter(Boolean).map(ownName);
  const some = list => (list.length > 6 ? `${list.slice(0, 6).join(', ')} and ${count(list.length - 6)} more` : list.join(', '));
  return [added.length && `${count(added.length)} new: ${some(names(added))}`, changed.length && `${count(changed.length)} changed: ${some(names(changed))}`,
    gone.length && `${count(gone.length)} gone: ${some(gone.map(shortened))}`].filter(Boolean).join('; ');
}
