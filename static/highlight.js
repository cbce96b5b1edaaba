// Colours for one line of signatures: the parts of the line with their kinds. Reading is the server's work.

const LETTER = '[\\p{L}\\p{M}\\p{N}_]'; // of a name, in any script: W below
const WORDS = new RegExp([
  /("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)/u,
  /(?<!W)(def|async|return|None|True|False|true|false|null)(?!W)/u,
  /(#.*$)/u,
  /((?!\d)W(?:[.-]?W)*)(?=\s*\()/u,
  /(?<=[:>|[]\s*|,\s*(?=(?!\d)W+\s*\]))((?!\d)W(?:W|\.)*)/u,
].map(part => part.source.replaceAll('W', LETTER)).join('|'), 'gu');
const KINDS = ['string', 'word', 'note', 'tool', 'type'];

/** "def exp(x: int)" → [["def", "word"], [" ", ""], ["exp", "tool"], ["(x: ", ""], ["int", "type"], [")", ""]] */
export function highlight(line) {
  const parts = [];
  let at = 0;
  for (const match of line.matchAll(WORDS)) {
    if (match.index > at) parts.push([line.slice(at, match.index), '']);
    parts.push([match[0], KINDS[match.slice(1).findIndex(group => group !== undefined)]]);
    at = match.index + match[0].length;
  }
  if (at < line.length) parts.push([line.slice(at), '']);
  return parts;
}

/** Where a finding's wave goes: [from, to) of the line; the word at its column, or the whole line. */
export function span(line, finding) {
  const indent = line.length - line.trimStart().length;
  if (!finding.column) return [indent, line.length];
  const from = Math.min(finding.column - 1, Math.max(0, line.length - 1));
  const word = /^[\p{L}\p{M}\p{N}_.]+/u.exec(line.slice(from))?.[0].length;
  return [from, Math.min(line.length, from + (finding.length ?? word ?? 1))];
}

/** The parts again, cut so that [from, to) lies in parts of its own, marked as waved. */
export function wave(parts, [from, to]) {
  let at = 0;
  return parts.flatMap(([text, kind]) => {
    const start = Math.max(0, Math.min(text.length, from - at));
    const end = Math.max(start, Math.min(text.length, to - at));
    at += text.length;
    return [[text.slice(0, start), kind], [text.slice(start, end), kind, true], [text.slice(end), kind]]
      .filter(([piece]) => piece);
  });
}
