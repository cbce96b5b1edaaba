// The trace as the paper's Table 2, one row per step.

import { button, download, h, put } from './dom.js';
import { stretches } from './rewrites.js';
import { segments, textAt } from './segments.js';
import { chip, count, isEnd, ownName, plural, stateName, stepName, visible } from './tokens.js';
import { windowed } from './windowed.js';

const COLUMNS = { step: 'Step', text: 'Generated text', state: 'State', valid: 'Valid next tokens', token: 'Next', next: 'To' };
const IN_FULL = { state: 'Current state', token: 'Next token', next: 'Next state' }; // as Table 2 has them
const COLOURED = 60; // so many last characters of a row's text are coloured
const ROOM = 108; // pixels that a line of chips may take, +n included

export function mount(element, { store }) {
  const about = h('p', { class: 'aside' });
  const json = button('down', 'JSON', { class: 'button small', title: 'The trace as a file', disabled: true, onclick: save });
  const body = h('tbody');
  const table = h('table', { id: 'trace-table' }, h('thead', null, h('tr', null,
    Object.entries(COLUMNS).map(([name, text]) => h('th', { scope: 'col', 'data-col': name, title: IN_FULL[name] }, text)))), body);
  const scroll = h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Steps of the run' }, table);
  const empty = h('div', { class: 'nothing' }, h('div', { class: 'outline', 'aria-hidden': 'true' }, [1, 2, 3, 4, 5].map(() => h('i'))),
    h('p', null, 'Run to see the steps.'));
  const note = h('p', { class: 'note' });
  const head = h('header', { class: 'panel-head' }, h('h2', null, 'Trace'), about, h('div', { class: 'tools' }, json));
  put(element, head, scroll, empty, note);

  body.addEventListener('click', event => {
    const row = event.target.closest('tr');
    if (row && !String(getSelection())) store.select(Number(row.dataset.step));
  });

  let of = null, shown = 0, current = -1, piecesOf = null;
  const rows = windowed(scroll, table, body, Object.keys(COLUMNS).length, index => row(of, index, piecesOf(index)));
  store.on('run select', ({ run, selected, example }) => {
    if (of !== run) {
      rows.show(0, 0);
      [of, shown, current] = [run, 0, -1];
    }
    const { steps } = run;
    if (shown < steps.length) {
      const stretch = stretches(run);
      piecesOf = index => segments(stretch(index));
      rows.show(steps.length, Math.max(0, shown - 1)); // what comes next is part of a row
      shown = steps.length;
    }
    empty.hidden = steps.length > 0;
    scroll.hidden = !steps.length;
    json.disabled = !steps.length;
    const same = ['tools', 'question', 'scheme', 'start', 'model'].every(name => run.request?.[name] === example?.[name]);
    const noted = example?.note && run.phase === 'finished' && same && !run.parent;
    put(note, noted && [h('sup', null, 'a'), ' ', example.note]);
    element.classList.toggle('noted', Boolean(noted));
    about.textContent = steps.length ? `${noted ? `${example.title} of the paper, ` : ''}${plural(steps.length, 'step')}` : '';
    if (current === selected) return null;
    current = selected;
    return selected >= 0 ? rows.choose(selected) : rows.choose(-1) && null;
  });

  function save() {
    const { run } = store.state;
    const names = ['index', 'text', 'state', 'state_name', 'mode', 'tool', 'parameter', 'allowed_count', 'mass_kept', 'candidates',
      'token_id', 'token', 'next_state', 'next_state_name', 'writer', 'accepting', 'model_ms', 'mask_ms', 'end', 'revealed'];
    const steps = run.steps.map(step => Object.fromEntries(names.map(name => [name, step[name] ?? null])));
    const last = run.steps.at(-1);
    const text = last.text + (isEnd(last) ? '' : last.token);
    const own = { version: 1, text, end: run.end ?? 'stopped', finished: ['eos', 'call'].includes(run.end), steps };
    download('trace.json', 'application/json', JSON.stringify(run.trace ?? own, null, 1));
  }
}

function row(run, index, pieces) {
  const step = run.steps[index];
  const cell = (name, ...children) => h('td', { 'data-col': name }, ...children);
  const last = index === run.steps.length - 1 && isEnd(step);
  return h('tr', { 'data-step': index, class: `mode-${step.mode}` },
    cell('step', stepName(index)), cell('text', written(run, index, pieces)),
    h('td', { 'data-col': 'state', title: step.parameter && ownName(step) }, stateName(step.state_name, step.mode), last && h('sup', { class: 'mark' }, 'a')), cell('valid', valid(step)),
    cell('token', isEnd(step) ? h('span', { title: visible(step.token) }, 'end') : chip(step.token, step.writer === 'host' ? 'result' : step.mode)),
    cell('next', isEnd(step) ? '' : stateName(step.next_state_name, run.steps[index + 1]?.mode)));
}

/** The text so far; its end is shown where it doesn't fit, coloured as in the answer. */
function written(run, index, pieces) {
  const text = textAt(run, index);
  const from = Math.max(0, text.length - COLOURED);
  const head = text.slice(run.steps.length > 300 ? Math.max(0, from - 200) : 0, from);
  const tail = pieces.filter(piece => piece.end > from && piece.start < text.length).map(piece => h('span', { class: `mode-${piece.kind}` },
    text.slice(Math.max(piece.start, from), Math.min(piece.end, text.length))));
  return h('span', { class: 'tail' }, h('bdi', { dir: 'ltr' }, head, tail));
}

function valid(step) {
  if (step.writer === 'host') return 'the host writes';
  if (step.whole) return 'whole vocabulary';
  const widths = step.valid.map(one => 7 * Math.min(24, visible(one.token).length) + 13);
  const sum = to => widths.slice(0, to).reduce((total, width) => total + width, 0);
  const rest = 12 + 6.5 * count(step.allowed_count).length; // what +n needs
  const all = widths.length === step.allowed_count && sum(widths.length) <= ROOM + 3;
  const fits = all ? widths.length : Math.max(1, widths.findLastIndex((_, index) => sum(index + 1) <= ROOM - rest) + 1);
  const shown = step.valid.slice(0, fits).map(one => chip(one.token, step.mode));
  const more = step.allowed_count - shown.length;
  return h('span', { class: 'chips' }, shown, more > 0 && h('span', { class: 'aside' }, `+${count(more)}`));
}
