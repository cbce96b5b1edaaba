// The whole page: its views, and what they share. props: options, ask(request), run(request), stop(), receive(take).

import { h } from './dom.js';
import { createStore } from './store.js';
import { createWire } from './wire.js';
import { mount as mountCheck } from './check.js';
import { mount as mountCompare } from './compare.js';
import { mount as mountDecoding } from './decoding.js';
import { mount as mountEditor } from './editor.js';
import { mount as mountExamples } from './examples.js';
import { mount as mountHeader } from './header.js';
import { mount as mountInputs } from './inputs.js';
import { mount as mountPrompt } from './prompt.js';
import { mount as mountTrace } from './trace.js';
import { readLink } from './share.js';
import { startChecking } from './checking.js';
import { startDrawing } from './drawing.js';

const VIEWS = [
  { name: 'trace', label: 'Trace', mount: mountTrace },
  { name: 'compare', label: 'Compare', mount: mountCompare },
  { name: 'check', label: 'Check', mount: mountCheck },
];
const PLAIN = { tools_format: 'auto', values: {}, method: 'guided', temperature: 0, top_p: 1, top_k: 0, seed: 0 }; // unless an example says more

export function mount(element, props) {
  const root = element.querySelector('.tooldec');
  const store = createStore(props.options);
  const wire = createWire(props);
  const header = h('header', { class: 'header' });
  const examples = h('nav', { class: 'examples', 'aria-label': 'Examples' });
  /** What every view shows; the one that is open takes them in. */
  const inputs = {
    editor: h('section', { class: 'editor-panel' }),
    question: h('section', { class: 'question-panel' }),
    settings: h('details', { class: 'settings', open: true }),
  };

  const phone = matchMedia('(max-width: 700px)');
  /** What the server is asked: the inputs, and which way the picture should grow. */
  const request = () => ({ ...structuredClone(store.state.inputs), base: store.state.base, direction: phone.matches ? 'TB' : 'LR' });

  const actions = {
    run() {
      if (store.live()) return;
      drawing.skip();
      store.begin();
      wire.run(request(), store);
    },
    /** Go on from a step of a run with another token, or with a text. */
    branch(from) {
      if (store.live()) return;
      drawing.skip();
      store.begin(from);
      wire.run({ ...from.request, direction: request().direction }, store);
    },
    stop() {
      wire.stop();
      store.stop();
    },
    load,
    open,
    draw: () => drawing.now(),
  };
  const shared = { store, actions, wire, request, inputs };
  const views = VIEWS.map(({ name, mount: fill }) => {
    const part = h('div', { class: name === 'trace' ? 'board' : name, 'data-view': name });
    fill(part, shared);
    return part;
  });
  root.replaceChildren(header, examples, ...views);
  store.on('view', ({ view }) => views.forEach(part => { part.hidden = part.dataset.view !== view; }));
  mountHeader(header, { ...shared, views: VIEWS });
  mountExamples(examples, shared);
  mountEditor(inputs.editor, shared);
  mountInputs(inputs.question, { ...shared, settings: inputs.settings });
  mountDecoding(inputs.settings, shared);
  mountPrompt(inputs.settings, shared);
  store.show('trace');

  const drawing = startDrawing(store, () => wire.ask({ ask: 'draw', ...request() }));
  startChecking(store, wire);

  /** Put an example on the page, with its recorded run where it has one. */
  async function load(example) {
    if (store.live()) actions.stop();
    const { id, title, subtitle, note, step, recorded: kept, view, lanes, wanted, answer, questions = '', ...given } = example;
    Object.assign(store.state, { example, questions, base: given.tools });
    const apart = view && view !== 'trace'; // its view shows the runs
    if (apart) store.state.machine = { model: store.state.machine?.model }; // the tools of the one there is are others
    store.change({ ...PLAIN, ...given });
    drawing.skip();
    store.commit('example');
    if (apart) { drawing.now(); return; }
    const file = new URL(`examples/${id}${phone.matches ? '.down' : ''}.run.json`, import.meta.url);
    const recorded = kept && await fetch(file).then(answer => (answer.ok ? answer.json() : null)).catch(() => null);
    if (store.state.example !== example || store.live()) return;
    if (recorded) store.replay(recorded);
    else drawing.now();
  }

  /** Show a run that another view has had, at one of its steps. */
  function open(given, messages, step) {
    if (store.live()) actions.stop();
    store.change(given);
    drawing.skip();
    store.show('trace');
    store.replay(messages);
    store.select(step);
  }

  /** What a link holds: its inputs and, where it has one, its run anew, at the step that was shown. */
  function repeat({ inputs: given, run, view, lanes }) {
    store.state.lanes = lanes;
    store.change(given);
    if (VIEWS.some(one => one.name === view)) store.show(view);
    if (!run) return;
    drawing.skip();
    store.begin();
    Object.assign(store.state.run.request, run.request);
    wire.run({ ...request(), ...run.request }, store);
    let done = false;
    store.on('run', ({ run: { phase } }) => {
      if (done || phase !== 'finished') return;
      done = true;
      store.select(run.step);
    });
  }

  store.on('run', () => root.classList.toggle('live', store.live()));

  const linked = readLink(location.hash, store.state.inputs);
  if (linked) repeat(linked);
  else load(props.options.examples[0]);
  root.dataset.ready = 'true';
}
