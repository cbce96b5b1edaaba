// The tools editor: a plain textarea over the same text in colours, with numbers and messages under their lines.

import { button, h, icon, prose, put, refill } from './dom.js';
import { acceptFiles } from './drop.js';
import { findingsOf, fixed, fixName, isMute, otherModel } from './checking.js';
import { takeLarge, write } from './edits.js';
import { highlight, span, wave } from './highlight.js';
import { mountLong } from './long-text.js';
import { formats } from './formats.js';
import { count, plural } from './tokens.js';

const PLAIN_OVER = 24000; // beyond this many characters the text is shown without colours, and beyond more of them in parts

export function mount(element, { store }) {
  const head = h('span', { class: 'aside', id: 'tools-count' });
  const lines = h('div', { class: 'lines' });
  const messages = h('div', { id: 'tools-messages', class: 'visually-hidden', role: 'status' });
  const text = h('textarea', {
    id: 'tools-input', spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off', wrap: 'soft',
    'aria-describedby': 'tools-messages', placeholder: 'def square(side: int)', rows: '1',
    oninput: () => store.change({ tools: text.value }), onfocus: paint, onblur: paint, onpointerdown: place,
  });
  const box = h('div', { class: 'editor' }, h('div', { class: 'page' }, lines, text));
  const fold = h('details', { class: 'fold tools-fold', open: true },
    h('summary', null, h('label', { for: 'tools-input' }, 'Tools'), head, formats(store)), box, messages);
  acceptFiles(box, text);
  takeLarge(text);
  const long = mountLong(box, text, (piece, number, first, offset) => {
    const mine = byLine.get(number) ?? [];
    return row(piece, number, mine.map(one => ({ ...one, column: one.column && one.column - offset }))
      .filter(one => first || (one.column > 0 && one.column <= piece.length)), first);
  }, tools => store.change({ tools }));
  let byLine = new Map();
  let still = []; // lines of which nothing is told, and their rows, which stay while they do
  put(element, fold);
  const phone = matchMedia('(max-width: 700px)');
  const unfold = () => {
    fold.open = !phone.matches;
    fold.querySelector('summary').tabIndex = phone.matches ? 0 : -1; // a fold there only
  };
  phone.addEventListener('change', unfold);
  fold.querySelector('summary').addEventListener('click', event => { if (!phone.matches) event.preventDefault(); });
  fold.querySelector('label').addEventListener('click', event => {
    if (!phone.matches) return;
    event.preventDefault();
    fold.open = !fold.open;
  });
  unfold();

  store.on('inputs', ({ inputs }) => {
    long.hold(inputs.tools);
    paint();
  });
  store.on('machine error check fights view', paint);

  function findings() {
    const { error, warnings, check, inputs, view } = store.state;
    const mute = isMute(store.state); // the tools are right, and Run takes another model
    const known = findingsOf(store.state).filter(one => view === 'check' || (one.severity !== 'hint' && !(mute && one.code === 'E610')));
    const told = check?.of === inputs.tools && known.some(one => one.severity === 'error');
    const own = error?.line && !told ? [{ ...error, severity: 'error' }] : [];
    return [...own, ...known.filter(one => !own.some(other => other.line === one.line && one.severity === 'error')),
      ...warnings.map(one => ({ severity: 'warning', ...one })).filter(one => one.line)];
  }

  function paint() {
    const { tools } = store.state.inputs;
    const found = findings();
    byLine = Map.groupBy(found, one => one.line);
    long.show(tools);
    const plain = tools.length > PLAIN_OVER;
    const focused = document.activeElement === text;
    box.classList.toggle('plain', plain);
    box.classList.toggle('faulty', found.some(one => one.severity === 'error'));
    text.setAttribute('aria-invalid', String(found.some(one => one.severity === 'error')));
    text.rows = plain && !long.on() ? 12 : 1;
    const given = plain ? [] : tools.split('\n');
    const rows = given.map((line, index) => (still[index]?.line === line && !byLine.has(index + 1) ? still[index].row
      : row(line, index + 1, byLine.get(index + 1) ?? [])));
    still = given.map((line, index) => ({ line, row: rows[index] }));
    found.forEach(one => { still[Math.min(one.line, rows.length) - 1] = null; });
    // While somebody types, the caret must stand on its line: messages wait below the text.
    const listed = store.state.view === 'check'; // beside the editor
    const apart = plain || focused;
    if (!apart && !listed) {
      found.forEach(one => rows[Math.min(one.line, rows.length) - 1]?.append(tell(store, one)));
    }
    refill(lines, [...rows, ...(apart && !listed ? found.slice(0, long.on() ? 3 : 20).map(one => tell(store, one, true)) : [])]);
    put(messages, found.slice(0, 20).map(one => h('p', null, `Line ${one.line}: ${sentence(one)}`)));
    box.classList.toggle('apart', !apart && !listed && found.length > 0);
    const names = store.state.machine?.tool_count ?? store.state.machine?.tools?.length;
    const errors = found.filter(one => one.severity === 'error').length;
    const warned = found.length - errors;
    if (listed) put(head, holds(store.state));
    else put(head, errors ? [sign('error'), plural(errors, 'error')] : names ? plural(names, 'tool') : '',
      !errors && warned > 0 && [' ', sign('warning'), plural(warned, 'warning')]);
    if (plain && !long.on()) lines.prepend(h('p', null, `${count(tools.length)} characters`));
  }

  function row(line, number, mine, first = true) {
    const signs = store.state.view === 'check' && mine.length > 0;
    let parts = highlight(line);
    mine.forEach(one => { parts = wave(parts, span(line, one)); });
    const worst = ['error', 'warning', 'hint'].find(severity => mine.some(one => one.severity === severity));
    return h('div', { class: worst ? `line ${worst}` : 'line', 'data-line': number }, h('span', { class: 'number', 'aria-hidden': 'true' }, first && number, first && signs && sign(worst)),
      h('span', { class: 'code', 'aria-hidden': 'true' }, parts.map(([piece, kind, waved]) => h('span', {
        class: [kind && `is-${kind}`, waved && `wave ${worst}`].filter(Boolean).join(' ') || null }, piece)), '\u200b'));
  }

  /** A click on shifted lines still puts the caret where the eye is. */
  function place(event) {
    if (!box.classList.contains('apart')) return;
    const line = [...lines.querySelectorAll('.line')].findLast(one => one.getBoundingClientRect().top <= event.clientY);
    const code = line?.querySelector('.code').getBoundingClientRect();
    if (!code) return;
    const letter = parseFloat(getComputedStyle(text).fontSize) * 0.602;
    const all = text.value.split('\n');
    const index = Number(line.dataset.line) - 1;
    const column = Math.min(all[index].length, Math.max(0, Math.round((event.clientX - code.left) / letter)));
    const at = all.slice(0, index).join('\n').length + (index ? 1 : 0) + column;
    event.preventDefault();
    text.focus();
    text.setSelectionRange(at, at);
  }
}

const sentence = one => [one.message, one.fix].filter(Boolean).join('; ');

const sign = severity => h('span', { class: `sign ${severity}` }, icon(severity));

/** How many tools of the text the machine holds. */
const holds = ({ check }) => check && (check.in_machine === check.tools ? plural(check.tools, 'tool')
  : `${count(check.in_machine)} of ${count(check.tools)} in the machine`);

/** A message's row: sign, code, sentence, fix; the button makes the change, which can be undone. */
function tell(store, one, numbered) {
  const fix = one.replacement && button('', fixName(one), { class: 'button small', onpointerdown: event => event.preventDefault(),
    onclick: () => write(fixed(document.getElementById('tools-input').value, [one])) });
  return h('div', { class: `finding ${one.severity}` }, sign(one.severity),
    h('p', null, numbered && h('b', null, `Line ${one.line} `), one.code && h('b', null, `${one.code} `), prose(one.message),
      one.fix && !fix && h('span', { class: 'fix' }, 'Fix: ', prose(one.fix)), fix || otherModel(one, store)));
}
