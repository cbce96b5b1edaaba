// What a run is before it begins, and what begins a call in it.

let guided = new Map();

/** The methods as the server tells of them, once, before anything is shown. */
export function knowMethods(methods) {
  guided = new Map(methods.map(one => [one.value, one.guided]));
}

/** Whether a method, or the way of Compare that has its name, masks tokens; a way with a name of its own does. */
export const isGuided = method => guided.get(method) ?? true;

export const emptyRun = () => ({ phase: 'empty', steps: [], calls: [], notes: [], end: null, queue: null, model: null });

/** What begins a call: the label of the way out of text mode; of ReAct's `Thought:` and `Action:` the second. */
export function markerOf(picture) {
  const texts = new Set(picture?.boxes.filter(box => box.kind === 'text').map(box => box.id));
  return picture?.edges.find(edge => texts.has(edge.from) && !texts.has(edge.to))?.label ?? null;
}

const same = (one, other) => one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other));

/** Whether inputs of these names are others. */
const differs = (names, one, other) => names.some(name => !same(one?.[name], other?.[name]));

const MACHINE = ['tools', 'tools_format', 'scheme', 'start', 'model', 'results', 'documentation', 'method', 'quote'];
const ASKED = ['question', 'values', 'reveal', 'search', 'temperature', 'top_p', 'top_k', 'seed', 'max_tokens'];
const OWN_QUESTIONS = [...MACHINE, ...ASKED].filter(name => !['question', 'values', 'start', 'results'].includes(name)); // Check forces each one's call
const OF_WAYS = ['start', 'documentation', 'reveal', 'quote', 'search', 'method', 'temperature', 'seed']; // what a way of Compare may have of its own
const OF_ALL_WAYS = [...MACHINE, ...ASKED].filter(name => !OF_WAYS.includes(name));

/** Whether a run was made of other inputs than those that stand there now. */
export const isOutdated = ({ run, inputs }) => run.steps.length > 0 && differs([...MACHINE, ...ASKED], run.request, inputs);

const NOWHERE = { box: null, next_box: null, line: null, within: null, edge: null, edges: [], ways: [] };

/** Another machine is drawn than a run's: its steps stand nowhere in the picture. */
export function uproot(run) {
  run.uprooted = true;
  run.steps.forEach(step => Object.assign(step, NOWHERE));
}

/** Why what came of many questions is no longer what would come of them, in words; '' while it is. */
export function outdatedFights({ given }, inputs) {
  const taken = ({ method, ...more }) => ({ ...more, method: isGuided(method) ? method : 'guided' }); // as the server takes it
  if (!differs(OWN_QUESTIONS, taken(given), taken(inputs))) return '';
  return given.tools === inputs.tools ? 'with other settings' : 'with the tools as they were';
}

/** The same of a comparison that asked for `asked`, in ways whose own settings are `requests(inputs)`. */
export function outdatedWays(asked, inputs, requests) {
  if (differs(['question', 'tools'], asked, inputs)) return 'the question or the tools have changed';
  const other = differs(OF_ALL_WAYS, asked, inputs) || JSON.stringify(requests(asked)) !== JSON.stringify(requests(inputs));
  return other ? 'the settings have changed' : '';
}

/** The inputs of which each way of Compare has its own. */
export const variedOf = inputs => Object.fromEntries(OF_WAYS.map(name => [name, inputs[name]]));

const COMPARED = 50000; // characters; longer texts aren't drawn a second time for what changed in them

/** What a message tells of the machine: its figures, the tools that are left out of it, and what changed in it. */
export function learned(message, { inputs, base }) {
  const { machine, tools, tool_count, prompt, model, changes = null, warnings = [] } = message;
  const news = { machine: { machine, tools, tool_count, prompt, model }, warnings, changes, stale: false, error: leftOut(message) };
  if (message.picture) Object.assign(news, { picture: message.picture, marker: markerOf(message.picture) });
  // Tools that have nothing in common with the older ones are what the next change is compared with.
  return changes || inputs.tools === base || inputs.tools.length > COMPARED ? news : { ...news, base: inputs.tools };
}

/** The first error of the tools that are left out, said as one. */
function leftOut({ left_out: errors, left_out_count: count }) {
  if (!errors?.length) return null;
  const [first] = errors;
  const more = count > 1 ? `, and so are ${count - 1} more` : '';
  return { ...first, partly: `Left out of the machine${more}; the rest is drawn.` };
}

/** What the machine is made of; nothing is written out: a text may have megabytes. */
export function machineKey(inputs) {
  const said = inputs.quote ? [inputs.question, ...Object.values(inputs.values)] : [];
  return [...MACHINE.map(name => inputs[name]), ...said].join('\n');
}
