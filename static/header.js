// Brand, the page's parts, what the model is doing, Share, light or dark.

import { button, h, put, say, svg } from './dom.js';
import { write } from './address.js';
import { writeLink } from './share.js';

const KEPT = 'tooldec-theme';
const LONGEST = 500000; // characters of tools: browsers cut addresses off

export function mount(element, { store, wire, views }) {
  const light = h('span', { class: 'light', 'aria-hidden': 'true' });
  const word = h('span', { id: 'model-status', role: 'status' });
  const share = button('share', 'Share', { class: 'button share', title: 'Copy a link with question, tools, settings and run',
    'aria-label': 'Share', onclick: copy });
  const theme = button('theme', '', { class: 'button square theme', label: 'Light or dark', onclick: turn });
  const link = h('input', { class: 'link', readonly: true, 'aria-label': 'Link to this page', hidden: true });
  const tabs = views.map(({ name, label }) => h('a', { href: `#${name}`, 'data-tab': name, onclick: event => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // a tab of its own
    event.preventDefault();
    store.show(name);
  } }, label));
  put(element,
    h('h1', { class: 'brand' }, mark(), h('strong', null, 'ToolDec'), h('span', null, ' Playground')),
    h('ul', { class: 'tabs' }, tabs.map(tab => h('li', null, tab))),
    h('p', { class: 'tagline aside' }, 'How a state machine keeps a model’s tool calls valid, token by token'),
    h('p', { class: 'ready' }, light, word), link, share, theme);

  store.on('view', ({ view }) => {
    document.title = `${views.find(({ name }) => name === view).label} · ToolDec Playground`;
    tabs.forEach(tab => {
      if (tab.dataset.tab === view) tab.setAttribute('aria-current', 'page');
      else tab.removeAttribute('aria-current');
    });
  });
  let said = null;
  store.on('run machine inputs work', show);
  show(store.state);

  function show({ run, options, inputs, machine, reading }) {
    const known = options.models.find(model => model.value === inputs.model);
    const facts = run.model ?? machine?.model;
    const name = known?.label.split(',')[0] ?? (reading ? inputs.model : facts?.name) ?? inputs.model;
    const working = { waiting: run.queue ? `is busy: place ${run.queue}` : 'is getting ready',
      streaming: 'is writing' }[run.phase] || (wire.live() && 'is busy') || (reading && 'is getting ready');
    light.dataset.phase = working ? 'busy' : machine ? 'ready' : 'busy';
    const where = reading ? '' : [facts?.device, facts?.dtype].filter(Boolean).join(', ');
    const state = working || (machine ? 'ready' : '');
    if (said === (said = [name, state, where].join('\n'))) return; // with each token it would be read aloud again
    put(word, h('span', { class: state && 'named' }, name), ' ', h('span', { class: 'doing' }, state),
      where && h('span', { class: 'device' }, where));
  }

  async function copy() {
    const address = store.state.inputs.tools.length > LONGEST ? null : writeLink(store.state);
    let told = address ? 'Link copied' : 'Too long for a link';
    if (address) write(store.state.view, address);
    try {
      if (!address) throw new Error(told);
      await navigator.clipboard.writeText(address);
    } catch {
      if (!address) return tell(told);
      link.value = address;
      link.hidden = false;
      link.select();
      told = 'Copy the link';
    }
    return tell(told);
  }
  function tell(told) {
    say(share.querySelector('span'), told);
    setTimeout(() => {
      say(share.querySelector('span'), 'Share');
      if (document.activeElement !== link) link.hidden = true;
    }, 2500);
  }
  link.addEventListener('blur', () => { link.hidden = true; });

  const page = document.documentElement;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const wear = value => { page.dataset.theme = value; };
  const kept = () => { try { return localStorage.getItem(KEPT); } catch { return null; } };
  wear(kept() ?? (dark.matches ? 'dark' : 'light'));
  dark.addEventListener('change', () => { if (!kept()) wear(dark.matches ? 'dark' : 'light'); });
  function turn() {
    wear(page.dataset.theme === 'dark' ? 'light' : 'dark');
    try { localStorage.setItem(KEPT, page.dataset.theme); } catch { /* a private window keeps nothing */ }
  }
}

function mark() {
  return svg('svg', { class: 'mark', viewBox: '0 0 26 14', 'aria-hidden': 'true' },
    svg('circle', { cx: 4.5, cy: 7, r: 3.2 }), svg('path', { d: 'M7.7 7h6' }), svg('circle', { cx: 19, cy: 7, r: 5.2 }),
    svg('circle', { class: 'dot', cx: 19, cy: 7, r: 2.4 }));
}
