// One state: the step's own, or one that was clicked in the picture.

import { bring, button, glide, h, prose, put } from './dom.js';
import { highlight } from './highlight.js';
import { looker } from './look.js';
import { drawing } from './opening.js';
import { chip, count, stateName, stepName, visible } from './tokens.js';
import { unvisited } from './unvisited.js';
import { namesakes, visited } from './visits.js';

export function mount(element, { store, wire, request, actions }) {
  const { state } = store;
  const phone = matchMedia('(max-width: 700px)');
  let was = null; // the box that was looked at
  const look = looker(store, wire, request);
  const pin = button('pin', 'Pin', { class: 'button small', 'aria-pressed': 'false', title: 'Keep this state while stepping',
    onclick: () => {
      state.box ??= state.run.steps[state.selected]?.box ?? null;
      state.pinned = !state.pinned;
      store.commit('box');
    } });
  const close = button('close', '', { class: 'button square small', label: 'Close', onclick: () => leave({ closed: true }) });
  const jump = step => h('button', { type: 'button', class: 'jump', onclick: () => store.select(step.index) }, stepName(step.index));
  const about = h('p', { class: 'aside' });
  const body = h('div', { class: 'body' });
  put(element, h('header', { class: 'panel-head' }, h('h2', null, 'State'), about, h('div', { class: 'tools' }, pin, close)), body);

  document.addEventListener('keydown', event => {
    if (event.key === 'Escape' && state.box) leave();
  });

  /** Look at no state any more; whoever was in here is back at the one in the picture. */
  function leave(values) {
    const from = element.contains(document.activeElement) && document.querySelector('#state-graph .node[tabindex="0"]');
    Object.assign(state, { pinned: false, box: null, ...values });
    store.commit('box select');
    if (!from) return;
    from.focus({ preventScroll: true }); // it would scroll within the frame, too
    if (phone.matches) bring(from.closest('.graph'));
  }

  store.on('run select box machine', () => {
    const { run, selected, picture } = state;
    const step = run.steps[selected];
    const id = state.box ?? step?.box;
    const sheet = !phone.matches && matchMedia('(max-width: 1160px)').matches; // over the page, where somebody asks for it
    element.parentElement.classList.toggle('inspected', !state.closed && (!sheet || state.box != null));
    element.classList.toggle('looked-at', state.box != null);
    pin.setAttribute('aria-pressed', String(state.pinned));
    about.textContent = state.pinned ? 'pinned' : state.box ? 'selected in the graph' : step ? 'of this step' : '';
    pin.disabled = !id;
    const opened = state.box && state.box !== was;
    was = state.box;
    if (!id || !picture) put(body, h('p', { class: 'nothing' }, 'Click a state in the graph to see what it allows.'));
    else show(facts(id));
    if (!opened) return null;
    return phone.matches ? () => bring(element, 'start') : sheet && uncover; // there it lies below the graph, else over it
  });

  /** The state that was clicked stays in sight above the sheet, which grows to half of the window while answers come. */
  function uncover() {
    const parts = [...document.querySelectorAll('#state-graph, #state-graph .looked-at')];
    const over = Math.min(...parts.map(one => one.getBoundingClientRect().bottom)) + 16 + innerHeight / 2 - element.getBoundingClientRect().bottom;
    if (over > 0) scrollBy({ top: over, behavior: glide() });
  }

  function show(fact) {
    const turned = document.activeElement?.closest('.inspector .turn'); // the button that opened or folded this is another now
    const disc = h('span', { class: fact.name.length > 3 ? 'disc wide' : 'disc' }, stateName(fact.name));
    const words = h('div', null, h('h3', null, fact.title), h('p', { class: 'aside' }, fact.visited));
    put(body, h('div', { class: `who mode-${fact.mode}` }, disc, words),
    h('dl', null, part('Prefix', fact.entered != null && (fact.entered === '' ? 'nothing of a call yet'
      : h('span', { class: `mono piece mode-${fact.mode}` }, visible(fact.entered)))),
    part('In the graph', fact.drawn), part('Allowed tokens', fact.allowed), part('Tools reachable', fact.tools), part('Expected', fact.expected),
    part('Remembered', fact.remembered?.length > 0 && [fact.remembered.slice(-12).map(value => h('span', { class: 'to' }, chip(value, fact.mode))),
      h('span', { class: 'aside' }, 'may not come again')]),
    part('Prompt', fact.revealed?.length > 0 && [fact.revealed.length > 1 ? 'with the signatures of ' : 'with the signature of ',
      fact.revealed.map((name, index) => [index > 0 && ', ', h('code', { class: 'mono' }, name)])]),
    part('Why not…', look.why), part('Steps', fact.steps)));
    if (turned) body.querySelector('.turn')?.focus({ preventScroll: true });
  }

  /** What is known of a box: from the step that stands in it, else from its last visit, else from the picture. */
  function facts(id) {
    const { run, selected, picture } = state;
    const inside = one => one.box === id || (one.box?.startsWith(`${id}.`) && !picture.boxes.some(box => box.id === one.box));
    const visits = run.steps.filter((one, index) => index <= selected && inside(one));
    const now = run.steps[selected];
    const step = now && inside(now) ? now : visits.at(-1);
    const box = picture.boxes.find(one => one.id === id) ?? picture.boxes.find(one => one.id === id.replace(/\.[^.]*$/, '')) ?? {};
    const mode = step?.mode ?? (box.kind === 'end' ? 'text' : box.kind) ?? 'text';
    const from = step && run.steps[step.index - 1];
    const { machine } = state;
    const drawn = step ? {} : unvisited(picture, machine?.tools ?? [], machine?.tool_count ?? machine?.tools?.length ?? 0, id);
    const reachable = step?.reachable ?? drawn.reachable;
    look.at(id, step?.entered, mode, state.box != null, step);
    return {
      name: step?.state_name ?? innerName(box.name, id), mode, title: step?.within ?? box.title ?? 'State',
      entered: prefix(state, mode, step?.entered ?? drawn.entered),
      visited: visits.length ? [visited(visits, step, from), namesakes(run.steps.slice(0, selected + 1), step, inside)] : box.subtitle || 'not visited so far',
      allowed: state.box != null ? look.tokens : step ? tokens(step) : ways(picture, id, mode),
      tools: reachable?.total > 0 && list(reachable), revealed: step?.revealed, expected: step ? prose(step.expected ?? '') : look.expected, remembered: step?.remembered,
      drawn: box.id && drawing(box, state, actions.turn), steps: visits.length > 1 && [visits.length > 12 && h('span', { class: 'aside' }, `${count(visits.length - 12)} earlier, `), visits.slice(-12).map(jump)],
    };
  }
}

