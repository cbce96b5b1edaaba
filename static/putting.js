// What is put on the page as a whole: an example, a run of another view, what was typed before, what a link holds.

import { keepAddress, write } from './address.js';
import { isLink, readLink } from './share.js';
import { inputsOf } from './state.js';

const CLOSED = { opened: [], unfolded: [] }; // nobody has opened anything in the graph

export function createPutting({ store, wire, request, actions, drawing, draft, phone, views }) {
  const { options } = store.state;
  const placeOf = example => example.view ?? 'trace';
  let awaited = null; // {run, step} of a link, until its run is over

  /** Put an example on the page, with its recorded run where it has one. */
  async function load(example) {
    if (store.live()) actions.stop();
    draft.leave();
    const { id, recorded: kept, tools, base, questions = '' } = example;
    Object.assign(store.state, { example, linked: null, questions, base: base ?? tools, ...CLOSED });
    const apart = placeOf(example) !== 'trace'; // its view shows the runs
    if (apart) store.state.machine = { model: store.state.machine?.model }; // the tools of the one there is are others
    store.change(inputsOf(example, options));
    drawing.skip();
    store.commit('example');
    if (apart) { drawing.now(); return; }
    const file = new URL(`examples/${id}${phone.matches ? '.down' : ''}.run.json`, import.meta.url);
    const recorded = kept && await fetch(file).then(answer => (answer.ok ? answer.json() : null)).catch(() => null);
    if (store.state.example !== example || store.live()) return;
    if (recorded) store.replay(recorded);
    else drawing.now();
  }

  /** Put back what was typed before an example, or what stood there when the page was left. */
  function restore({ example: id, linked, inputs: typed, questions, lanes } = draft.kept) {
    if (store.live()) actions.stop();
    const example = options.examples.find(one => one.id === id) ?? null;
    const inputs = inputsOf(typed, options);
    const base = example?.tools === inputs.tools ? example.base ?? example.tools : inputs.tools;
    Object.assign(store.state, { example, linked: linked ? { ...typed, questions } : null, questions, base, ...CLOSED,
      lanes: lanes ?? store.state.lanes });
    store.change(inputs);
    store.commit('questions lanes');
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
    const own = draft.kept && ['tools', 'question'].every(name => draft.kept.inputs[name] === given[name]); // shared from here
    const inputs = inputsOf(given, options);
    Object.assign(store.state, { example: null, linked: own ? null : { ...given, questions }, questions, base: inputs.tools, ...CLOSED,
      lanes: lanes ?? store.state.lanes });
    store.change(inputs);
    if (views.includes(view)) store.show(view);
    store.commit('questions lanes');
    if (!run) return;
    drawing.skip();
    store.begin();
    Object.assign(store.state.run.request, run.request);
    awaited = { run: store.state.run, step: run.step };
    wire.run({ ...request(), ...run.request }, store);
  }

  store.on('run', ({ run }) => {
    if (!awaited || (run === awaited.run && store.live())) return;
    const { run: linked, step } = awaited;
    awaited = null;
    if (run === linked && run.phase === 'finished') store.select(step);
  });

  /** What the address asks for: a link's inputs and run, or one of the views. Whether it was a link. */
  function follow() {
    const linked = readLink(location.hash, store.state.inputs);
    const view = views.find(name => `#${name}` === location.hash);
    if (linked) repeat(linked);
    else if (isLink(location.hash)) tell('what stood here before');
    if (view) store.show(view);
    return linked != null;
  }

  /** A link that was cut on its way says so, and what is `shown` in its place; the address no longer holds it. */
  function tell(shown) {
    write(store.state.view);
    store.state.cut = shown;
    store.commit('cut');
  }

  /** What stands there when the page opens: what its address asks for, what stood there before, or the first example. */
  function arrive() {
    const { last } = draft;
    const { examples } = options;
    const cut = isLink(location.hash) && !readLink(location.hash, store.state.inputs);
    if (!follow()) {
      const mine = examples.filter(one => placeOf(one) === store.state.view);
      const before = examples.find(one => one.id === last?.example);
      if (last?.inputs) restore(last);
      else load(before && (!mine.length || mine.includes(before)) ? before : mine[0] ?? examples[0]);
    }
    if (cut) tell(last?.inputs ? 'what stood here before' : `the example “${store.state.example.title}”`);
    keepAddress(store, views, follow);
  }

  return { load, restore, open, arrive };
}
