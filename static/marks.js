// Classes on the picture's states and transitions for one step: current, visited, chosen, way, travelled, pale.

import { flag } from './flag.js';
import { drawings, hasLoop, line, outer, taken, ways } from './places.js';
import { stepName } from './tokens.js';

const CLASSES = ['current', 'passed', 'visited', 'looked-at', 'chosen', 'way', 'travelled', 'pale'];

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

/** Set every class for the selected step, the box looked at, and each box's `data-state`. */
export function mark(picture, data, state) {
  const { steps } = state.run;
  const step = steps[state.selected];
  const worn = new Map(); // the classes that each element is to have
  const wear = (element, name) => element && worn.set(element, (worn.get(element) ?? new Set()).add(name));
  if (state.box) drawings(picture, state.box).forEach(element => wear(element, 'looked-at'));
  picture.flag?.remove();
  if (!step?.box) {
    dress(picture, worn);
    return null;
  }

  for (const past of steps.slice(0, state.selected + 1)) {
    drawings(picture, past.box).forEach(element => wear(element, 'visited'));
    if (past !== step) taken(past, picture, data.edges).forEach(id => wear(line(picture, id, past.box), 'travelled'));
  }
  ways(step, data.edges).forEach(id => wear(line(picture, id, step.box), 'way'));
  for (const id of taken(step, picture, data.edges)) {
    const element = line(picture, id, step.box);
    wear(element, 'chosen');
    if (step !== picture.step && !state.following) trace(element?.querySelector('.line'));
  }
  picture.step = step;
  const now = drawings(picture, step.box);
  const inside = step.line && line(picture, step.line, step.box); // of a transition's text: the box lies behind it
  now.forEach(element => wear(element, 'current'));
  if (inside) now.forEach(element => wear(element, 'passed'));
  wear(inside, 'way');

  if (step.mode !== 'text' && step.box) fade(picture, reachable(data, outer(step.box)), new Map(data.edges.map(edge => [edge.id, edge])), worn, wear);
  dress(picture, worn);
  const returned = steps.slice(0, state.selected).some(past => past.mode !== 'text');
  const at = inside || (returned && now.find(element => element.dataset.copy)) || now[0];
  const name = stepName(state.selected) + (inside ? ` ${step.state_name}` : '');
  if (at) picture.flag = flag(picture, at, name, !inside && hasLoop(step, picture));
  return at;
}

/** Only what changes is touched: the browser reckons the style of whatever is, and a picture may have thousands of parts. */
function dress(picture, worn) {
  for (const element of new Set([...picture.worn?.keys() ?? [], ...worn.keys()])) {
    const [was, is] = [picture.worn?.get(element), worn.get(element)];
    for (const name of CLASSES) {
      if ((was?.has(name) ?? false) !== (is?.has(name) ?? false)) element.classList.toggle(name);
    }
  }
  picture.worn = worn;
}

/** The chosen line is drawn from its beginning to its end. */
function trace(path) {
  if (!path || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  path.setAttribute('pathLength', '1'); // to measure it would lay out the picture
  path.animate([{ strokeDasharray: 1, strokeDashoffset: 1 }, { strokeDasharray: 1, strokeDashoffset: 0 }],
    { duration: 200, easing: 'ease-out' });
}

function fade(picture, near, edges, worn, wear) {
  for (const [id, element] of [...picture.boxes, ...picture.clusters]) {
    const far = !near.has(element.dataset.copy ?? outer(id));
    if (far && !worn.get(element)?.has('visited')) wear(element, 'pale');
  }
  for (const [id, elements] of picture.edges) {
    const far = !near.has(edges.get(id)?.from ?? outer(id));
    elements.forEach(element => far && !worn.get(element)?.has('travelled') && wear(element, 'pale'));
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
