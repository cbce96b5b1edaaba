// What the picture alone tells of a state that no step has visited: what has been written there, which tools remain.

import { outer } from './places.js';

/** {entered, reachable}, both as in a step; `tools` are those of the machine. */
export function unvisited(picture, tools, total, id) {
  const boxes = new Map(picture.boxes.map(box => [box.id, box]));
  const own = boxes.get(outer(id));
  if (!own || own.kind === 'text') return {};
  if (own.kind === 'end') return { reachable: { names: [], count: 0, total } };
  const back = Map.groupBy(picture.edges, edge => edge.to);
  const onward = Map.groupBy(picture.edges, edge => edge.from);
  const names = new Set(tools.map(tool => tool.name));
  const complete = box => box.kind === 'name' && names.has(box.subtitle);

  // Where the ways of several tools lead, nobody can say which was called.
  const behind = new Set();
  const before = new Set([own.id]);
  for (const at of before) {
    if (complete(boxes.get(at))) behind.add(boxes.get(at).subtitle);
    else back.get(at)?.filter(one => boxes.get(one.from)?.kind !== 'text').forEach(one => before.add(one.from));
  }
  if (behind.size > 1) return {};

  // Backwards to text mode: the labels on the way are what has been written; a value is written as …
  let entered = own.kind === 'argument' && id.includes('.') ? '…' : '';
  const [tool] = behind;
  const seen = new Set([own.id]);
  for (let at = own.id; ;) {
    const edge = back.get(at)?.find(one => !seen.has(one.from));
    if (!edge || boxes.get(edge.from)?.kind === 'text') break;
    at = edge.from;
    seen.add(at);
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
