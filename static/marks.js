// Classes on the picture's states and transitions for one step: current, visited, chosen, way, travelled, pale.

import { svg } from './dom.js';
import { stepName } from './tokens.js';

const CLASSES = ['current', 'visited', 'looked-at', 'chosen', 'way', 'travelled', 'pale'];

/** Where a state or transition is drawn: its own element, or the box or opened frame that it lies in. */
export function place(map, id) {
  for (let at = id; at; at = at.includes('.') ? at.slice(0, at.lastIndexOf('.')) : '') {
    if (map.has(at)) return map.get(at);
  }
  return null;
}

const boxElement = (picture, id) => place(picture.boxes, id) ?? place(picture.clusters, id);

/** The box that an inner state lies in: b9.2 → b9. */
const outer = id => id?.replace(/\..*$/, '');

/** All drawings of a box: its own and its copies. */
function drawings(picture, id) {
  const element = boxElement(picture, id);
  return element ? [element, ...(picture.copies.get(element.id) ?? [])] : [];
}

/** Which boxes can still be reached without passing through text mode. */
function reachable(data, from) {
  const text = new Set(data.boxes.filter(box => box.kind === 'text' || box.kind === 'end').map(box => box.id));
  const onward = Map.groupBy(data.edges, edge => edge.from);
  const found = new Set([from]);
  const open = [from];
  while (open.length) {
    const at = open.pop();
    if (at !== from && text.has(at)) continue;
    for (const { to } of onward.get(at) ?? []) {
      if (!found.has(to)) {
        found.add(to);
        open.push(to);
      }
    }
  }
  return found;
}

/** The transitions that a step took; text mode stays by its loop. */
const taken = step => (step.edges?.length ? step.edges : step.edge ? [step.edge]
  : step.mode === 'text' && step.end == null && step.box === step.next_box ? ['loop'] : []);

/** Set every class for the selected step, the box looked at, and each box's `data-state`. */
export function mark(picture, data, state) {
  const { steps } = state.run;
  const step = steps[state.selected];
  for (const element of [...picture.boxes.values(), ...picture.edges.values(), ...picture.clusters.values()]) {
    element.classList.remove(...CLASSES);
  }
  if (state.box) drawings(picture, state.box).forEach(element => element.classList.add('looked-at'));
  picture.flag?.remove();
  if (!step) return null;

  for (const past of steps.slice(0, state.selected + 1)) {
    drawings(picture, past.box).forEach(element => element.classList.add('visited'));
    if (past !== step) taken(past).forEach(id => picture.edges.get(id)?.classList.add('travelled'));
  }
  const ways = step.whole ? ['loop', ...data.edges.filter(edge => edge.from === step.box).map(edge => edge.id)] : step.ways ?? [];
  ways.forEach(id => picture.edges.get(id)?.classList.add('way'));
  taken(step).forEach(id => picture.edges.get(id)?.classList.add('chosen'));
  const now = drawings(picture, step.box);
  now.forEach(element => element.classList.add('current'));

  if (step.mode !== 'text' && step.box) fade(picture, reachable(data, outer(step.box)), new Map(data.edges.map(edge => [edge.id, edge])));
  const returned = steps.slice(0, state.selected).some(past => past.mode !== 'text');
  const at = (returned && now.find(element => element.dataset.copy)) || now[0];
  if (at) picture.flag = flag(picture, at, stepName(state.selected));
  return at;
}

function fade(picture, near, edges) {
  for (const [id, element] of [...picture.boxes, ...picture.clusters]) {
    const far = !near.has(element.dataset.copy ?? outer(id)) && !element.classList.contains('visited');
    element.classList.toggle('pale', far);
  }
  for (const [id, element] of picture.edges) {
    const from = edges.get(id)?.from ?? outer(id);
    element.classList.toggle('pale', !near.has(from) && !element.classList.contains('travelled'));
  }
}

/** The numbers of the run's states that lie in each box. */
export function number(picture, steps) {
  const states = new Map();
  const add = (id, state) => drawings(picture, id).forEach(element => {
    if (!states.has(element)) states.set(element, new Set());
    states.get(element).add(state);
  });
  for (const step of steps) {
    add(step.box, step.state);
    if (step.next_box && step.end !== 'eos') add(step.next_box, step.next_state);
  }
  for (const element of [...picture.boxes.values(), ...picture.clusters.values()]) {
    if (states.has(element)) element.dataset.state = [...states.get(element)].join(' ');
    else delete element.dataset.state;
  }
}

function flag(picture, element, text) {
  const shape = element.querySelector('circle, rect').getBBox();
  const [x, y] = [shape.x + shape.width / 2, shape.y - 12];
  const width = text.length * 7 + 12;
  const group = svg('g', { class: 'flag' }, svg('rect', { x: x - width / 2, y: y - 10, width, height: 17, rx: 3 }),
    svg('text', { x, y: y + 2.5, 'text-anchor': 'middle' }, text));
  element.parentNode.append(group);
  return group;
}
