// Files dropped on the tools editor are read here, in the browser, and take the place of its text.

import { h } from './dom.js';
import { write } from './edits.js';

const LARGEST = 16e6; // bytes, as on the server

export function acceptFiles(box, field) {
  const note = h('p', { class: 'dropped', role: 'status', hidden: true });
  box.after(note);
  let depth = 0;
  const over = now => box.classList.toggle('dropping', now);

  box.addEventListener('dragenter', event => {
    if (![...event.dataTransfer.types].includes('Files')) return;
    event.preventDefault();
    depth += 1;
    over(true);
  });
  box.addEventListener('dragover', event => {
    if ([...event.dataTransfer.types].includes('Files')) event.preventDefault();
  });
  box.addEventListener('dragleave', () => {
    depth = Math.max(0, depth - 1);
    if (!depth) over(false);
  });
  box.addEventListener('drop', async event => {
    const files = [...event.dataTransfer.files];
    if (!files.length) return;
    event.preventDefault();
    depth = 0;
    over(false);
    try {
      if (files.some(file => file.size > LARGEST)) throw new Error('larger than 16 MB');
      const texts = await Promise.all(files.map(async file => new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())));
      write(texts.join('\n').replace(/\r\n?/g, '\n'));
      field.blur();
      tell(`${files.map(file => file.name).join(', ')} read; Ctrl+Z brings the old text back`);
    } catch (error) {
      tell(`${files[0].name} can't be read: ${error instanceof TypeError ? 'it is no UTF-8 text' : error.message}`);
    }
  });

  function tell(text) {
    note.textContent = text;
    note.hidden = false;
    setTimeout(() => { note.hidden = true; }, 8000);
  }
}
