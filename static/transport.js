// First, back, play, forward, last, speed, the slider, and the keys for them.

import { button, h, icon, put, say } from './dom.js';
import { mount as mountTrack } from './track.js';
import { choice, chip, isEnd, stateName, stepName } from './tokens.js';

const SPEEDS = [0.5, 1, 2, 4];
const BEAT = 900; // milliseconds per step at 1×
const QUIET = 400; // milliseconds after the last of several moves, of which only that one is read aloud
const PAGE = 10; // steps that a page of the table is

export function mount(element, { store }) {
  let speed = 1, timer = null, soon = null;
  const go = (name, label, to, far = '') => button(name, '', { class: `button square${far}`, label, onclick: () => move(to()) });
  const at = () => store.state.selected;
  const last = () => store.state.run.steps.length - 1;
  const play = button('play', '', { id: 'play-button', class: 'button primary', label: 'Play', onclick: toggle });
  const keys = [go('first', 'First step', () => 0, ' far'), go('back', 'Step back', () => at() - 1), play,
    go('forward', 'Step forward', () => at() + 1), go('last', 'Last step', last, ' far')];
  const speeds = SPEEDS.map(value => button('', `${value}×`, { class: 'speed', 'aria-pressed': String(value === 1),
    onclick: () => pace(value) }));
  const faster = () => SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length];
  const cycle = button('', '1×', { class: 'button speed-one', label: 'Speed', onclick: () => pace(faster()) });
  const slider = h('input', { id: 'step-slider', type: 'range', min: 0, max: 0, step: 1, value: 0, disabled: true, 'aria-label': 'Step',
    oninput: () => move(slider.valueAsNumber) });
  const track = h('div', { class: 'track', 'aria-hidden': 'true' });
  const where = h('p', { class: 'where' });
  const spoken = h('p', { class: 'visually-hidden', role: 'status' });
  put(element, h('div', { class: 'keys' }, keys, h('div', { class: 'speeds', role: 'group', 'aria-label': 'Speed' }, speeds), cycle),
    where, h('div', { class: 'slide' }, track, slider), spoken);
  mountTrack(track, { store });

  function move(index) {
    pause();
    store.select(Math.max(0, index));
    clearTimeout(soon);
    if (document.activeElement !== slider) soon = setTimeout(speak, QUIET); // the slider speaks for itself
  }

  function speak() {
    const step = store.state.run.steps[at()];
    say(spoken, step ? told(step, last() + 1) : '');
  }

  function pace(value) {
    speed = value;
    speeds.forEach((one, index) => one.setAttribute('aria-pressed', String(SPEEDS[index] === value)));
    say(cycle.querySelector('span'), `${value}×`);
    if (timer) start();
  }

  function toggle() {
    if (timer) pause();
    else if (last() >= 0) {
      if (at() >= last()) store.select(0);
      start();
    }
  }

  function start() {
    clearInterval(timer);
    timer = setInterval(() => {
      if (at() < last()) store.select(at() + 1);
      if (at() >= last() && !store.live()) pause();
    }, BEAT / speed);
    face('pause', 'Pause');
  }

  function pause() {
    clearInterval(timer);
    timer = null;
    face('play', 'Play');
  }

  function face(name, label) {
    if (play.getAttribute('aria-label') === label) return;
    put(play, icon(name));
    play.setAttribute('aria-label', label);
    play.title = label;
  }

  store.on('run select', ({ run, selected }) => {
    const { steps } = run;
    const step = steps[selected];
    if (!steps.length) pause();
    slider.max = Math.max(0, steps.length - 1);
    slider.value = Math.max(0, selected);
    slider.disabled = play.disabled = cycle.disabled = !steps.length;
    [keys[0], keys[1]].forEach(one => { one.disabled = selected <= 0; });
    [keys[3], keys[4]].forEach(one => { one.disabled = selected >= steps.length - 1; });
    slider.className = step ? `mode-${step.mode}` : '';
    slider.setAttribute('aria-valuetext', step ? told(step, steps.length) : 'No steps yet');
    put(where, step ? shown(step, steps.length) : 'No steps yet');
  });

  document.addEventListener('keydown', event => {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || last() < 0 || store.state.view !== 'trace') return;
    if (target !== slider && target.matches?.('input, textarea, select, [contenteditable]')) return;
    const rows = target.closest?.('.trace') && { ArrowDown: at() + 1, ArrowUp: at() - 1, PageDown: at() + PAGE, PageUp: at() - PAGE };
    const to = { ArrowRight: at() + 1, ArrowLeft: at() - 1, Home: 0, End: last(), ...rows }[key];
    if (to !== undefined) move(to);
    else if (key === 'Escape' && timer) pause();
    else if (key === ' ' && !target.matches?.('button, a, summary')) toggle();
    else return;
    event.preventDefault();
  });
}

const chose = step => ({ host: 'the host wrote', forced: 'only one way:' }[step.writer] ?? 'chose');

const told = (step, count) => [`Step ${step.index + 1} of ${count}`, stepName(step.index), `state ${step.state_name}`,
  `${chose(step)} ${choice(step)}`].join(', ');

/** "Step 5 of 9 t+4, state s4, chose uare" */
function shown(step, count) {
  const token = isEnd(step) ? h('span', { class: 'mono' }, 'to end') : chip(step.token, step.mode, { class: 'bare' });
  return [h('b', null, `Step ${step.index + 1} of ${count}`),
    h('span', null, ` ${stepName(step.index)}, state `, stateName(step.state_name, step.mode)),
    h('span', { class: 'comma' }, ', '), h('span', { class: 'chose' }, `${chose(step)} `, token)];
}
