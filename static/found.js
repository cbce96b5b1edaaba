// The calls that a search has found, before the first token of one is taken.

import { h } from './dom.js';
import { percent, visible } from './tokens.js';

/** A list of a step's calls, or nothing. */
export function foundCalls({ found, tool, mode }) {
  if (!found?.length) return null;
  const row = ({ text, share }) => h('li', null, h('i', { style: `width:${share * 100}%` }), h('code', { class: 'mono' }, visible(text)), h('span', null, percent(share)));
  return h('section', { class: `found mode-${mode}` },
    h('h3', null, 'Calls that the search found', h('small', null, 'how ', h('code', { class: 'mono' }, tool), ' may go on, and its share P̂')),
    h('ol', null, found.map(row)));
}
