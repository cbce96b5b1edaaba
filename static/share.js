// A link that carries the inputs in its hash: no file on the server, nothing sent anywhere.

const NAMES = ['tools', 'question', 'scheme', 'start', 'model', 'documentation', 'results', 'values', 'method',
  'temperature', 'top_p', 'top_k', 'seed', 'max_tokens'];

/** `more` is what a view adds: {view, lanes}. */
export function writeLink(inputs, more = {}) {
  const told = { ...Object.fromEntries(NAMES.map(name => [name, inputs[name]])), ...more };
  const bytes = new TextEncoder().encode(JSON.stringify(told));
  let text = '';
  bytes.forEach(byte => { text += String.fromCharCode(byte); });
  const hash = btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  return `${location.origin}${location.pathname}${location.search}#t=${hash}`;
}

/** The inputs of a link, only those of the kinds that `like` has; null where the hash holds none. */
export function readLink(hash, like) {
  const values = read(hash);
  const kept = NAMES.filter(name => values?.[name] != null && typeof values[name] === typeof like[name] && !Array.isArray(values[name]));
  return kept.length ? Object.fromEntries(kept.map(name => [name, values[name]])) : null;
}

/** The view that a link opens, one of `names`, and the ways that it compares. */
export function readView(hash, names) {
  const { view, lanes } = read(hash) ?? {};
  return { view: names.includes(view) ? view : names[0], lanes: Array.isArray(lanes) ? lanes.filter(one => one && typeof one === 'object') : null };
}

function read(hash) {
  const found = /^#t=([\w-]+)$/.exec(hash);
  if (!found) return null;
  try {
    const text = atob(found[1].replaceAll('-', '+').replaceAll('_', '/'));
    const values = JSON.parse(new TextDecoder().decode(Uint8Array.from(text, sign => sign.charCodeAt(0))));
    return typeof values === 'object' ? values : null;
  } catch {
    return null;
  }
}
