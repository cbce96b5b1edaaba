// Messages of many questions, put together: cells of tool × place, the confusion table, visits of the graph.

import { h } from './dom.js';

/** `given` are the inputs that they are asked with. */
export const emptyFights = given => ({ given, phase: 'waiting', count: 0, asked: [], tools: [], unknown: [], advice: [], cells: new Map(), visits: {}, error: null, selected: null });

/** A taker of messages for the wire; `changed` is told after each lot. */
export function collector(fights, changed) {
  const take = {
    asking(message) { Object.assign(fights, { phase: 'asking', count: message.count, tools: message.tools, unknown: message.unknown }); },
    queue(message) { fights.queue = message.position; },
    asked(message) {
      fights.asked.push(message);
      for (const fight of message.fights) if (message.called) add(fights, message, fight);
      for (const [id, times] of Object.entries(message.visits)) fights.visits[id] = (fights.visits[id] ?? 0) + times;
    },
    advice(message) { Object.assign(fights, { advice: message.findings, phase: 'finished' }); },
    error(message) { Object.assign(fights, { error: message.error, phase: 'failed' }); },
  };
  return {
    live: () => fights.phase === 'waiting' || fights.phase === 'asking',
    take(messages) {
      if (this.live()) messages.forEach(message => take[message.kind]?.(message));
      changed();
    },
  };
}

function add(fights, asked, fight) {
  const key = `${asked.called}\n${fight.place}`;
  const cell = fights.cells.get(key) ?? { key, tool: asked.called, place: fight.place, steps: 0, removed: 0, wider: 0, widened: 0,
    wanted: new Map(), whats: new Map(), blocked: 0, parameter: fight.parameter, worst: null };
  fights.cells.set(key, cell);
  cell.steps += 1;
  cell.removed += fight.removed;
  cell.wider += fight.wider ?? 1 - fight.removed;
  cell.widened += fight.wider == null ? 0 : 1;
  cell.blocked = Math.max(cell.blocked, fight.blocked);
  cell.whats.set(fight.what, (cell.whats.get(fight.what) ?? 0) + 1);
  fight.wanted.forEach(one => cell.wanted.set(one.token, (cell.wanted.get(one.token) ?? 0) + one.before));
  if (!cell.worst || fight.removed > cell.worst.removed) cell.worst = { ...asked, removed: fight.removed };
}

export const mean = cell => cell.removed / cell.steps;

/** The tokens that were wanted most, with their mean probability. */
export const wanted = (cell, number = 4) => [...cell.wanted].map(([token, sum]) => [token, sum / cell.steps])
  .sort((one, other) => other[1] - one[1]).slice(0, number);

/** A number's place among the five heats: below 10, 30, 50, 75, 100 %. */
export const heat = share => [0.1, 0.3, 0.5, 0.75].filter(bound => share >= bound).length;

/** A share as it stands in a cell. */
export const whole = share => h('span', { class: 'value' }, `${Math.round(share * 100)} %`);
