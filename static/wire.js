// The way to the server: a question that is answered at once, and a run whose messages stream in, one run at a time.

import { createTexts } from './texts.js';

const SILENCE = 12000; // milliseconds
const PATIENCE = 3000; // so long a run waits for the one before, which was stopped and hasn't been heard of

export function createWire({ ask, run, stop, receive }) {
  let taker = null; // of the messages of the run that is live
  let heard = 0;
  let number = 0; // of that run
  let [sent, told] = [0, 0]; // of the run that was sent last, and of the last one that the server has told something of
  let quiet = Promise.resolve(), hush = null; // until a run that was to stop before it told anything has been stopped

  receive(value => {
    if (typeof value !== 'string' || !value.startsWith('[')) return;
    const messages = JSON.parse(value);
    if (messages[0]?.run === sent) {
      told = sent;
      hush?.();
    }
    if (messages[0]?.run !== number && messages[0]?.kind !== 'error') return; // the last words of the run before come late
    heard = Date.now();
    taker?.take(messages);
  });

  // A run that falls silent while the server is gone has failed.
  setInterval(() => {
    if (!taker?.live() || Date.now() - heard < SILENCE) return;
    fetch(import.meta.url, { method: 'HEAD', cache: 'no-store' }).catch(() => {
      const message = 'the connection to the server is lost';
      taker.take([{ kind: 'error', error: { message, fix: 'reload the page', text: message } }]);
    });
  }, SILENCE / 2);

  /** Stop what runs; the server can't be asked to before it has told of it, which it does at once, if at all. */
  function halt() {
    if (sent !== number) number += 1; // it isn't even sent
    else if (told === sent) stop();
    else {
      quiet = new Promise(resolve => {
        const own = hush = () => {
          if (hush === own) hush = null;
          stop();
          resolve();
        };
        setTimeout(() => { if (hush === own) own(); }, PATIENCE);
      });
    }
  }

  const texts = createTexts(ask);
  /** The answer; null where another text has come meanwhile. */
  async function answered(request) {
    const sent = await texts.short(request);
    const answer = sent && await ask(sent);
    if (answer?.kind !== 'forgotten') return answer;
    texts.forget();
    const again = await texts.short(request);
    return again && ask(again);
  }

  return {
    ask: answered,
    stop: halt,
    /** Start a run; `next` has take(messages) and live(). */
    run(request, next) {
      if (taker?.live() && taker !== next) {
        halt();
        taker.stop?.();
      }
      taker = next;
      heard = Date.now();
      const mine = ++number;
      Promise.all([texts.short(request), quiet]).then(([short]) => {
        if (!short || mine !== number) return;
        sent = mine;
        run({ ...short, run: mine });
      });
    },
  };
}
