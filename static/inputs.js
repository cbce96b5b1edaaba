// Question, and how the call is steered: scheme, start, model.

import { h, put, say } from './dom.js';

const OTHER = 'other…';
const STARTS = { call: 'the marker comes first', text: 'text comes first' };

export function mount(element, { store, settings }) {
  const { options } = store.state;
  const question = h('textarea', { id: 'question-input', dir: 'auto', rows: '2', spellcheck: 'false',
    oninput: () => store.change({ question: question.value }) });
  put(element, h('label', { for: 'question-input' }, 'Question'), question);

  const scheme = select('scheme-select', options.schemes, value => pick({ scheme: value }));
  const start = select('start-select', options.starts, value => pick({ start: value }));
  const model = select('model-select', [...options.models, { value: OTHER, label: 'Other…' }], value => {
    other.parentElement.hidden = value !== OTHER;
    if (value === OTHER) other.focus();
    choose(value === OTHER ? other.value.trim() : value);
  });
  // A model that was chosen here brings the scheme and start that suit it, once it is known.
  let chosen = null, picked = {};
  const choose = value => {
    [chosen, picked] = [value, {}];
    store.change({ model: value });
  };
  const pick = values => {
    Object.assign(picked, values); // what was chosen after the model stays
    store.change(values);
  };
  const other = h('input', { id: 'model-other', type: 'text', spellcheck: 'false', autocomplete: 'off',
    placeholder: 'Qwen/Qwen2.5-0.5B-Instruct or /models/mine', onchange: () => choose(other.value.trim()) });
  const note = { scheme: aside(), start: aside(), model: aside() };
  const caution = h('p', { id: 'model-caution', class: 'note' });
  model.setAttribute('aria-describedby', caution.id);
  put(settings,
    h('summary', { class: 'settings-head' }, 'Settings', h('span', { class: 'aside', id: 'settings-sum' })),
    field('scheme-select', 'Scheme', note.scheme, scheme), field('start-select', 'Start', note.start, start),
    field('model-select', 'Model', note.model, model),
    h('div', { class: 'field' }, caution),
    h('div', { class: 'field other', hidden: true }, h('label', { for: 'model-other' }, 'Hub id or local folder'), other));
  const phone = matchMedia('(max-width: 700px)');
  const unfold = () => { settings.open = !phone.matches && store.state.view === 'trace'; }; // elsewhere it is a fold
  phone.addEventListener('change', unfold);
  store.on('view', unfold);

  const sayHow = ({ inputs, machine }) => say(note.scheme, machine?.model?.begins?.[inputs.scheme]
    ?? options.schemes.find(one => one.value === inputs.scheme)?.note ?? 'how a call begins');
  store.on('machine', sayHow);
  store.on('machine', ({ inputs, machine }) => {
    const suited = machine?.model?.suggested;
    if (!suited || chosen !== inputs.model) return;
    chosen = null;
    store.change({ ...suited, ...picked });
  });
  store.on('example', () => { chosen = null; });
  store.on('inputs', ({ inputs }) => {
    if (question.value !== inputs.question) question.value = inputs.question;
    scheme.value = inputs.scheme;
    start.value = inputs.start;
    const known = options.models.some(one => one.value === inputs.model);
    if (known) model.value = inputs.model;
    else if (inputs.model) {
      model.value = OTHER;
      other.value = inputs.model;
    }
    other.parentElement.hidden = model.value !== OTHER;
    sayHow(store.state);
    say(note.start, options.starts.find(one => one.value === inputs.start)?.note ?? STARTS[inputs.start] ?? '');
    const about = options.models.find(one => one.value === inputs.model);
    say(note.model, about?.note ?? '');
    say(caution, about?.caution ?? '');
    caution.parentElement.hidden = !about?.caution;
    const [way, who] = [scheme, model].map(one => one.selectedOptions[0]?.textContent ?? '');
    say(settings.querySelector('#settings-sum'), [way, who.split(',')[0], inputs.temperature > 0 ? `temperature ${inputs.temperature}` : 'greedy'].join(', '));
  });
}

const aside = () => h('span', { class: 'aside' });

function field(id, label, note, control) {
  return h('div', { class: 'field' }, h('label', { for: id }, label), note, h('span', { class: 'pick' }, control));
}

function select(id, values, act) {
  const element = h('select', { id, onchange: () => act(element.value) },
    values.map(one => h('option', { value: one.value }, one.label)));
  return element;
}
