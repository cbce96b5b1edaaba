// A link that carries inputs and questions in its hash, and of a run how it was opened and the step that is shown, of a
// comparison its ways: no file on the server, nothing sent anywhere. Runs are seeded, so that whoever opens the link sees the same one.

export function writeLink({ inputs, run, selected, view, lanes, questions }) {
  const { opening = [], opening_text = '', replaced = [] } = run.request ?? {};
  const shown = view !== 'trace' ? { view, lanes } : run.steps.length ? { run: { step: selected, opening, opening_text, replaced } } : {};
  const bytes = new TextEncoder().encode(JSON.stringify({ ...inputs, questions, ...shown }));
  let text = '';
  bytes.forEach(byte => { text += String.fromCharCode(byte); });
  const hash = btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  return `${location.origin}${location.pathname}${location.search}#t=${hash}`;
}

const LINK = /^#t=([\w-]+)$/;

/** Whether a hash means to be a link, though it may have been cut. */
export const isLink = hash => hash.startsWith('#t=');

/** The inputs of a link, only those of the kinds that `like` has, and its run if it has one; null where the hash holds none. */
export function readLink(hash, like) {
  const found = LINK.exec(hash);
  if (!found) return null;
  try {
    const text = atob(found[1].replaceAll('-', '+').replaceAll('_', '/'));
    const values = JSON.parse(new TextDecoder().decode(Uint8Array.from(text, sign => sign.charCodeAt(0))));
    const inputs = fitting(values, like);
    return Object.keys(inputs).length ? { inputs, run: readRun(values.run), view: String(values.view ?? 'trace'),
      lanes: readLanes(values.lanes), questions: String(values.questions ?? '') } : null;
  } catch {
    return null;
  }
}

/** Whether a link's inputs, questions and ways are those that stand there. */
export function tells(link, { inputs, questions, lanes }) {
  const same = (one, other) => one === other || JSON.stringify(one) === JSON.stringify(other);
  return link.questions === questions && (!link.lanes || same(link.lanes, lanes))
    && Object.keys(link.inputs).every(name => same(link.inputs[name], inputs[name]));
}

/** Of values from elsewhere, the inputs that are of the kind that `like` has. */
export function fitting(values, like) {
  const fits = name => values[name] != null && typeof values[name] === typeof like[name] && !Array.isArray(values[name]);
  return Object.fromEntries(Object.keys(like).filter(fits).map(name => [name, values[name]]));
}

function readRun(run) {
  const { step, opening, opening_text, replaced = [] } = run ?? {};
  if (!Number.isInteger(step) || ![opening, replaced].every(Array.isArray) || typeof opening_text !== 'string') return null;
  return { step, request: { opening: opening.filter(Number.isInteger), opening_text, replaced } };
}

export const readLanes = lanes => (Array.isArray(lanes) ? lanes.filter(one => one && typeof one === 'object') : null);
