// The fold with what the model reads: documentation of the tools, and who writes results.

import { button, h, put, say } from './dom.js';
import { latest } from './latest.js';
import { count } from './tokens.js';

const MOST_FIELDS = 40;

/** The settings that the prompt is made of. */
const READ = ['tools', 'tools_format', 'question', 'scheme', 'model', 'documentation', 'max_tokens'];

export function mount(element, { store, actions, wire, request }) {
  const sum = h('span', { class: 'aside' });
  const tokens = h('p', { class: 'aside' });
  const documentation = check('documentation', 'Put the tools into the prompt');
  const weigh = button('', 'Weigh names as wholes', { id: 'weigh-button', class: 'button small', onclick: () => store.change({ method: 'weighed' }) });
  const reveal = check('reveal', 'Show signatures in calls');
  const unseen = h('p', { class: 'aside unseen' }, 'The model can’t know which tools there are. ', weigh);
  const results = check('results', 'Write results into the answer');
  const values = h('div', { class: 'settings-grid values' });
  const hint = h('p', { class: 'aside' }, 'Functions with a known result are computed. For other tools you say what comes back.');
  const read = h('pre', { class: 'read', id: 'prompt-text', tabindex: '0', role: 'region', 'aria-label': 'What the model reads' });
  const reading = h('details', { class: 'reading' }, h('summary', null, 'What the model reads'), read);
  element.append(h('details', { class: 'fold' }, h('summary', null, 'Prompt', sum),
    documentation.row, tokens, reading, unseen, reveal.row, results.row, hint, values));

  function check(name, label) {
    const control = h('input', { id: `set-${name}`, type: 'checkbox', onchange: () => store.change({ [name]: control.checked }) });
    return { control, row: h('label', { class: 'check' }, control, label) };
  }

  let asked = null;
  const key = () => READ.map(name => store.state.inputs[name]).join('\n');
  const question = latest(() => {
    asked = key();
    return wire.ask({ ask: 'prompt', ...request() });
  }, answer => {
    if (answer.prompt) say(read, whole(answer.prompt));
  });
  /** The question changes without another machine: what stands open is asked for anew. */
  const refresh = () => {
    if (reading.open && asked !== key()) question.soon();
  };
  reading.addEventListener('toggle', () => {
    asked = null;
    refresh();
  });
  store.on('inputs', refresh);

  let shown = '';
  store.on('inputs machine run', ({ inputs, machine, run }) => {
    const prompt = machine?.prompt;
    const leftOut = inputs.documentation && Boolean(prompt?.left_out); // more than the model can read
    const listed = inputs.documentation && !leftOut;
    documentation.control.checked = inputs.documentation;
    reveal.control.checked = inputs.reveal;
    reveal.row.hidden = listed;
    results.control.checked = inputs.results;
    const docs = listed ? 'with tool docs' : inputs.reveal ? 'docs in calls' : leftOut ? 'tool docs left out' : 'without tool docs';
    say(sum, `${docs}${prompt ? `, ${count(prompt.tokens)} tokens` : ''}`);
    say(tokens, leftOut ? `Left out: they don’t fit the model’s context. ${count(prompt.tokens)} tokens without them`
      : listed && prompt?.tokens_without_documentation != null
        ? `${count(prompt.tokens)} tokens; ${count(prompt.tokens_without_documentation)} without them` : '');
    tokens.hidden = !tokens.textContent;
    reading.hidden = !prompt;
    if (!reading.open) say(read, prompt ? whole(prompt) : ''); // or it is asked for
    unseen.hidden = listed || inputs.method !== 'guided';
    hint.hidden = !inputs.results;
    values.hidden = !inputs.results;
    const waits = run.end === 'needs_result' ? run.calls.at(-1)?.name : null; // its result is asked for: it comes first
    const tools = (machine?.tools ?? []).filter(tool => !tool.computed).sort((one, other) => (other.name === waits) - (one.name === waits));
    const names = JSON.stringify([tools.length, ...tools.slice(0, MOST_FIELDS).map(tool => tool.name)]);
    if (names !== shown) {
      shown = names;
      put(values, tools.slice(0, MOST_FIELDS).map(tool => field(tool.name)),
        tools.length > MOST_FIELDS && h('p', { class: 'aside' }, `and ${count(tools.length - MOST_FIELDS)} more tools`));
    }
    for (const control of values.querySelectorAll('input')) {
      const value = inputs.values[control.name] ?? '';
      if (control.value !== value) control.value = value;
    }
  });

  function field(name) {
    const control = h('input', { type: 'text', name, id: `value-${name}`, placeholder: 'result', spellcheck: 'false',
      onkeydown: event => { if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) actions.run(); },
      oninput: () => {
        const { [name]: _, ...rest } = store.state.inputs.values;
        store.change({ values: control.value ? { ...rest, [name]: control.value } : rest });
      } });
    return [h('label', { for: `value-${name}`, class: 'mono', title: name }, name), control];
  }
}

/** The text of a prompt, and how much of a long one isn't shown. */
function whole({ text, characters }) {
  return characters > text.length ? `${text}…\n${count(characters - text.length)} more characters` : text;
}