/** A state inside of an opened box counts on from the box's first: s10, b9.2 → s12. */
function innerName(name, id) {
  const parts = /^s(\d+)$/.exec(name ?? '');
  return parts && id.includes('.') ? `s${Number(parts[1]) + Number(id.split('.').pop())}` : name ?? id;
}

/** What was written of the call so far, its marker included; a part of the marker has signs that no name has. */
function prefix(state, mode, entered) {
  if (entered == null) return entered;
  if (mode === 'text') return '';
  const [marker, seen] = [state.marker ?? '', visible(entered)];
  const within = seen.startsWith(marker) || (/[^\w.-]/.test(entered) && marker.startsWith(seen));
  return within ? entered : marker + entered;
}

const part = (name, value) => (value && String(value) !== '' ? [h('dt', null, name), h('dd', null, value)] : null);

function tokens(step) {
  if (step.writer === 'host') return 'none: the host writes';
  if (step.whole) return 'whole vocabulary';
  const shown = step.valid.slice(0, 14);
  return [shown.map(one => h('span', { class: 'to' }, chip(one.token, step.mode), one.next_name && [' to ', stateName(one.next_name)])),
    step.allowed_count > shown.length && h('span', { class: 'aside' }, `+${count(step.allowed_count - shown.length)}`)];
}

/** For a state that no step visited: the transitions that the picture shows. */
function ways(picture, id, mode) {
  const out = picture.edges.filter(edge => edge.from === id);
  const name = to => picture.boxes.find(box => box.id === to)?.name;
  const to = edge => h('span', { class: 'to' }, chip(edge.label, mode), name(edge.to) && [' to ', stateName(name(edge.to))]);
  return out.length > 0 && [out.slice(0, 14).map(to),
    out.length > 14 && h('span', { class: 'aside' }, `+${out.length - 14}`)];
}

function list({ names, count: reached, total }) {
  const coloured = ([text, kind]) => h('span', { class: kind ? `is-${kind}` : null }, text);
  return [names.slice(0, 6).map(name => h('code', { class: 'tool mono' }, highlight(name).map(coloured))),
    reached > Math.min(6, names.length) && h('span', { class: 'aside' }, `and ${count(reached - Math.min(6, names.length))} more`),
    total > reached && h('span', { class: 'aside out' }, `${count(total - reached)} of ${count(total)} out of reach`)];
}
