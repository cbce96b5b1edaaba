// What is wrong with the tools: asked beside drawing, shortly after the text has changed.

import { button } from './dom.js';
import { latest } from './latest.js';
import { replaced } from './edits.js';
import { outdatedFights } from './runs.js';

export function startChecking(store, wire) {
  let asked = null;
  const key = ({ tools, tools_format, model, documentation }) => [tools_format, model, documentation, tools].join('\n');

  const question = latest(() => {
    const { tools, tools_format, model, documentation } = store.state.inputs;
    asked = tools;
    return wire.ask({ ask: 'check', tools, tools_format, model, documentation });
  }, answer => {
    store.state.check = answer.kind === 'check' ? { ...answer, of: asked } : null;
    store.commit('check');
  });

  let known = null;
  store.on('inputs', ({ inputs }) => {
    if (key(inputs) === known) return;
    known = key(inputs);
    question.soon(store.state.view === 'check' ? 250 : 400); // what is looked at is asked for first
  });
}

/** The findings of the text as it stands, those of the last questions included; none while a new text is read. */
export function findingsOf({ check, fights, inputs }) {
  if (!check) return [];
  const advice = fights && !outdatedFights(fights, inputs) ? fights.advice : [];
  return [...advice, ...check.findings].sort((one, other) => one.line - other.line || one.column - other.column);
}

/** The text after the fixes of these findings. */
export const fixed = (text, findings) => replaced(text, findings.map(one => one.replacement).filter(Boolean));

/** What a fix's button says: short, and what it does. */
export function fixName({ code, tool, replacement: { text } }) {
  const short = text.length > 22 ? `${text.slice(0, 20)}…` : text;
  if (code === 'E101' || (code === 'E100' && tool)) return `Rename to ${short}`;
  if (['W301', 'W310', 'W324', 'E205'].includes(code)) return `Change to ${short}`;
  return code === 'E204' ? `Replace by ${short}` : 'Fix';
}

/** How many tools the toy, which has the paper's few tokens, can't spell, where it can spell none. */
export function unspelled({ check, inputs }) {
  if (inputs.model !== 'toy' || check?.of !== inputs.tools) return 0;
  const found = check.findings.filter(({ code }) => code === 'E610').length; // no more than some of each code are sent
  return found >= Math.min(check.in_machine, 20) ? found : 0;
}

/** Whether the toy can't spell the tools: that is no error of theirs, and Run takes the model in the box. */
export const isMute = state => unspelled(state) > 0;

/** Where the toy can't spell the tools, the first finding that says so offers another model. */
export function otherModel(one, store) {
  const { inputs } = store.state;
  if (one.code !== 'E610' || inputs.model !== 'toy' || findingsOf(store.state).find(({ code }) => code === 'E610') !== one) return null;
  return button('', 'Take the model in the box', { class: 'button small', onpointerdown: event => event.preventDefault(),
    onclick: () => store.change({ model: 'embedded' }) });
}
