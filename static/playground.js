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
import { startDrawing } from './drawing.js';

const SILENCE = 12000; // milliseconds
const PLAIN = { values: {}, method: 'guided', temperature: 0, top_p: 1, top_k: 0, seed: 0 }; // unless an example says more

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
      drawing.skip();
      heard = Date.now();
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
    heard = Date.now();
    store.take(JSON.parse(value));
  });
  // A run that falls silent while the server is gone has failed.
  let heard = 0;
  setInterval(() => {
    if (!store.live() || Date.now() - heard < SILENCE) return;
    fetch(import.meta.url, { method: 'HEAD', cache: 'no-store' }).catch(() => {
      const message = 'the connection to the server is lost';
      store.take([{ kind: 'error', error: { message, fix: 'reload the page', text: message } }]);
    });
  }, SILENCE / 2);

  const drawing = startDrawing(store, () => props.draw(request()));

  /** Put an example on the page, with its recorded run where it has one. */
  async function load(example) {
    if (store.live()) actions.stop();
    const { id, title, subtitle, note, step, recorded: kept, ...given } = example;
    store.state.example = example;
    store.change({ ...PLAIN, ...given });
    drawing.skip();
    const file = new URL(`examples/${id}${phone.matches ? '.down' : ''}.run.json`, import.meta.url);
    const recorded = kept && await fetch(file).then(answer => (answer.ok ? answer.json() : null)).catch(() => null);
    if (store.state.example !== example || store.live()) return;
    if (recorded) store.replay(recorded);
    else drawing.now();
  }

  store.on('run', () => root.classList.toggle('live', store.live()));

  const linked = readLink(location.hash, store.state.inputs);
  if (linked) store.change(linked);
  else load(props.options.examples[0]);
  root.dataset.ready = 'true';
}
