// What the server tells of a state, visited or not: all its tokens page by page, and why a text can't stand there.

import { button, h, icon, prose, put } from './dom.js';
import { latest } from './latest.js';
import { chip, count, stateName, visible } from './tokens.js';

const AFTER = 120; // milliseconds
const TEXT = 'a text';

/** Parts of the inspector for a box: its tokens, what it expects, and why a text can't stand there. */
export function looker(store, wire, request) {
  let place = null, answer = null, listed = [], from = 0; // `from`: with which of its tokens the next page begins
  const expected = h('span');
  const tokens = h('div', { class: 'list' });
  const found = h('span', { class: 'aside' });
  const seek = h('input', { type: 'search', placeholder: 'search', 'aria-label': 'Search the allowed tokens', spellcheck: 'false', oninput: () => { listed = []; from = 0; question.soon(); } });
  const more = button('', 'More', { class: 'button small', hidden: true, onclick: () => { from = listed.length; question.now(); } });
  const typed = h('input', { type: 'text', placeholder: TEXT, 'aria-label': 'Why not', spellcheck: 'false', autocomplete: 'off', oninput: () => question.soon() });
  const reason = h('span', { class: 'reason', role: 'status' });

  const question = latest(() => {
    if (!place) return null;
    const now = place, find = seek.value;
    return wire.ask({ ...request(), ask: 'look', box: now.box, entered: now.entered ?? '', find, offset: from, why: typed.value })
      .then(message => ({ message, now, find }));
  }, ({ message, now, find, kind, error }) => {
    if (kind === 'error' || message?.kind === 'error') {
      put(found, (error ?? message.error).message);
      return;
    }
    if (!message || now !== place || find !== seek.value) return;
    answer = message;
    listed = [...listed.slice(0, message.allowed.offset), ...message.allowed.tokens];
    show();
  }, AFTER);

  function show() {
    const { total, found: hits, whole, host } = answer.allowed;
    put(expected, prose(answer.expected));
    put(found, host ? 'none: the host writes' : seek.value ? `${count(hits)} of ${count(total)}` : whole ? `whole vocabulary, ${count(total)}` : count(total));
    const to = one => h('span', { class: 'to' }, chip(one.token, place.mode), one.next_name && [' to ', stateName(one.next_name)]);
    put(tokens, listed.map(to));
    more.hidden = listed.length >= hits;
    seek.hidden = total <= 12 && !seek.value;
    const why = answer.why;
    put(reason, why && why.text === typed.value && (why.reason ? [icon('barred'), h('span', null, prose(why.reason))] : [icon('check'), 'it can stand here']));
  }

  return {
    tokens: [h('div', { class: 'seek' }, seek, found), tokens, more],
    why: h('div', { class: 'why' }, typed, reason),
    expected,
    /** Be at a box; what a run had written of the call when it was there tells the very state. Only a box that
     *  somebody looks at is asked about at once: stepping asks nobody. */
    at(box, entered, mode, looked, step) {
      const { picture } = store.state;
      typed.placeholder = wanted(step);
      if (place?.box === box && place.picture === picture && place.looked === looked && (looked || place.entered === entered)) return;
      place = { box, entered, mode, picture, looked };
      [listed, from] = [[], 0];
      seek.value = '';
      typed.value = '';
      [reason, tokens, found, expected].forEach(one => put(one));
      more.hidden = true;
      if (looked) question.soon();
    },
  };
}

/** What one would ask about: the most probable token that the mask blocked at a step. */
function wanted(step) {
  const blocked = (step?.candidates ?? []).filter(one => !(one.after > 0));
  const [most] = blocked.sort((one, other) => other.before - one.before);
  return most ? visible(most.token) : TEXT;
}
