// Where the lines of an answer may end: between the arguments of a call, not inside of a value.

import { h } from './dom.js';

/** A call's text in parts: a line may end behind its brackets and commas, and doesn't behind a hyphen. */
export function parted(text, kind) {
  if (kind === 'text') return text;
  return text.split(/(?<=[,([{])(?=\S)|(?=-)|(?<=-)/)
    .map(part => (part === '-' ? h('span', { class: 'joint' }, part) : [part, /[,([{]$/.test(part) && h('wbr')]));
}
