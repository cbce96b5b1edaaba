// Where a state or a transition is drawn in the picture.

/** The box that an inner state lies in: b9.2 → b9. */
export const outer = id => id?.replace(/\..*$/, '');

/** An element by id, or that of the box which the id lies in. */
function nearest(map, id) {
  for (let at = id; at; at = at.includes('.') ? at.slice(0, at.lastIndexOf('.')) : '') {
    if (map.has(at)) return map.get(at);
  }
  return null;
}

/** All drawings of a state: itself, or its box or opened frame, and its copies. */
export function drawings(picture, id) {
  const element = nearest(picture.boxes, id) ?? nearest(picture.clusters, id);
  return element ? [element, ...(picture.copies.get(element.id) ?? [])] : [];
}

/** A transition's drawing; where it leaves an opened box in several places, the one that begins at this state. */
export function line(picture, id, from) {
  const all = picture.edges.get(id) ?? [];
  const element = picture.boxes.get(from);
  if (all.length < 2 || !element) return all[0] ?? null;
  const { x, y, width, height } = frameOf(element);
  const far = one => {
    const [across, down] = one.querySelector('.line').getAttribute('d').match(/-?[\d.]+/g).map(Number);
    return Math.hypot(across - x - width / 2, down - y - height / 2);
  };
  return all.reduce((best, one) => (far(one) < far(best) ? one : best));
}

/** The id of the transition by which a state leads to itself: text mode, or a state inside of an opened box. */
export const loop = box => (box?.includes('.') ? `${box}.${box.split('.').pop()}` : 'loop');

/** The transitions that a step took: those it names, or, where the picture was drawn anew since, the way between its boxes. */
export function taken(step, picture, edges) {
  const named = (step.edges?.length ? step.edges : [step.edge]).filter(id => picture.edges.has(id));
  if (named.length) return named;
  if (step.box === step.next_box) return hasLoop(step, picture) && step.end == null ? [loop(step.box)] : [];
  return step.box && step.next_box ? between(outer(step.box), outer(step.next_box), picture, edges) : [];
}

/** Whether a step's state has a transition to itself that is drawn. */
export const hasLoop = (step, picture) => (step.mode === 'text' || step.box?.includes('.')) && picture.edges.has(loop(step.box));

/** The shortest way from one box to another, as ids; a token may cross several transitions. */
function between(from, to, picture, edges) {
  picture.ways ??= new Map();
  const key = `${from} ${to}`;
  if (picture.ways.has(key)) return picture.ways.get(key);
  picture.onward ??= Map.groupBy(edges, edge => edge.from);
  const reached = new Map([[from, []]]);
  const open = [from];
  while (open.length && !reached.has(to)) {
    const at = open.shift();
    if (reached.get(at).length > 6) break;
    for (const edge of picture.onward.get(at) ?? []) {
      if (reached.has(edge.to)) continue;
      reached.set(edge.to, [...reached.get(at), edge.id]);
      open.push(edge.to);
    }
  }
  picture.ways.set(key, from === to ? [] : reached.get(to) ?? []);
  return picture.ways.get(key);
}

/** The transitions that valid tokens take. */
export function ways(step, edges) {
  if (step.whole) return [loop(step.box), ...edges.filter(edge => edge.from === step.box).map(edge => edge.id)];
  const stay = step.box?.includes('.') && step.valid.some(one => one.next_name === step.state_name);
  return stay ? [...(step.ways ?? []), loop(step.box)] : step.ways ?? [];
}

/** Where a state's shape lies, or a transition's label, from its attributes: nothing has to be laid out for it. */
export function frameOf(element) {
  const shape = element.querySelector('circle, rect');
  const number = name => Number(shape.getAttribute(name));
  if (shape.localName === 'rect') return { x: number('x'), y: number('y'), width: number('width'), height: number('height') };
  return { x: number('cx') - number('r'), y: number('cy') - number('r'), width: 2 * number('r'), height: 2 * number('r') };
}
