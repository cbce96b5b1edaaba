// What is put on the page as a whole: an example, a run of another view, what was typed before, what a link holds.

import { readLink } from './share.js';

const PLAIN = { tools_format: 'auto', values: {}, method: 'guided', quote: false, temperature: 0, top_p: 1, top_k: 0, seed: 0 }; // unless an example says more

export function createPutting({ store, wire, request, actions, drawing, draft, phone, views }) {
  /** Put an example on the page, with its recorded run where it has one. */
  async function load(example) {
    if (store.live()) actions.stop();
    draft.leave();
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

  /** Put back what was typed before an example, or before the page was left. */
  function restore() {
    if (store.live()) actions.stop();
    const { inputs: typed, questions } = draft.kept;
    Object.assign(store.state, { example: null, questions, base: typed.tools ?? '' });
    store.change({ ...PLAIN, ...typed });
    store.commit('questions');
    drawing.now();
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
  function repeat({ inputs: given, run, view, lanes, questions }) {
    if (store.live()) actions.stop();
    draft.leave();
    Object.assign(store.state, { example: null, lanes, questions });
    store.change(given);
    store.commit('questions');
    if (views.includes(view)) store.show(view);
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

  /** What the address asks for: a link's inputs and run, or one of the views. */
  function follow() {
    const linked = readLink(location.hash, store.state.inputs);
    const view = views.find(name => `#${name}` === location.hash);
    if (linked) repeat(linked);
    if (view) store.show(view);
    return linked != null;
  }

  /** What stands there when the page opens: what its address asks for, what was typed, or the first example. */
  function arrive() {
    const typed = draft.shown;
    const { examples } = store.state.options;
    if (!follow()) {
      if (typed) restore();
      else load(examples.find(one => one.view === store.state.view) ?? examples[0]);
    }
    addEventListener('hashchange', follow);
  }

  return { load, restore, open, arrive };
}
