// A long text goes to the server once, in parts, so that nothing stands still; requests after it only name it.

const LONG = 50000; // characters
const PART = 200000;

/** `short(request)` gives the request to send; null where another text has come meanwhile. */
export function createTexts(ask) {
  let held = null;

  async function upload(entry) {
    for (let from = 0; from < entry.text.length && held === entry; entry.parts += 1) {
      let to = Math.min(entry.text.length, from + PART);
      const code = entry.text.charCodeAt(to);
      if (code >= 0xdc00 && code < 0xe000) to -= 1; // a character of two units stays whole
      await ask({ ask: 'keep', id: entry.id, at: entry.parts, text: entry.text.slice(from, to) });
      from = to;
    }
  }

  async function short(request) {
    if (!(request.tools?.length > LONG)) return request;
    if (held?.text !== request.tools) {
      held = { text: request.tools, parts: 0, id: Array.from({ length: 3 }, () => Math.random().toString(36).slice(2)).join('') };
      held.sent = upload(held);
    }
    const own = held;
    await own.sent;
    return held === own ? { ...request, tools: '', tools_kept: own.id, parts: own.parts } : null;
  }

  return { short, forget() { held = null; } };
}
