// A link that carries the inputs in its hash: no file on the server, nothing sent anywhere.

const NAMES = ['tools', 'question', 'scheme', 'start', 'model', 'documentation', 'results', 'values', 'method',
  'temperature', 'top_p', 'top_k', 'seed', 'max_tokens'];

export function writeLink(inputs) {
  const bytes = new TextEncoder().encode(JSON.stringify(Object.fromEntries(NAMES.map(name => [name, inputs[name]]))));
  let text = '';
  bytes.forEach(byte => { text += String.fromCharCode(byte); });
  const hash = btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  return `${location.origin}${location.pathname}${location.search}#t=${hash}`;
}

/** The inputs of a link, only those of the kinds that `like` has; null where the hash holds none. */
export function readLink(hash, like) {
  const found = /^#t=([\w-]+)$/.exec(hash);
  if (!found) return null;
  try {
    const text = atob(found[1].replaceAll('-', '+').replaceAll('_', '/'));
    const values = JSON.parse(new TextDecoder().decode(Uint8Array.from(text, sign => sign.charCodeAt(0))));
    const kept = NAMES.filter(name => values[name] != null && typeof values[name] === typeof like[name] && !Array.isArray(values[name]));
    return kept.length ? Object.fromEntries(kept.map(name => [name, values[name]])) : null;
  } catch {
    return null;
  }
}
