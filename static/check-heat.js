// Where the model fought the machine: tool × place, the mean probability that the mask removed, and what was wanted.

import { h, put, say } from './dom.js';
import { heat, mean, wanted, whole } from './fighting.js';
import { highlight } from './highlight.js';
import { outdatedFights } from './runs.js';
import { chip, count, plural, visible } from './tokens.js';

const MOST = 4; // arguments with a column of their own
const OUTLINED = 4; // tools of the empty table
const NTH = ['1st', '2nd', '3rd', '4th'];
const SCALE = [['under 10 %', 0], ['10', 1], ['30', 2], ['50', 3], ['over 75 %', 4]];

export function mount(element, { store }) {
  const about = h('p', { class: 'aside' });
  const stale = h('span', { class: 'earlier', hidden: true });
  const legend = h('div', { class: 'scale-of-heat', 'aria-hidden': 'true' }, SCALE.map(([text, step]) => h('span', { class: `heat-${step}` }, text)));
  const frame = h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Probability removed by tool and place' });
  put(element, h('header', { class: 'panel-head' }, h('h2', null, 'Where the model fought the machine'), about, stale, legend), frame);

  store.on('fights inputs', ({ fights, inputs }) => {
    const old = fights?.cells.size ? outdatedFights(fights, inputs) : '';
    stale.hidden = !old;
    say(stale, `outdated: ${old}`);
  });

  store.on('fights machine view', ({ fights, machine, view, stale: overtaken }) => {
    if (view !== 'check') return;
    legend.hidden = !fights?.cells.size;
    element.classList.toggle('empty', legend.hidden);
    if (legend.hidden) {
      about.textContent = 'tool by tool, what the mask took away and what the model wanted instead';
      put(frame, outline(overtaken ? [] : machine?.tools ?? []));
      return;
    }
    about.textContent = `mean probability removed by the mask, over ${plural(fights.asked.length, 'question')}`;
    const columns = columnsOf(fights);
    const tools = [...new Set([...fights.cells.values()].map(cell => cell.tool))];
    const order = new Map(fights.tools.map((tool, index) => [tool.name, index]));
    tools.sort((one, other) => (order.get(one) ?? 1e9) - (order.get(other) ?? 1e9));
    put(frame, h('table', null, h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'Tool'), columns.map(([, title]) => h('th', { scope: 'col' }, title)),
      h('th', { scope: 'col' }, 'Most probability lost to'))), h('tbody', null, tools.map(tool => row(fights, tool, columns)))));
  });

  function row(fights, tool, columns) {
    const signature = fights.tools.find(one => one.name === tool)?.signature ?? tool;
    const cells = columns.map(([place]) => fights.cells.get(`${tool}\n${place}`));
    const worst = cells.filter(Boolean).sort((one, other) => mean(other) - mean(one))[0];
    const advice = fights.advice.find(one => one.tool === tool);
    return h('tr', null, h('th', { scope: 'row', title: signature }, h('code', null, highlight(signature).map(([text, kind]) => h('span', { class: kind ? `is-${kind}` : null }, text)))),
      cells.map(cell => h('td', null, cell ? box(fights, cell) : '–')),
      h('td', { class: 'lost' }, mean(worst) < 0.25 ? 'nothing above 25 %' : ['wanted ', wanted(worst, 2).map(([token]) => [chip(token, 'none', { class: 'barred' }), ' ']),
        advice && h('b', { class: 'warning' }, advice.code)]));
  }

  function box(fights, cell) {
    const [[what]] = [...cell.whats].sort((one, other) => other[1] - one[1]);
    const more = cell.whats.size > 1 ? `${visible(what)} +${count(cell.whats.size - 1)}` : visible(what);
    return h('button', { type: 'button', class: `spot heat-${heat(mean(cell))}`, 'aria-pressed': String(fights.selected === cell.key), 'data-place': cell.place,
      onclick: () => {
        fights.selected = fights.selected === cell.key ? null : cell.key;
        store.commit('fights');
        element.querySelector('[aria-pressed="true"]')?.focus({ preventScroll: true });
      } }, h('code', null, more), whole(mean(cell)));
  }
}

/** The table before anybody has asked: its rows and places, and what fills them. */
function outline(tools) {
  const places = ['name, 1st token', 'name, rest', '1st argument', 'comma', 'end of call'];
  return [h('table', { 'aria-hidden': 'true' }, h('thead', null, h('tr', null, h('th', null, 'Tool'), places.map(place => h('th', null, place)))),
    h('tbody', null, tools.slice(0, OUTLINED).map(tool => h('tr', null, h('th', null, h('code', null, tool.signature ?? tool.name)),
      places.map(() => h('td', null, h('span', { class: 'spot' }))))))),
  h('p', { class: 'nothing' }, 'Ask the questions above to see it.')];
}

function columnsOf(fights) {
  const places = new Set([...fights.cells.values()].map(cell => cell.place));
  const numbers = [...places].map(place => Number(/^argument (\d+)$/.exec(place)?.[1] ?? 0)).filter(Boolean);
  const most = Math.max(1, ...numbers);
  const argument = number => [`argument ${number}`, number <= MOST ? `${NTH[number - 1]} argument` : `${number}th`];
  const list = [['name', 'name, 1st token'], ['rest', 'name, rest'], argument(1), ['comma', 'comma']];
  for (let number = 2; number <= Math.min(most, 8); number += 1) list.push(argument(number));
  return [...list, ['end', 'end of call']].filter(([place]) => places.has(place));
}
