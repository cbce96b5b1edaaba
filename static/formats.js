// In which format the tools are read: found by itself, or chosen.

import { h } from './dom.js';

export function formats(store) {
  const auto = h('option', { value: 'auto' }, 'Auto');
  const pick = h('select', { id: 'format-select', class: 'format', 'aria-label': 'Format of the tools', title: 'Format of the tools', onchange: () => store.change({ tools_format: pick.value }) },
    auto, store.state.options.formats.map(one => h('option', { value: one.value }, one.label)));
  store.on('inputs check', ({ inputs, check }) => {
    pick.value = inputs.tools_format;
    const found = inputs.tools_format === 'auto' && check?.of === inputs.tools && check.tools > 0 ? check.format : '';
    auto.textContent = found || 'Auto';
    auto.title = found ? `${found}, found by itself` : '';
  });
  return pick;
}
