/* Who has the tablet: a PIN, asked of the server; without network, of what the tablet keeps of the one that opened it
 * last. An iterated, salted hash is all that is kept, for the same referee alone. Wrong ones are slowed as the server slows
 * them, and never locked: the count is kept on the disk. Since when the tablet was locked, by hand or by itself, is kept
 * too until a PIN has opened it at the server: what was made meanwhile, by whoever held it, is held there. */

import { hongKong } from "./clock.js";
import { newKey, post } from "./requests.js";
import { sha256 } from "./sha256.js";
import { fill, gettext } from "./words.js";

const ROUNDS = 4000;
const FREE = 2;
const DELAYS = [5000, 15000, 60000];
export const IDLE = 3 * 60 * 1000;
const NOTED_EVERY = 20000;
const MOST_SPANS = 100; // as many as the server takes

const isoOf = (moment) => new Date(moment).toISOString();
const madeAt = (item) => Date.parse(item.body.made_at);

/** The hash of a PIN under a salt, `rounds` times over. */
export function stretched(pin, salt, rounds) {
  let sum = `${salt}:${pin}`;
  for (let round = 0; round < rounds; round += 1) sum = sha256(`${salt}${sum}`);
  return sum;
}

export function makePin({ store, wall = () => Date.now() }) {
  let typed = null; // {referee, pin, path} that opened it without network, in memory alone: the server is shown it when it is back
  let opening = null;
  let telling = null;

  /** Open (or, with `takingBack`, take back) the tablet. Answers {ok, sentence, ended}. */
  async function open(referee, pin, { takingBack = false } = {}) {
    await telling; // else that would lock what this opens
    const path = takingBack ? "take-back" : "pin";
    opening = show({ referee, pin, path });
    const answer = await opening;
    if (answer.meaning === "recorded") {
      await remember(referee, pin);
      return { ok: true };
    }
    if (answer.meaning === "ended") return { ok: false, ended: true, code: answer.body.code, sentence: answer.body.detail };
    if (answer.status === 429) {
      const until = wall() + answer.wait * 1000;
      const time = hongKong(new Date(until).toISOString());
      const said = gettext("Wrong PINs. You can try again in %(wait)s s, at %(time)s; what was recorded is kept. The desk can unlock it at once, or another referee can open this tablet.");
      return { ok: false, until, sentence: fill(said, { wait: answer.wait, time }) };
    }
    if (answer.status >= 400 && answer.status < 500) return { ok: false, sentence: answer.body.detail };
    return openOffline({ referee, pin, path });
  }

  /** Show the server a PIN, with when the tablet was locked. */
  async function show({ referee, pin, path }) {
    const locked = locks().map(({ from, to }) => ({ since: isoOf(from), until: isoOf(to ?? wall()) }));
    const answer = await post(path, { body: { referee: referee.id, pin, ...(locked.length ? { locked } : {}) } });
    if (answer.meaning === "recorded") {
      await store.takeState(answer.body.state);
      await noteOpened(referee, { online: true, locks: [] });
      typed = null;
    }
    return answer;
  }

  async function openOffline({ referee, pin, path }) {
    const kept = store.fact("pin");
    if (!kept || kept.referee !== referee.id) return { ok: false, sentence: gettext("No network: only the referee who had this tablet last can open it now.") };
    if (waitOf(kept) > 0) return waiting(kept);
    // Counted before it is compared: a reload in between gains no try.
    const wrong = kept.wrong + 1;
    const counted = { ...kept, wrong, until: wrong > FREE ? wall() + DELAYS[Math.min(wrong - FREE, DELAYS.length) - 1] : 0 };
    await store.noteFacts({ pin: counted });
    if (stretched(pin, kept.salt, kept.rounds) !== kept.digest) return waitOf(counted) > 0 ? waiting(counted) : { ok: false, sentence: gettext("This is not the PIN that opened this tablet last.") };
    await store.noteFacts({ pin: { ...kept, wrong: 0, until: 0 } });
    typed = { referee, pin, path };
    await noteOpened(referee, { online: false, locks: locks().map((lock) => ({ ...lock, to: lock.to ?? wall() })) });
    return { ok: true };
  }

  /** How long it waits yet; a clock that was set back makes it no longer than the longest. */
  const waitOf = (kept) => Math.min((kept.until || 0) - wall(), DELAYS.at(-1));

  function waiting(kept) {
    const until = wall() + waitOf(kept);
    const facts = { wait: Math.ceil(waitOf(kept) / 1000), time: hongKong(new Date(until).toISOString()) };
    return { ok: false, until, sentence: fill(gettext("Wrong PINs. You can try again in %(wait)s s, at %(time)s; what was recorded is kept on this tablet."), facts) };
  }

  async function remember(referee, pin) {
    const salt = newKey();
    const digest = stretched(pin, salt, ROUNDS);
    await store.noteFacts({ pin: { referee: referee.id, salt, rounds: ROUNDS, digest, wrong: 0, until: 0 } });
  }

  const noteOpened = ({ id, name }, { online, locks: kept }) =>
    store.noteFacts({ opened: { id, name, at: wall(), online }, locks: kept.slice(-MOST_SPANS), ...(online ? { lockTold: "" } : {}) });

  /* --- When it was locked ------------------------------------------------------------------------------- */

  /** [{from, to}] since the server saw a PIN last, the oldest first; `to` is null where nobody has opened it since. */
  function locks() {
    const kept = store.fact("locks") || [];
    const at = store.fact("opened");
    return at && !isOpen() ? [...kept, { from: at.at + IDLE, to: null }] : kept;
  }

  /** Since when it was locked first, where the server (in this life of its database) does not know of it; null else. */
  const untold = () => (store.fact("lockTold") === store.state().epoch ? null : locks()[0]?.from ?? null);

  /** Tell the server, once: from then on it holds what was made after that. A PIN that opened the tablet since is shown
   * to it too. */
  function tell() {
    telling ??= tellNow().finally(() => {
      telling = null;
    });
    return telling;
  }

  async function tellNow() {
    await opening;
    const from = untold();
    if (from !== null) {
      const answer = await post("lock", { body: { made_at: isoOf(from) } });
      if (answer.meaning !== "recorded") return;
      await store.noteFacts({ lockTold: answer.body.state.epoch });
      await store.takeState(answer.body.state);
    }
    if (!isOpen()) typed = null;
    if (typed && (await show(typed)).meaning !== "again") typed = null;
  }

  const isAfterLock = (item) => locks().length > 0 && madeAt(item) > locks()[0].from;

  /** Whether the server knows of every lock before which an item may not come. */
  async function isToldBefore(item) {
    if (isAfterLock(item) && untold() !== null) await tell();
    return !isAfterLock(item) || untold() === null;
  }

  /** Locked at the server, opened here without network: what was made since counts once the server has seen the PIN. What
   * was made before goes out, and so does what was made while it was locked: the server holds that. */
  async function isAskedFirst(item) {
    if (typed) await tell();
    const opened = store.fact("opened");
    if (!opened || opened.online !== false || store.state().referee) return false;
    const isMeanwhile = ({ from, to }) => madeAt(item) > from && (to === null || madeAt(item) < to);
    return !locks().length || (isAfterLock(item) && !locks().some(isMeanwhile));
  }

  /** Nobody's until a PIN is typed; the server is told if it can be. */
  async function lock() {
    await store.noteFacts({ opened: null, locks: [...locks(), { from: wall(), to: null }].slice(-MOST_SPANS) });
    await tell();
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
    store.noteFacts({ opened: { ...at, at: noted } });
  }

  return { open, lock, locks, tell, isToldBefore, isAskedFirst, isOpen, touched };
}
