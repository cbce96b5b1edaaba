// The tab's address and history: each view is an entry of its own, a link leaves the address with the first change.

import { isLink, readLink, tells } from './share.js';

/** `views` are their names; `follow()` puts on the page what the address asks for. */
export function keepAddress(store, views, follow) {
  let going = false; // the browser goes back, forward, or to an address that somebody has typed
  let hash = '', linked = null;
  write(store.state.view, location.href);

  store.on('view', ({ view }) => {
    if (!going && view !== history.state?.view) history.pushState({ ...history.state, view }, '', `#${view}`);
  });

  store.on('inputs questions lanes view', state => {
    if (location.hash !== hash) {
      hash = location.hash;
      linked = readLink(hash, state.inputs);
    }
    if (isLink(hash) && !(linked && tells(linked, state))) write(state.view); // a reload would bring back what no longer stands there
  });

  /** An entry that has been shown before tells its view alone: what stands there stays. */
  function arrive() {
    const { view } = history.state ?? {};
    going = true;
    if (!views.includes(view)) follow();
    else if (view !== store.state.view) store.show(view);
    going = false;
    if (!views.includes(view)) write(store.state.view, location.href);
  }
  addEventListener('popstate', arrive);
  addEventListener('hashchange', arrive);
}

/** The entry of a view, at its own address or at a link's. */
export const write = (view, address = `#${view}`) => history.replaceState({ ...history.state, view }, '', address);
