// Who hears of a change: views listen to topics, and each is told once however many of its topics were touched.
// A view that must measure or scroll returns a function for it, which runs when all views have written.

export function createTopics(state) {
  const listeners = new Map();
  const dirty = new Set();

  const on = (topics, act) => topics.split(' ').forEach(topic => {
    if (!listeners.has(topic)) listeners.set(topic, new Set());
    listeners.get(topic).add(act);
  });

  const touch = topics => topics.split(' ').forEach(topic => dirty.add(topic));

  function commit(topics = '') {
    if (topics) touch(topics);
    const acts = new Set([...dirty].flatMap(topic => [...(listeners.get(topic) ?? [])]));
    dirty.clear();
    const measures = [...acts].map(act => act(state)).filter(measure => typeof measure === 'function');
    measures.forEach(measure => measure());
  }

  let waiting = false;
  /** Tell the views with the next frame: what streams in faster than it can be shown is shown together. */
  function soon(topics) {
    touch(topics);
    if (waiting) return;
    waiting = true;
    const tell = () => {
      if (!waiting) return;
      waiting = false;
      clearTimeout(late);
      commit();
    };
    const late = setTimeout(tell, 200); // a hidden tab has no frames
    requestAnimationFrame(tell);
  }

  return { on, touch, commit, soon };
}
