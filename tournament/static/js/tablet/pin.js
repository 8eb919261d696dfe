/* Who has the tablet: a PIN, asked of the server; without network, of what the tablet keeps of the one that opened it
 * last. An iterated, salted hash is all that is kept, for the same referee alone. Wrong ones are slowed as the server slows
 * them, and never locked: the count is kept on the disk. */

import { hongKong } from "./clock.js";
import { newKey, post } from "./requests.js";
import { sha256 } from "./sha256.js";
import { fill } from "./words.js";

const ROUNDS = 4000;
const FREE = 2;
const DELAYS = [5000, 15000, 60000];
export const IDLE = 3 * 60 * 1000;
const NOTED_EVERY = 20000;

/** The hash of a PIN under a salt, `rounds` times over. */
export function stretched(pin, salt, rounds) {
  let sum = `${salt}:${pin}`;
  for (let round = 0; round < rounds; round += 1) sum = sha256(`${salt}${sum}`);
  return sum;
}

/** `words` are pin_words() of views/tablet_shell_words.py. */
export function makePin({ store, words, wall = () => Date.now() }) {
  /** Open (or, with `takingBack`, take back) the tablet. Answers {ok, sentence, ended}. */
  async function open(referee, pin, { takingBack = false } = {}) {
    const answer = await post(takingBack ? "take-back" : "pin", { body: { referee: referee.id, pin } });
    if (answer.meaning === "recorded") {
      await store.takeState(answer.body.state);
      await remember(referee, pin);
      await opened(referee, { online: true });
      return { ok: true };
    }
    if (answer.meaning === "ended") return { ok: false, ended: true, code: answer.body.code, sentence: answer.body.detail };
    if (answer.status === 429) {
      const until = wall() + answer.wait * 1000;
      const time = hongKong(new Date(until).toISOString());
      return { ok: false, until, sentence: fill(words.pin_locked, { wait: answer.wait, time }) };
    }
    if (answer.status >= 400 && answer.status < 500) return { ok: false, sentence: answer.body.detail };
    return openOffline(referee, pin);
  }

  async function openOffline(referee, pin) {
    const kept = store.fact("pin");
    if (!kept || kept.referee !== referee.id) return { ok: false, sentence: words.pin_offline_other };
    if (waitOf(kept) > 0) return waiting(kept);
    // Counted before it is compared: a reload in between gains no try.
    const wrong = kept.wrong + 1;
    const counted = { ...kept, wrong, until: wrong > FREE ? wall() + DELAYS[Math.min(wrong - FREE, DELAYS.length) - 1] : 0 };
    await store.keepFact("pin", counted);
    if (stretched(pin, kept.salt, kept.rounds) !== kept.digest) return waitOf(counted) > 0 ? waiting(counted) : { ok: false, sentence: words.pin_offline_wrong };
    await store.keepFact("pin", { ...kept, wrong: 0, until: 0 });
    await opened(referee, { online: false });
    return { ok: true };
  }

  /** How long it waits yet; a clock that was set back makes it no longer than the longest. */
  const waitOf = (kept) => Math.min((kept.until || 0) - wall(), DELAYS.at(-1));

  function waiting(kept) {
    const until = wall() + waitOf(kept);
    const facts = { wait: Math.ceil(waitOf(kept) / 1000), time: hongKong(new Date(until).toISOString()) };
    return { ok: false, until, sentence: fill(words.pin_offline_wait, facts) };
  }

  async function remember(referee, pin) {
    const salt = newKey();
    const digest = stretched(pin, salt, ROUNDS);
    await store.keepFact("pin", { referee: referee.id, salt, rounds: ROUNDS, digest, wrong: 0, until: 0 });
  }

  const opened = ({ id, name }, { online }) => store.keepFact("opened", { id, name, at: wall(), online });

  /** Nobody's until a PIN is typed; the server is told if it can be. */
  async function lock() {
    await store.keepFact("opened", null);
    await post("lock");
  }

  /** Whether the referee who opened it was here within three minutes. */
  function isOpen() {
    const at = store.fact("opened");
    return Boolean(at) && wall() - at.at < IDLE;
  }

  let noted = 0;

  /** Somebody touched the tablet. */
  function touched() {
    const at = store.fact("opened");
    if (!at || wall() - noted < NOTED_EVERY || !isOpen()) return;
    noted = wall();
    store.keepFact("opened", { ...at, at: noted });
  }

  return { open, lock, isOpen, touched };
}
