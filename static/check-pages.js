// The page of a check: what it says and why, a bad and a good example.

import { button, h, put } from './dom.js';
import { highlight } from './highlight.js';

/** `show(code)` opens the page of a check, or closes it. */
export function pages(store) {
  const element = h('section', { class: 'about-check', hidden: true, tabindex: '-1' });
  let shown = null;

  function close() {
    shown = null;
    element.hidden = true;
  }

  function show(code) {
    const page = store.state.check?.pages[code];
    if (!page || shown === code) return close();
    shown = code;
    element.hidden = false;
    element.setAttribute('aria-label', `${code}: ${page.title}`);
    put(element, h('header', null, h('h3', null, h('b', null, code), ` ${page.title}`), button('close', '', { class: 'button square small', label: 'Close', onclick: close })),
      h('p', null, page.why), h('div', { class: 'examples-of' }, example('Bad', 'error', page.bad), example('Good', 'ok', page.good)));
    return element.focus({ preventScroll: true });
  }
  element.addEventListener('keydown', event => { if (event.key === 'Escape') close(); });
  store.on('check', ({ check }) => { if (shown && !check?.pages[shown]) close(); });
  return { element, show };
}

const example = (word, kind, text) => h('figure', null, h('figcaption', { class: kind }, word),
  h('pre', { tabindex: '0' }, text.split('\n').map(line => [highlight(line).map(([piece, type]) => h('span', { class: type ? `is-${type}` : null }, piece)), '\n'])));
