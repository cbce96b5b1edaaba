// The whole page: its regions, and who fills them. props: options, draw(request), run(request), stop(), receive(take).

import { h } from './dom.js';
import { createStore } from './store.js';
import { mount as mountAnswer } from './answer.js';
import { mount as mountBars } from './bars.js';
import { mount as mountControls } from './controls.js';
import { mount as mountDecoding } from './decoding.js';
import { mount as mountEditor } from './editor.js';
import { mount as mountExamples } from './examples.js';
import { mount as mountGraph } from './graph.js';
import { mount as mountHeader } from './header.js';
import { mount as mountInputs } from './inputs.js';
import { mount as mountInspector } from './inspector.js';
import { mount as mountMachine } from './machine.js';
import { mount as mountPrompt } from './prompt.js';
import { mount as mountTable } from './table.js';
import { mount as mountTransport } from './transport.js';
import { readLink } from './share.js';

const DRAW_AFTER = 300;

export function mount(element, props) {
  const root = element.querySelector('.tooldec');
  const store = createStore(props.options);
  const region = (tag, name, attributes) => h(tag, { class: name, ...attributes });
  const part = {
    header: region('header', 'header'),
    examples: region('nav', 'examples', { 'aria-label': 'Examples' }),
    editor: region('section', 'editor-panel'),
    question: region('section', 'question-panel'),
    settings: region('details', 'settings', { open: true }),
    controls: region('section', 'controls', { 'aria-label': 'Run' }),
    machine: region('section', 'machine', { 'aria-label': 'The machine' }),
    graph: region('section', 'graph', { 'aria-label': 'State machine' }),
    table: region('section', 'trace', { 'aria-label': 'Trace' }),
    transport: region('section', 'transport', { 'aria-label': 'Steps' }),
    answer: region('section', 'answer', { 'aria-label': 'Answer' }),
    bars: region('section', 'bars', { 'aria-label': 'Next token' }),
    inspector: region('aside', 'inspector', { 'aria-label': 'State' }),
  };
  const side = h('div', { class: 'side' }, part.editor, part.question, part.settings, part.controls, part.machine);
  const board = h('div', { class: 'board' }, side, part.graph, part.table, part.transport, part.answer, part.bars,
    part.inspector);
  root.replaceChildren(part.header, part.examples, board);

  const phone = matchMedia('(max-width: 700px)');
  /** What the server is asked: the inputs, and which way the picture should grow. */
  const request = () => ({ ...structuredClone(store.state.inputs), direction: phone.matches ? 'TB' : 'LR' });

  const actions = {
    run() {
      if (store.live()) return;
      clearTimeout(timer);
      store.begin();
      props.run(request());
    },
    stop() {
      props.stop();
      store.stop();
    },
    load,
  };
  const shared = { store, actions };
  mountHeader(part.header, shared);
  mountExamples(part.examples, shared);
  mountEditor(part.editor, shared);
  mountInputs(part.question, { ...shared, settings: part.settings });
  mountDecoding(part.settings, shared);
  mountPrompt(part.settings, shared);
  mountControls(part.controls, shared);
  mountMachine(part.machine, shared);
  mountGraph(part.graph, shared);
  mountTable(part.table, shared);
  mountTransport(part.transport, shared);
  mountAnswer(part.answer, shared);
  mountBars(part.bars, shared);
  mountInspector(part.inspector, shared);

  props.receive(value => {
    if (typeof value !== 'string' || !value.startsWith('[')) return;
    store.take(JSON.parse(value));
  });

  // The machine is drawn again shortly after its inputs change; one request at a time, the latest wins.
  let timer, drawn, busy = false;
  store.on('inputs', () => {
    if (store.machineKey() === drawn) return;
    drawn = store.machineKey();
    clearTimeout(timer);
    timer = setTimeout(draw, DRAW_AFTER);
  });
  async function draw() {
    if (!store.state.inputs.model) return;
    if (busy || store.live()) {
      timer = setTimeout(draw, DRAW_AFTER);
      return;
    }
    busy = true;
    const asked = store.machineKey();
    const slow = setTimeout(() => store.reading(true), 400);
    try {
      const message = await props.draw(request());
      if (asked === store.machineKey()) store.draw(message);
    } catch (error) {
      const message = 'the server did not answer';
      store.draw({ kind: 'error', error: { message, text: `${message}: ${error?.message ?? error}` } });
    } finally {
      busy = false;
      clearTimeout(slow);
      store.reading(false);
    }
  }

  /** Put an example on the page, with its recorded run where it has one. */
  async function load(example) {
    if (store.live()) actions.stop();
    const { tools, question, scheme, start, model, results, documentation } = example;
    const given = { tools, question, scheme, start, model, results, documentation, values: {}, method: 'guided', ...example.settings };
    for (const name of ['values', 'temperature', 'top_p', 'top_k', 'seed', 'max_tokens']) {
      if (example[name] !== undefined) given[name] = example[name];
    }
    for (const name of Object.keys(given)) if (given[name] === undefined) delete given[name];
    store.state.example = example;
    store.change(given);
    clearTimeout(timer);
    const recorded = example.recorded && await fetch(new URL(`examples/${example.id}${phone.matches ? '.down' : ''}.run.json`, import.meta.url))
      .then(answer => (answer.ok ? answer.json() : null)).catch(() => null);
    if (store.state.example !== example || store.live()) return;
    if (recorded) store.replay(recorded);
    else draw();
  }

  const linked = readLink(location.hash, store.state.inputs);
  if (linked) store.change(linked);
  else load(props.options.examples[0]);
  root.dataset.ready = 'true';
}
