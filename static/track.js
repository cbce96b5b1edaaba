// What lies under the slider: a tick per step with its token; beyond 40 steps, segments in the colours of the modes.

import { h, put } from './dom.js';
import { choice } from './tokens.js';

const MOST_TICKS = 40;
const THUMB = 20; // pixels; the slider's thumb keeps half of it from either end

export function mount(element, { store }) {
  let drawn = '';
  let ticks = [], lines = [], bright = null;
  const x = (index, count) => (count < 2 ? `${THUMB / 2}px` : `calc(${THUMB / 2}px + (100% - ${THUMB}px) * ${index / (count - 1)})`);

  function draw(steps) {
    const count = steps.length;
    ticks = lines = [];
    bright = null;
    element.classList.toggle('long', count > MOST_TICKS);
    if (count > MOST_TICKS) {
      bright = h('div', { class: 'bright' }, bands(steps));
      put(element, h('div', { class: 'dim' }, bands(steps)), bright);
      return;
    }
    lines = steps.slice(1).map((step, index) => h('i', { class: `bar mode-${steps[index].mode}`,
      style: `left:${x(index, count)};width:calc((100% - ${THUMB}px) / ${count - 1})` }));
    const room = `--room:calc((100cqw - ${THUMB}px) / ${Math.max(1, count - 1)})`;
    ticks = steps.map((step, index) => h('span', { class: `tick mode-${step.mode}`, style: `left:${x(index, count)};${room}` },
      h('i'), h('b', null, choice(step))));
    put(element, lines, ticks);
  }

  function bands(steps) {
    const list = [];
    steps.forEach((step, index) => {
      if (list.at(-1)?.mode === step.mode) list.at(-1).end = index + 1;
      else list.push({ mode: step.mode, start: index, end: index + 1 });
    });
    return list.map(band => h('i', { class: `band mode-${band.mode}`,
      style: `left:${(band.start / steps.length) * 100}%;width:${((band.end - band.start) / steps.length) * 100}%` }));
  }

  store.on('run select', ({ run, selected }) => {
    const { steps } = run;
    const now = `${steps.length} ${steps.at(-1)?.token} ${steps.at(-1)?.end}`;
    if (now !== drawn) draw(steps);
    drawn = now;
    ticks.forEach((tick, index) => {
      tick.classList.toggle('past', index <= selected);
      tick.classList.toggle('now', index === selected);
    });
    lines.forEach((line, index) => line.classList.toggle('past', index < selected));
    if (bright) bright.style.clipPath = `inset(-6px ${100 - ((selected + 0.5) / steps.length) * 100}% -6px 0)`;
    element.classList.toggle('crowded', steps.length > 16);
  });
}
