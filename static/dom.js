// Elements are made one by one, never from markup: whatever a user, a tool or a model wrote only ever becomes text.

export const SVG = 'http://www.w3.org/2000/svg';

/** h('p', {class: 'note', onclick: f}, 'text', child): null and false children and attributes are left out. */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Replace what an element holds. */
export function put(element, ...children) {
  element.replaceChildren(...children.flat(3).filter(child => child != null && child !== false));
  return element;
}

/** The same of nodes only; those that stay aren't touched, so that nothing is laid out anew for them. */
export function refill(element, children) {
  const staying = new Set(children);
  [...element.childNodes].forEach(one => staying.has(one) || one.remove());
  let at = element.firstChild;
  for (const child of children) {
    if (child === at) at = at.nextSibling;
    else element.insertBefore(child, at);
  }
}

/** Set an element's text only where it changes, so that nothing flickers and selections stay. */
export function say(element, text) {
  if (element.textContent !== String(text)) element.textContent = text;
}

/** How the page scrolls: it glides unless somebody wants no motion. */
export const glide = () => (matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth');

/** Bring an element into sight. */
export const bring = (element, block = 'nearest') => element.scrollIntoView({ block, behavior: glide() });

/** "unknown type `strng`" with what stands between backticks as code, blanks alone as a sign that can be seen. */
export function prose(text) {
  const seen = piece => (piece.trim() ? piece : piece.replaceAll(' ', '␣'));
  return String(text ?? '').split(/`([^`]*)`/).map((piece, index) => (index % 2 ? h('code', null, seen(piece)) : piece));
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value == null || value === false) continue;
    if (typeof value === 'function') node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? '' : value);
  }
  for (const child of children.flat(3)) {
    if (child != null && child !== false) node.append(child);
  }
  return node;
}

// 24-unit icons of one path each; `true`: drawn by its outline.
const ICONS = {
  play: ['M8 5v14l11-7z'],
  pause: ['M7 5h4v14H7zM13 5h4v14h-4z'],
  stop: ['M6 6h12v12H6z'],
  first: ['M6 5h2.4v14H6zM19 5v14L9 12z'],
  last: ['M15.6 5H18v14h-2.4zM5 5v14l10-7z'],
  back: ['M16 5v14L7 12z'],
  forward: ['M8 5v14l9-7z'],
  plus: ['M12 5v14M5 12h14', true],
  minus: ['M5 12h14', true],
  fit: ['M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5', true],
  share: ['M12 15V4M8 7.5 12 3.5l4 4M6 12H4v8h16v-8h-2', true],
  down: ['M12 4v11M7.5 11 12 15.5 16.5 11M4 16v4h16v-4', true],
  theme: ['M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 2v14a7 7 0 0 1 0-14z'],
  close: ['M6 6l12 12M18 6 6 18', true],
  pin: ['M9 4h6l-1 6 3 3H7l3-3zM12 13v7', true],
  check: ['M5 12.5 10 17.5 19 7', true],
  barred: ['M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM6.5 17.5l11-11', true],
  next: ['M9 6l6 6-6 6', true],
  error: ['M8.5 3h7L21 8.500v7L15.500 21h-7L3 15.500v-7zM9 9l6 6M15 9l-6 6', true],
  warning: ['M12 4 2.500 20h19zM12 10v5M12 17.200v.6', true],
  hint: ['M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v6M12 7.300v.6', true],
};

export function icon(name) {
  const [path, outlined] = ICONS[name];
  return svg('svg', { class: outlined ? 'icon outlined' : 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' },
    svg('path', { d: path }));
}

/** A button with an icon and, where there is no text, a name for those who cannot see it. */
export function button(name, text, attributes, ...more) {
  const { label, ...rest } = attributes;
  return h('button', { type: 'button', 'aria-label': label, title: label, ...rest }, name && icon(name),
    text && h('span', null, text), ...more);
}

/** Offer a text as a file. */
export function download(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  h('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
