// Under the editor: all fixes at once, back again, and what would be left after them.

import { button, h, put } from './dom.js';
import { findingsOf, fixed } from './checking.js';
import { canUndo, undo, write } from './edits.js';
import { count, milliseconds } from './tokens.js';

export function mount(element, { store }) {
  const all = button('', 'Fix all', { class: 'button primary', onclick: () => write(fixed(store.state.inputs.tools, findingsOf(store.state))) });
  const back = button('', 'Undo', { class: 'button', hidden: true, onclick: undo });
  const open = button('', 'Open in Trace', { class: 'button', onclick: () => store.show('trace') });
  const time = h('span', { class: 'aside' });
  const after = h('div', { class: 'after', hidden: true });
  put(element, h('div', { class: 'row' }, all, back, open, time), after);

  store.on('check inputs fights view', state => {
    const { check, inputs } = state;
    const fresh = check?.of === inputs.tools;
    const fixes = findingsOf(state).filter(one => one.replacement);
    all.hidden = !fixes.length;
    all.disabled = !fresh;
    all.querySelector('span').textContent = fixes.length === 1 ? 'Fix 1' : `Fix all ${count(fixes.length)}`;
    back.hidden = !canUndo();
    time.textContent = !check ? '' : fresh ? `checked as you type, ${milliseconds(check.milliseconds)}` : 'checking…';
    const left = check && fixes.length > 0 && (check.after ?? check); // W310's fixes are of runs: the check knows nothing of them
    const told = check && (findingsOf(state).length - check.findings.length);
    after.hidden = !left || (!check.after && !told);
    if (left) put(after, figures({ ...check, after: left }, fixes.length, told, findingsOf(state).filter(one => one.code === 'W310' && !one.replacement).length));
  });
}

/** `advice` warnings come from runs, and of those `kept` have no fix. */
function figures({ counts, in_machine: held, tools, after }, fixes, advice, kept) {
  const hints = after.codes.filter(code => code[0] === 'H').join(', ');
  return [h('h3', null, fixes === 1 ? 'After the fix' : `After the ${count(fixes)} fixes`), h('dl', null,
    row('Tools in the machine', `${count(held)} → ${count(after.in_machine)} of ${count(Math.max(tools, after.tools))}`),
    row('Errors', `${count(counts.error)} → ${count(after.counts.error)}`),
    row('Warnings', `${count(counts.warning + advice)} → ${count(after.counts.warning + kept)}`),
    row(hints ? `Hints left: ${hints}` : 'Hints', `${count(counts.hint)} → ${count(after.counts.hint)}`))];
}

const row = (name, value) => [h('dt', null, name), h('dd', null, value)];
