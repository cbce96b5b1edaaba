// The whole page: its views, and what they share. props: options, ask(request), run(request), stop(), receive(take).

import { h } from './dom.js';
import { createStore } from './store.js';
import { createWire } from './wire.js';
import { isMute } from './checking.js';
import { mount as mountCheck } from './check.js';
import { mount as mountCompare } from './compare.js';
import { mount as mountCut } from './cut.js';
import { mount as mountDecoding } from './decoding.js';
import { mount as mountEditor } from './editor.js';
import { mount as mountExamples } from './examples.js';
import { mount as mountHeader } from './header.js';
import { mount as mountInputs } from './inputs.js';
import { mount as mountPrompt } from './prompt.js';
import { mount as mountTrace } from './trace.js';
import { createNote } from './note.js';
import { createOpening } from './opening.js';
import { createDraft } from './draft.js';
import { createPutting } from './putting.js';
import { knowMethods } from './runs.js';
import { startChecking } from './checking.js';
import { startDrawing } from './drawing.js';

const VIEWS = [
  { name: 'trace', label: 'Trace', mount: mountTrace },
  { name: 'compare', label: 'Compare', mount: mountCompare },
  { name: 'check', label: 'Check', mount: mountCheck },
];

export function mount(element, props) {
  const root = element.querySelector('.tooldec');
  knowMethods(props.options.methods);
  const store = createStore(props.options);
  const draft = createDraft(store);
  const wire = watched(createWire(props), () => store.commit('work'));
  const header = h('header', { class: 'header' });
  const cut = h('div', { class: 'cut', role: 'alert', hidden: true });
  const examples = h('nav', { class: 'examples', 'aria-label': 'Examples' });
  /** What every view shows; the one that is open takes them in. */
  const inputs = {
    editor: h('section', { class: 'editor-panel' }),
    question: h('section', { class: 'question-panel' }),
    settings: h('details', { class: 'settings', open: true }),
  };

  const phone = matchMedia('(max-width: 700px)');
  /** What the server is asked: the inputs, which way the picture should grow, and what is opened in it. */
  const request = () => {
    const { inputs: given, base, opened, unfolded } = store.state;
    return { ...structuredClone(given), base, direction: phone.matches ? 'TB' : 'LR', opened, unfolded };
  };

  const actions = {
    run() {
      if (store.live()) return;
      if (isMute(store.state)) store.change({ model: 'embedded' });
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
    load: example => putting.load(example),
    restore: () => putting.restore(),
    open: (...run) => putting.open(...run),
    draw: () => drawing.now(),
    turn: (...box) => opening.turn(...box),
  };
  const shared = { store, actions, wire, request, inputs };
  const views = VIEWS.map(({ name, mount: fill }) => {
    const part = h('div', { class: name === 'trace' ? 'board' : name, 'data-view': name });
    fill(part, shared);
    return part;
  });
  root.replaceChildren(header, cut, examples, ...views);
  store.on('view', ({ view }) => views.forEach(part => { part.hidden = part.dataset.view !== view; }));
  mountHeader(header, { ...shared, views: VIEWS });
  mountCut(cut, shared);
  mountExamples(examples, { ...shared, draft });
  mountEditor(inputs.editor, shared);
  mountInputs(inputs.question, { ...shared, settings: inputs.settings });
  mountDecoding(inputs.settings, shared);
  mountPrompt(inputs.settings, shared);
  store.show('trace');

  const drawing = startDrawing(store, () => wire.ask({ ask: 'draw', ...request() }));
  startChecking(store, wire);
  const opening = createOpening({ store, ask: wire.ask, request, tell: createNote(root) });
  const putting = createPutting({ store, wire, request, actions, drawing, draft, phone, views: VIEWS.map(({ name }) => name) });

  store.on('run', () => root.classList.toggle('live', store.live()));

  putting.arrive();
  root.dataset.ready = 'true';
}

/** The wire, and whether anything runs on it, of whatever view; `changed` is told when that changes. */
function watched(wire, changed) {
  let taker = null, heard = null, was = false;
  const live = () => taker?.live() ?? false;
  const look = () => {
    if (was === live()) return;
    was = live();
    changed();
  };
  return {
    ...wire,
    live,
    run(request, next) {
      if (taker !== next) heard = Object.assign(Object.create(next), { take(messages) { next.take(messages); look(); } });
      taker = next;
      wire.run(request, heard);
      look();
    },
    stop() {
      wire.stop();
      queueMicrotask(look); // when whoever stops it has said so
    },
  };
}
