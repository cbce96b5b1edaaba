// The fold with the settings of decoding.

import { h, say } from './dom.js';

const FIELDS = [
  { name: 'temperature', label: 'Temperature', min: 0, max: 5, step: 0.1, note: '0 is greedy' },
  { name: 'top_p', label: 'Top-p', min: 0.01, max: 1, step: 0.01, note: '1 is off' },
  { name: 'top_k', label: 'Top-k', min: 0, max: 1000000, step: 1, note: '0 is off' },
  { name: 'seed', label: 'Seed', min: 0, max: 4294967295, step: 1, note: 'same seed, same run' },
  { name: 'max_tokens', label: 'At most', min: 1, max: 4096, step: 1, note: 'tokens' },
];

const OF_LANES = new Set(['temperature', 'seed']); // Compare sets them, and the method, for each of its ways

export function mount(element, { store }) {
  const sum = h('span', { class: 'aside' });
  const controls = FIELDS.map(field => {
    const control = h('input', { id: `set-${field.name}`, type: 'number', min: field.min, max: field.max, step: field.step,
      inputmode: 'decimal', onchange: () => store.change({ [field.name]: clamp(field, control.valueAsNumber) }) });
    return control;
  });
  const { methods } = store.state.options;
  const method = h('select', { id: 'set-method', onchange: () => store.change({ method: method.value }) },
    methods.map(one => h('option', { value: one.value }, one.label)));
  const quote = h('input', { id: 'set-quote', type: 'checkbox', onchange: () => store.change({ quote: quote.checked }) });
  const search = h('input', { id: 'set-search', type: 'checkbox', onchange: () => store.change({ search: search.checked }) });
  element.append(h('details', { class: 'fold' }, h('summary', null, 'Decoding', sum), h('div', { class: 'settings-grid' },
    FIELDS.map((field, index) => h('div', { class: OF_LANES.has(field.name) ? 'setting of-lanes' : 'setting' },
      h('label', { for: `set-${field.name}` }, field.label), controls[index], h('span', { class: 'aside' }, field.note))),
    h('div', { class: 'setting of-lanes' }, h('label', { for: 'set-method' }, 'Method'), h('span', { class: 'pick method' }, method))),
  h('label', { class: 'check' }, quote, 'Strings only from the question'),
  h('label', { class: 'check' }, search, 'Arguments chosen as wholes')));

  store.on('inputs', ({ inputs }) => {
    FIELDS.forEach((field, index) => {
      if (document.activeElement !== controls[index] || controls[index].valueAsNumber !== inputs[field.name]) {
        controls[index].value = inputs[field.name];
      }
    });
    method.value = inputs.method;
    quote.checked = inputs.quote;
    search.checked = inputs.search;
    say(sum, [inputs.method !== 'guided' && methods.find(one => one.value === inputs.method)?.label, inputs.temperature > 0 ? `temperature ${inputs.temperature}` : 'greedy',
      `at most ${inputs.max_tokens}`, inputs.quote && 'strings quoted', inputs.search && 'arguments searched'].filter(Boolean).join(', '));
  });
}

function clamp(field, value) {
  if (!Number.isFinite(value)) return field.name === 'top_p' ? 1 : field.min;
  const kept = Math.min(field.max, Math.max(field.min, value));
  return field.step === 1 ? Math.round(kept) : kept;
}
