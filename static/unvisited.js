// What the picture alone tells of a state that no step has visited: what has been written there, which tools remain.

import { outer } from './places.js';

/** {entered, reachable}, both as in a step; `tools` are those of the machine. */
export function unvisited(picture, tools, total, id) {
  const boxes = new Map(picture.boxes.map(box => [box.id, box]));
  const own = boxes.get(outer(id));
  if (!own || own.kind === 'text') return {};
  const back = Map.groupBy(picture.edges, edge => edge.to);
  const onward = Map.groupBy(picture.edges, edge => edge.from);
  const names = new Set(tools.map(tool => tool.name));
  const complete = box => box.kind === 'name' && names.has(box.subtitle);

  // Backwards to text mode: the labels on the way are what has been written; a value is written as …
  let entered = own.kind === 'argument' && id.includes('.') ? '…' : '';
  let tool = complete(own) ? own.subtitle : null;
  const seen = new Set([own.id]);
  for (let at = own.id; ;) {
    const edge = back.get(at)?.find(one => !seen.has(one.from));
    if (!edge || boxes.get(edge.from)?.kind === 'text') break;
    at = edge.from;
    seen.add(at);
    tool ??= complete(boxes.get(at)) ? boxes.get(at).subtitle : null;
    entered = (boxes.get(at).kind === 'argument' ? '…' : '') + edge.label + entered;
  }

  const found = tool ? [tool] : [];
  let hidden = 0;
  const open = tool ? [] : [own.id];
  const met = new Set(open);
  while (open.length) {
    const box = boxes.get(open.pop());
    hidden += box.hidden ?? 0;
    if (complete(box)) found.push(box.subtitle);
    for (const { to } of onward.get(box.id) ?? []) {
      if (!met.has(to) && boxes.has(to) && boxes.get(to).kind === 'name') {
        met.add(to);
        open.push(to);
      }
    }
  }
  const signatures = found.map(name => tools.find(one => one.name === name)?.signature ?? name);
  const count = found.length + hidden;
  return { entered, reachable: count ? { names: signatures, count, total } : null };
}
