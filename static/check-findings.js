// The list of findings: filters, the line of each, its fix; as JSON for editors.

import { pages } from './check-pages.js';
import { button, download, h, icon, prose, put } from './dom.js';
import { findingsOf, fixed, fixName, otherModel } from './checking.js';
import { jump, write } from './edits.js';
import { count, plural } from './tokens.js';
import { virtual } from './virtual.js';

const KINDS = [['', 'All'], ['error', 'Errors'], ['warning', 'Warnings'], ['hint', 'Hints']];
const RANK = { error: 0, warning: 1, hint: 2 };

export function mount(element, { store }) {
  let kind = '';
  const sum = h('p', { class: 'aside' });
  const about = pages(store);
  const json = button('down', 'JSON', { class: 'button small', title: 'The findings as a file', onclick: save });
  const filters = KINDS.map(([name, label]) => button(name, label, { class: 'button small filter', 'data-kind': name, onclick: () => {
    kind = name;
    show(store.state);
  } }, h('span', { class: 'count' })));
  const frame = h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'List of findings' });
  const list = virtual(frame, 70, row);
  const none = h('p', { class: 'nothing' });
  put(element, h('header', { class: 'panel-head' }, h('h2', null, 'Findings'), sum, h('div', { class: 'tools' }, json)),
    h('div', { class: 'filters', role: 'group', 'aria-label': 'Which findings' }, filters), about.element, frame, none);

  store.on('check inputs fights view', show);

  function show(state) {
    if (state.view !== 'check') return;
    const found = findingsOf(state);
    const number = name => found.filter(one => !name || one.severity === name).length;
    if (kind && !number(kind)) kind = '';
    sum.textContent = state.check ? [plural(number('error'), 'error'), plural(number('warning'), 'warning'), plural(number('hint'), 'hint')].join(', ') : 'reading…';
    filters.forEach(one => {
      one.setAttribute('aria-pressed', String(one.dataset.kind === kind));
      one.hidden = one.dataset.kind !== '' && !number(one.dataset.kind);
      one.querySelector('.count').textContent = count(number(one.dataset.kind));
    });
    const shown = found.filter(one => !kind || one.severity === kind)
      .sort((one, other) => RANK[one.severity] - RANK[other.severity] || one.line - other.line);
    list.show(shown);
    json.disabled = !found.length;
    frame.classList.toggle('old', state.check?.of !== state.inputs.tools);
    none.hidden = shown.length > 0;
    none.textContent = state.check ? 'Nothing is wrong with these tools.' : '';
  }

  function row(one) {
    const left = one.severity === 'error' && one.replacement ? 'left out of the machine' : one.fix ?? '';
    const place = [`line ${count(one.line)}, column ${count(one.column)}`, capital(left)].filter(Boolean).join('. ');
    const go = () => jump(one.line, one.column, one.length);
    return h('div', { class: 'row', role: 'listitem', 'data-code': one.code },
      h('span', { class: `sign ${one.severity}` }, icon(one.severity), h('span', { class: 'visually-hidden' }, one.severity)),
      h('button', { type: 'button', class: `code ${one.severity}`, title: `What ${one.code} is`, onclick: () => about.show(one.code) }, one.code),
      h('button', { type: 'button', class: 'what', title: 'Go to the line', onclick: go }, h('span', null, prose(capital(one.message))), h('span', { class: 'aside' }, prose(place))),
      one.replacement ? button('', fixName(one), { class: 'button small', onclick: () => write(fixed(store.state.inputs.tools, [one])) }) : otherModel(one, store));
  }

  function save() {
    download('findings.json', 'application/json', JSON.stringify(findingsOf(store.state), null, 1));
  }
}

const capital = text => text.charAt(0).toUpperCase() + text.slice(1);
