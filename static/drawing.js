// The machine is drawn again shortly after its inputs change: one request at a time, and the latest wins. What changes
// during a run is drawn when that has ended.

const AFTER = 300; // milliseconds
const SLOW = 400; // then the page says that the model is getting ready

export function startDrawing(store, ask) {
  let timer, drawn, busy = false, live = false;

  store.on('inputs', () => {
    if (store.machineKey() === drawn) return;
    drawn = store.machineKey();
    skip();
    timer = setTimeout(now, AFTER);
  });

  store.on('run', ({ run }) => {
    const ended = live && !store.live();
    live = store.live();
    if (!ended) return;
    if (run.key !== store.machineKey()) run.overtaken = store.machineKey();
    else if (!store.state.stale) return; // a run that failed before it had a machine has drawn none
    now();
  });

  function skip() {
    clearTimeout(timer);
  }

  async function now() {
    skip();
    if (!store.state.inputs.model) return;
    if (store.live()) {
      store.outdate();
      return;
    }
    if (busy) {
      timer = setTimeout(now, AFTER);
      return;
    }
    busy = true;
    const asked = store.machineKey();
    const slow = setTimeout(() => store.reading(true), SLOW);
    try {
      const message = await ask();
      if (message && asked === store.machineKey()) store.draw(message);
    } catch (error) {
      const message = 'the server did not answer';
      store.draw({ kind: 'error', error: { message, text: `${message}: ${error?.message ?? error}` } });
    } finally {
      busy = false;
      clearTimeout(slow);
      store.reading(false);
    }
  }

  return { now, skip };
}
