// A long text cut into rows of one height: where each begins, and which line it belongs to.

/** Rows of at most `columns` characters; `numbers` has a line's number at its first row, and 0 where a line goes on. */
export function cut(text, columns) {
  const starts = [], numbers = [];
  let number = 0;
  for (let at = 0; at <= text.length;) {
    const found = text.indexOf('\n', at);
    const end = found < 0 ? text.length : found;
    number += 1;
    starts.push(at);
    numbers.push(number);
    for (let next = at + columns; next < end; next += columns) {
      const code = text.charCodeAt(next);
      if (code >= 0xdc00 && code < 0xe000) next -= 1; // a character of two units stays whole
      starts.push(next);
      numbers.push(0);
    }
    at = end + 1;
  }
  return { text, starts, numbers };
}

/** The row that an offset of the text lies in. */
export function rowOf({ starts }, offset) {
  let low = 0, high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** What a row shows. */
export function rowText({ text, starts, numbers }, row) {
  const next = row + 1 < starts.length ? starts[row + 1] - (numbers[row + 1] ? 1 : 0) : text.length;
  return text.slice(starts[row], next);
}

/** The rows from one to another as the text of a field, and the way between its offsets and those of the whole text. */
export function windowOf(rows, from, to) {
  const texts = [], places = [];
  let at = 0;
  for (let row = from; row < to; row += 1) {
    places.push(at);
    texts.push(rowText(rows, row));
    at += texts.at(-1).length + 1;
  }
  return {
    from, to, texts, value: texts.join('\n'),
    whole(offset) {
      let row = 0;
      while (row + 1 < places.length && places[row + 1] <= offset) row += 1;
      return rows.starts[from + row] + Math.min(offset - places[row], texts[row].length);
    },
    /** null: not in this window */
    own(offset) {
      const row = rowOf(rows, offset) - from;
      return row < 0 || row >= places.length ? null : places[row] + Math.min(offset - rows.starts[from + row], texts[row].length);
    },
  };
}

/** What has changed between two texts of a field: the part [from, to) of the old one is `text` now. */
export function changed(old, now) {
  let from = 0;
  while (from < old.length && from < now.length && old[from] === now[from]) from += 1;
  let same = 0;
  while (same < old.length - from && same < now.length - from && old.at(-1 - same) === now.at(-1 - same)) same += 1;
  return { from, to: old.length - same, text: now.slice(from, now.length - same) };
}
