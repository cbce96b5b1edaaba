// How tokens, states and numbers are written for people.

import { h } from './dom.js';

export const MODES = { text: 'text mode', name: 'tool name', argument: 'argument', result: 'result', end: 'text mode' };

const SIGNS = { ' ': '␣', '\n': '↵', '\t': '⇥', '\r': '␍', '\u00a0': '⍽' };

/** " is\n" → "␣is↵"; other control characters as ⟨1B⟩. */
export function visible(token) {
  return String(token)
    .replace(/[ \n\t\r\u00a0]/g, sign => SIGNS[sign])
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
      sign => `⟨${sign.codePointAt(0).toString(16).toUpperCase().padStart(2, '0')}⟩`) || '∅';
}

/** A token in a frame whose line tells the mode. */
export function chip(token, mode, attributes = {}) {
  const text = visible(token);
  const short = text.length > 24 ? `${text.slice(0, 22)}…` : text;
  return h('span', { title: short === text ? null : text, ...attributes,
    class: `chip mode-${mode} ${attributes.class ?? ''}` }, short);
}

/** s12 with its number below the line; other names as they are. */
export function stateName(name, mode) {
  const parts = /^([a-zA-Z]{1,2})(\d+)$/.exec(name ?? '');
  const text = parts ? [parts[1], h('sub', null, parts[2])] : [name ?? ''];
  return h('span', { class: mode ? `state mode-${mode}` : 'state' }, ...text);
}

/** s10 of divide.b: Figure 2 gives each argument of a type the same names. Of a box or of a step. */
export const ownName = ({ name, state_name, tool, parameter }) => (name ?? state_name) + (parameter ? ` of ${tool}.${parameter}` : '');

/** The paper's names of steps: t, t+1, … */
export const stepName = index => (index ? `t+${index}` : 't');

export const isEnd = step => step.end === 'eos';

/** What a step chose, as a word: the token, or "end". */
export const choice = step => (isEnd(step) ? 'end' : visible(step.token));

/** Whether a step's P̂ isn't P kept by the mask: names were weighed, or arguments searched for, as wholes. */
export function isWeighed({ candidates, token_id, mass_kept }) {
  const chosen = candidates.find(one => one.token_id === token_id);
  return Boolean(chosen) && Math.abs(chosen.before / mass_kept - chosen.after) > 0.001;
}

/** 0.297 → "29.7 %" */
export function percent(share) {
  const value = share * 100;
  if (value > 0 && value < 0.1) return '< 0.1 %';
  if (value < 100 && value > 99.9) return '> 99.9 %';
  return `${value === 100 || value === 0 ? value : value.toFixed(1)} %`;
}

/** 0.274; a small number is never shown as nothing. */
export function probability(value) {
  if (value > 0 && value < 0.0005) return '<0.001';
  return value.toFixed(3);
}

/** 0.274, and two digits of a small number: 3.1e-5 → 3.1·10⁻⁵. */
export function exactly(value) {
  if (value === 0 || value >= 0.0005) return probability(value);
  const [digits, power] = value.toExponential(1).split('e-');
  return `${digits}·10⁻${[...power].map(digit => '⁰¹²³⁴⁵⁶⁷⁸⁹'[digit]).join('')}`;
}

export const count = number => Number(number ?? 0).toLocaleString('en-US');

export const plural = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`;

export function milliseconds(value) {
  if (value >= 10000) return `${(value / 1000).toFixed(1)} s`;
  return `${value >= 100 ? Math.round(value) : value.toFixed(1)} ms`;
}
