// The answer so far, the call marked, what comes later faint, and what the calls return.

import { parted } from './breaks.js';
import { SIGNS, headlineOf, wayToValue } from './controls.js';
import { h, icon, prose, put, say } from './dom.js';
import { isOutdated } from './runs.js';
import { segments, textAt, wronged } from './segments.js';
import { stretches } from './rewrites.js';

export function mount(element, { store }) {
  const text = h('p', { id: 'answer-text' });
  const calls = h('ul', { class: 'calls' });
  const empty = h('p', { class: 'nothing' });
  const stale = h('span', { class: 'earlier', title: 'Made of other inputs than those that stand there now', hidden: true }, 'outdated');
  const words = h('div', { class: 'words', onscroll: fade }, text, empty);
  const judged = h('span', { class: 'judged' }); // Run, where it stands as well, may be far away
  put(element, h('h2', null, 'Answer', stale, judged), words, calls);
  new ResizeObserver(fade).observe(words);

  store.on('run inputs error', state => {
    stale.hidden = store.live() || !isOutdated(state);
    const [kind, told] = headlineOf(state.run, state.error);
    judged.hidden = !stale.hidden || !state.run.steps.length;
    judged.dataset.kind = kind;
    put(judged, SIGNS[kind] && icon(SIGNS[kind]), told.replace(/^Finished,? /, ''));
  });

  store.on('run select', ({ run, selected, options }) => {
    const step = run.steps[selected];
    element.classList.toggle('roomy', store.live()); // the second line of what streams in moves nothing below it
    text.hidden = !step;
    empty.hidden = !!step;
    say(empty, store.live() ? 'Waiting for the first token…' : 'The answer appears here, token by token.');
    if (!step) {
      text.replaceChildren();
      put(calls);
      return null;
    }
    const own = stretches(run)(selected); // what is written until the answer is taken back, if it is
    const full = textAt(own, own.steps.length);
    const now = textAt(run, selected).length;
    const list = wronged(segments(own), own.last && run.call_error);
    const later = store.state.following ? [] : list;
    const over = selected === run.steps.length - 1 && !store.live(); // the last token is written, not to come
    const before = list.filter(piece => piece.start < now).map(piece => span(full, piece.start, Math.min(piece.end, now), piece));
    const after = later.filter(piece => piece.end > now).map(piece => span(full, Math.max(piece.start, now), piece.end, piece, !over));
    put(text, before, h('span', { class: 'caret', 'aria-hidden': 'true' }), after, returned(run, selected));
    put(calls, run.call_error ? wrong(run, options) : run.calls.map(call => tell(call, run)));
    if (run.end === 'needs_result') calls.append(h('li', null, wayToValue(run)));
    element.classList.toggle('long', full.length > 160);
    return scroll;
  });

  /** Keep the caret in sight. */
  function scroll() {
    const caret = text.querySelector('.caret');
    if (caret && words.scrollHeight > words.clientHeight + 4) words.scrollTop = caret.offsetTop - words.clientHeight / 2;
    fade();
  }

  /** An edge beyond which there is more text is faded. */
  function fade() {
    words.classList.toggle('more-above', words.scrollTop > 4);
    words.classList.toggle('more-below', words.scrollTop + words.clientHeight < words.scrollHeight - 4);
  }
}

function span(full, start, end, { kind, wrong }, later) {
  const text = full.slice(start, end);
  const blank = start === 0 ? text.length - text.trimStart().length : 0; // an answer's first space doesn't indent it
  const piece = h('span', { class: `piece mode-${kind}${later ? ' later' : ''}${wrong ? ' wrong' : ''}` },
    blank > 0 && h('span', { class: 'blank' }, text.slice(0, blank)), parted(text.slice(blank), kind));
  return kind === 'result' ? [h('wbr'), piece] : piece; // rather a new line than a broken word
}

const hosted = run => run.steps.some(step => step.writer === 'host');

/** The result of the last call, dotted, where no token was written for it: shown, but no part of the text. */
function returned(run, selected) {
  const result = run.calls.at(-1)?.result;
  if (result == null || hosted(run)) return null;
  const later = selected < run.steps.length - 1;
  return h('span', { class: `piece mode-result returned${later ? ' later' : ''}`, 'data-result': ` = ${show(result)}` });
}

const show = value => (typeof value === 'string' ? value : JSON.stringify(value));

function tell(call, run) {
  const given = Object.entries(call.arguments ?? {}).map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(', ');
  return h('li', null, h('p', null, h('code', { class: 'mono' }, `${call.name}(${given})`),
    call.result != null && [' returns ', h('code', { class: 'mono mode-result dotted' }, show(call.result))]),
  call.result != null && !hosted(run) && h('p', { class: 'aside' }, 'the host computes it; no token is generated'));
}

/** Why the answer has no valid call: an error only where one was begun and ended. Schemes have the menu's names. */
function wrong({ call_error: { message, begun }, end }, { schemes }) {
  const mild = end === 'limit' || begun === false;
  const named = message.replace(/scheme `(\w+)`/, (all, value) => {
    const known = schemes.find(one => one.value === value);
    return known ? `scheme “${known.label}”` : all;
  });
  return h('li', { class: mild ? 'limited' : 'wrong' }, h('p', null, icon(mild ? 'warning' : 'error'), ' ', prose(named)));
}
