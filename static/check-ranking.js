// Which tool would be called: the exact probability of every name, and how it moves when a tool is renamed.

import { button, h, icon, prose, put } from './dom.js';
import { offset, write } from './edits.js';
import { expectation, ranks, wayTo } from './check-ranks.js';
import { latest } from './latest.js';
import { count, plural, probability, visible } from './tokens.js';

const MANY = 100; // tools

export function mount(element, { store, wire, request, inputs }) {
  const about = h('p', { class: 'about' });
  const body = h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Ranking of the tools' });
  const missing = h('p', { class: 'missing' });
  const slot = h('div', { class: 'slot' });
  const wholes = h('input', { type: 'checkbox', id: 'rank-weighed', onchange: () => store.change({ method: wholes.checked ? 'weighed' : 'guided' }) });
  put(element, h('header', { class: 'panel-head' }, h('h2', null, 'Which tool would it call?'),
    h('label', { class: 'tools aside', title: 'By P̃ of the whole name and by how much likelier the question makes its words. With tool docs, the likeliest tools are shown and P̃ is taken again' }, wholes, ' names weighed')), slot, about, body, missing);

  const go = button('', 'Rank', { class: 'button small', hidden: true, onclick: () => question.now() });
  about.after(go);
  let answer = null, before = null, asked = null, setting = null, editing = null;
  const settings = () => ['question', 'scheme', 'model', 'documentation', 'reveal', 'method', 'max_tokens'].map(name => store.state.inputs[name]).join('\n');
  const key = () => [settings(), store.state.inputs.tools_format, store.state.inputs.tools].join('\n');
  const question = latest(() => {
    [asked, setting] = [key(), settings()];
    return wire.ask({ ...request(), ask: 'rank' });
  }, found => {
    if (key() !== asked && waits(store.state)) return forget(); // it is of other tools, or of another question
    // What was there before is shown beside: the ranks of the same question, in the same way, with other tools.
    if (setting !== answer?.setting) before = null;
    else if (answer.kind === 'ranking' && found.kind === 'ranking' && names(found) !== names(answer)) before = answer;
    answer = { ...found, setting };
    show();
  }, 450);

  store.on('inputs view', state => {
    if (state.view !== 'check') return;
    wholes.checked = state.inputs.method === 'weighed';
    if (inputs.question.parentNode !== slot) slot.replaceChildren(inputs.question);
    offer(state);
    ask(state);
  });

  function ask(state) {
    if (key() === asked) return;
    if (waits(state)) forget();
    else question.soon();
  }

  function forget() {
    answer = before = asked = null;
    show();
  }

  /** Very many tools are ranked when somebody asks for it: that takes seconds. */
  function offer(state) {
    go.hidden = !many(state) || key() === asked;
    go.querySelector('span').textContent = `Rank ${count(state.check?.tools)} tools`;
  }
  store.on('check', state => {
    offer(state);
    if (state.view === 'check') ask(state); // how many tools there are is known
    const list = state.check?.missing ?? [];
    put(missing, list.length > 0 && ['Not in the machine: ', list.slice(0, 8).map((one, index) => [index > 0 && ', ',
      one.name && h('code', null, one.name), ` line ${count(one.line)} `, h('b', { class: 'error' }, one.code)]),
    list.length > 8 && ` and ${count(list.length - 8)} more`]);
  });

  function show() {
    offer(store.state);
    if (answer?.kind !== 'ranking') {
      put(about, answer?.error && h('p', null, h('span', { class: 'sign error' }, icon('error')), ' ', prose(answer.error.message)));
      put(body);
      return;
    }
    const expected = expectation(store.state, answer.question);
    const top = answer.entries[0];
    const verdict = expected && (expected === top?.tool ? h('span', { class: 'ok' }, icon('check'), 'as expected')
      : h('span', { class: 'not' }, icon('barred'), `expected ${expected}`));
    put(about, h('span', null, answer.weighed ? 'How likely each tool is, names as wholes' : 'How likely each tool is'), verdict,
      h('small', null, answer.weighed ? 'P̂(tool behind ' : 'P(name after ', h('span', { class: 'chip mode-name' }, visible(answer.marker)), formula(answer),
        `${answer.lost < 0.0005 ? '1.000' : answer.sum.toFixed(3)} of ${answer.followed < answer.tools ? `${count(answer.followed)} of ` : ''}${plural(answer.tools, 'tool')}`));
    const old = before && ranks(before, answer);
    const most = top?.probability || 1;
    put(body, answer.entries.map((entry, index) => row(entry, index, most, old?.get(entry.tool))));
  }

  function row(entry, index, most, old) {
    const { path, bound } = wayTo(entry, answer);
    const moved = old && (old.rank !== index ? `was ${old.rank + 1}` : old.tool !== entry.tool ? 'same rank' : '');
    const renaming = editing === entry.tool;
    return h('div', { class: index ? 'entry' : 'entry first', 'data-tool': entry.tool }, h('div', { class: 'who' },
      renaming ? renamer(entry) : h('button', { type: 'button', class: 'name', title: 'Rename this tool', onclick: () => { editing = entry.tool; show(); element.querySelector('.renamer').select(); } }, broken(entry.tool)),
      moved && h('small', { class: old.rank > index ? 'up' : 'down' }, moved, old.tool !== entry.tool && ` as ${old.tool}`)),
    h('div', { class: 'path' }, bar(entry.probability / most), h('small', null, path)),
    h('span', { class: 'value' }, bound ? `<${bound}` : probability(entry.probability), old && Math.abs(old.probability - entry.probability) > 0.0005
      && h('small', null, `was ${probability(old.probability)}`)));
  }

  function renamer(entry) {
    const leave = () => { editing = null; show(); };
    const field = h('input', { type: 'text', class: 'renamer', value: entry.tool, 'aria-label': `New name of ${entry.tool}`, spellcheck: 'false',
      onkeydown: event => {
        if (event.key === 'Escape') leave();
        if (event.key !== 'Enter') return;
        event.preventDefault(); // the editor takes the focus, and not this key
        editing = null;
        rename(entry, field.value.trim());
      } });
    return [field, button('check', '', { class: 'button square small', label: 'Rename', onclick: () => { editing = null; rename(entry, field.value.trim()); } })];
  }

  function rename(entry, name) {
    const { tools } = store.state.inputs;
    let at = offset(tools, entry.line ?? 1, entry.column ?? 1);
    if (tools[at] === '"') at += 1;
    if (name && name !== entry.tool && tools.startsWith(entry.tool, at)) write(tools.slice(0, at) + name + tools.slice(at + entry.tool.length));
    else show();
  }
}

const many = ({ check, inputs }) => check?.tools > MANY || inputs.tools.length > 200000;

/** Whether nothing is ranked by itself. */
const waits = state => many(state) || !state.inputs.tools.trim() || !state.inputs.question.trim();

/** What the probabilities are, behind `P̂(tool behind <T>` or `P(name after <T>`. */
const formula = ({ weighed, shortlist, tools }) => (!weighed ? '), exact, sum '
  : !shortlist ? ') ∝ √(P̃(name) · how much likelier its words become), sum '
    : `) ∝ √(P̃(name)${tools > shortlist ? ' · P(name in a list of few)' : ''} · ∜how much likelier its words become), ${count(shortlist)} signatures in view, sum `);
const names = ranking => JSON.stringify([...ranking.entries].map(one => one.tool).sort());

/** A name that may be broken behind an underscore. */
const broken = name => name.split(/(?<=_)/).flatMap(part => [part, h('wbr')]);
const bar = share => {
  const line = h('i');
  line.style.width = `${Math.max(share * 100, 0.5)}%`;
  return line;
};
