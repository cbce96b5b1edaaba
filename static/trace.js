// Trace: one run, seen in the graph, the table, the bars and the answer at once.

import { h } from './dom.js';
import { mount as mountAnswer } from './answer.js';
import { mount as mountBars } from './bars.js';
import { mount as mountBranches } from './branches.js';
import { mount as mountControls } from './controls.js';
import { mount as mountGraph } from './graph.js';
import { mount as mountInspector } from './inspector.js';
import { mount as mountMachine } from './machine.js';
import { mount as mountOver } from './over.js';
import { mount as mountTable } from './table.js';
import { mount as mountTransport } from './transport.js';

const PARTS = {
  controls: mountControls, machine: mountMachine, graph: mountGraph, table: mountTable, transport: mountTransport,
  answer: mountAnswer, inspector: mountInspector,
};

export function mount(element, { store, actions, wire, request, inputs }) {
  const region = (tag, name, label) => h(tag, { class: name, 'aria-label': label });
  const part = {
    controls: region('section', 'controls', 'Run'),
    machine: region('section', 'machine', 'The machine'),
    graph: region('section', 'graph', 'State machine'),
    table: region('section', 'trace', 'Trace'),
    transport: region('section', 'transport', 'Steps'),
    answer: region('section', 'answer', 'Answer'),
    bars: region('section', 'bars', 'Next token'),
    inspector: region('aside', 'inspector', 'State'),
  };
  const side = h('div', { class: 'side' });
  element.replaceChildren(side, part.graph, part.table, part.transport, part.answer, part.bars, part.inspector);
  const shared = { store, actions, wire, request };
  for (const [name, mount] of Object.entries(PARTS)) mount(part[name], shared);
  mountOver(part.graph, shared);
  const branches = mountBranches(shared);
  mountBars(part.bars, { ...shared, take: branches.take });
  part.bars.append(branches.element);

  store.on('view', ({ view }) => {
    if (view === 'trace') side.replaceChildren(inputs.editor, inputs.question, inputs.settings, part.controls, part.machine);
  });
}
