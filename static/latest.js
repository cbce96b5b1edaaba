// A question that is asked again and again: shortly after a change, one at a time, and only the latest answer counts.

export function latest(ask, take, after = 300) {
  let timer, busy = false, again = false;

  async function now() {
    clearTimeout(timer);
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    again = false;
    let answer;
    try {
      answer = await ask();
    } catch (error) {
      const message = 'the server did not answer';
      answer = { kind: 'error', error: { message, text: `${message}: ${error?.message ?? error}` } };
    }
    busy = false;
    if (again) now();
    else if (answer) take(answer);
  }

  return {
    now,
    soon(pause = after) {
      clearTimeout(timer);
      timer = setTimeout(now, pause);
    },
  };
}
