// How often a run was at a state, in words.

import { h } from './dom.js';
import { count, stateName, stepName, visible } from './tokens.js';

/** "visited once, at step t+4; entered from s1 by sq" */
export function visited(visits, step, from) {
  const where = visits.length === 1 ? `, at step ${stepName(step.index)}` : '';
  const came = from && from.box !== step.box
    && ['; entered from ', stateName(from.state_name), ' by ', h('code', { class: 'mono' }, visible(from.token))];
  return [`visited ${times(visits.length)}${where}`, came];
}

/** "; s10 of other arguments 3 times": Figure 2 gives each argument of a type the same names. */
export function namesakes(steps, { state_name, parameter }, inside) {
  const others = steps.filter(one => parameter && one.parameter && one.state_name === state_name && !inside(one)).length;
  return others > 0 && ['; ', stateName(state_name), ` of other arguments ${times(others)}`];
}

const times = number => (number === 1 ? 'once' : number === 2 ? 'twice' : `${count(number)} times`);
