// The server's SVG, of which only shapes and text remain.

import { SVG } from './dom.js';
import { opens } from './opening.js';
import { frameOf } from './places.js';

const SHAPES = new Set(['svg', 'g', 'path', 'polygon', 'polyline', 'ellipse', 'circle', 'rect', 'line', 'text', 'tspan']);
const KEPT = /^(id|class|d|points|c[xy]|r[xy]?|d[xy]|[xy][12]?|width|height|viewBox|transform|text-anchor|font-size|data-[\w-]+)$/;

/** The picture: {svg, left, top, width, height}, its parts by id (boxes, lists of edges, clusters), copies by the id of what they copy. */
export function readPicture({ svg: text, boxes }) {
  const source = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
  if (source.localName !== 'svg' || source.namespaceURI !== SVG) return null;
  const copy = document.adoptNode(clean(source));
  const [left, top, width, height] = (copy.getAttribute('viewBox') ?? '0 0 400 300').split(/[\s,]+/).map(Number);
  copy.setAttribute('width', width);
  copy.setAttribute('height', height);
  copy.setAttribute('role', 'group');
  copy.setAttribute('aria-label', 'The state machine; arrow keys go from state to state');
  const named = selector => new Map([...copy.querySelectorAll(selector)].map(element => [element.id, element]));
  const picture = {
    svg: copy, left, top, width, height, boxes: named('g.node'), clusters: named('g.cluster'),
    edges: Map.groupBy(copy.querySelectorAll('g.edge'), edge => edge.id),
  };
  picture.copies = Map.groupBy([...picture.boxes.values()].filter(node => node.dataset.copy), node => node.dataset.copy);
  name(picture, new Map(boxes.map(box => [box.id, box])));
  picture.boxes.forEach(enclose);
  picture.edges.forEach(lines => lines.forEach(line => line.setAttribute('aria-hidden', 'true'))); // a state's inspector tells its ways
  return picture;
}

/** A subtitle that lies inside of its box is written on the box's colour. */
function enclose(element) {
  const { y, height } = frameOf(element);
  const line = element.querySelector('.subtitle:not(.right, .left)');
  line?.classList.toggle('inside', Number(line.getAttribute('y')) < y + height);
}

/** Whatever isn't known is taken away before the picture becomes a part of the page. */
function clean(node) {
  for (const name of node.getAttributeNames()) {
    if (!KEPT.test(name) || /url|script/i.test(node.getAttribute(name))) node.removeAttribute(name);
  }
  for (let child = node.firstChild, next; child; child = next) {
    next = child.nextSibling;
    const known = child.nodeType === Node.TEXT_NODE || (child.namespaceURI === node.namespaceURI && SHAPES.has(child.localName));
    if (!known) child.remove();
    else if (child.nodeType === Node.ELEMENT_NODE) clean(child);
  }
  return node;
}

/** States can be reached by the keyboard and have a name that is read aloud. */
function name(picture, boxes) {
  for (const [id, element] of picture.boxes) {
    const box = boxes.get(element.dataset.copy ?? id) ?? boxes.get(id.replace(/\..*$/, ''));
    const shown = element.querySelector('text.name')?.textContent ?? box?.name ?? id;
    element.setAttribute('tabindex', '-1');
    element.setAttribute('role', 'button');
    if (opens(box)) element.setAttribute('aria-expanded', 'false');
    element.setAttribute('aria-label', [shown, box?.title, box?.subtitle].filter(Boolean).join(', '));
  }
  picture.boxes.values().next().value?.setAttribute('tabindex', '0');
}
