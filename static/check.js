// Check: what is wrong with the tools, which one would be called, and where the model fought the machine.

import { unspelled } from './checking.js';
import { h } from './dom.js';
import { mount as mountCell } from './check-cell.js';
import { mount as mountFindings } from './check-findings.js';
import { mount as mountFixes } from './check-fixes.js';
import { mount as mountHeat } from './check-heat.js';
import { mount as mountQuestions } from './check-questions.js';
import { mount as mountRanking } from './check-ranking.js';
import { mount as mountSizes } from './check-sizes.js';

const PARTS = {
  fixes: mountFixes, sizes: mountSizes, findings: mountFindings, ranking: mountRanking, questions: mountQuestions, heat: mountHeat, cell: mountCell,
};

export function mount(element, shared) {
  const region = (name, label) => h('section', { class: name, 'aria-label': label });
  const part = {
    fixes: h('div', { class: 'fixes' }), sizes: h('details', { class: 'sizes' }),
    findings: region('findings', 'Findings'), ranking: region('ranking', 'Which tool would it call'),
    questions: region('questions', 'Questions'), heat: region('heat', 'Where the model fought the machine'),
    cell: region('cell', 'The selected place'),
  };
  const tools = region('check-tools', 'Tools');
  element.classList.replace('check', 'checks');
  element.replaceChildren(tools, part.findings, part.ranking, part.questions, part.heat, part.cell);
  for (const [name, mount] of Object.entries(PARTS)) mount(part[name], shared);

  const { store, inputs } = shared;
  store.on('view', ({ view }) => {
    if (view === 'check') tools.replaceChildren(inputs.editor, part.fixes, part.sizes);
  });

  const badge = h('span', { class: 'badge', hidden: true });
  store.on('check', state => {
    const tab = document.querySelector('.tabs [data-tab="check"]');
    if (tab && badge.parentNode !== tab) tab.append(badge);
    const { error: errors = 0, warning = 0 } = state.check?.counts ?? {};
    const error = Math.max(errors - unspelled(state), 0);
    badge.hidden = !error && !warning;
    badge.className = `badge ${error ? 'error' : 'warning'}`;
    badge.textContent = error || warning;
    badge.title = error ? 'errors' : 'warnings';
  });
}
