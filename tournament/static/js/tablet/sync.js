/* The server is asked every ten seconds or so, at once when the network or the page comes back. When somebody touches the
 * tablet it is asked within a second whether the token still holds, so that one that is lost and cut off shows nobody
 * anything; that question costs the server next to nothing. */

import { dropHanging, getState, tokenHolds } from "./requests.js";

const EVERY = 10000;
const SOONEST = 3000;
const BETWEEN = 1000;

/** Between 8 and 12 seconds, so that the tablets of a hall do not ask together. */
export const pause = (chance = Math.random()) => Math.round(EVERY * (0.8 + 0.4 * chance));

async function batteryLevel() {
  if (!navigator.getBattery) return null;
  try {
    return Math.round((await navigator.getBattery()).level * 100);
  } catch {
    return null;
  }
}

/** `onended({code, sentence})` when the token holds no more; `onstate()` after each answer of ours. */
export function makeSync({ store, outbox, clock, onended, onstate }) {
  let timer = 0;
  let due = 0; // when the timer asks
  let asked = -BETWEEN;
  let isWanted = false; // again, said while an answer was on its way
  let looked = -BETWEEN;
  let looking = 0;
  let told = 0; // how many waited
  let busy = null; // what answers once it is asked
  let running = false;
  let anew = true; // after a reload or a sleep the time has to be told again, which a 304 does not

  /** Ask; who asks while an answer is on its way waits for that. */
  function once() {
    busy = busy || asking();
    return busy;
  }

  async function asking() {
    isWanted = false;
    asked = performance.now();
    clearTimeout(timer);
    try {
      await askOnce();
    } finally {
      busy = null;
      if (running) askIn(isWanted ? BETWEEN : pause());
    }
  }

  function askIn(wait) {
    clearTimeout(timer);
    due = performance.now() + wait;
    timer = setTimeout(once, wait);
  }

  /** At once, or a second after it was asked last. */
  function askSoon() {
    if (busy) isWanted = true;
    if (!running || busy) return;
    const wait = Math.max(0, asked + BETWEEN - performance.now());
    if (performance.now() + wait < due) askIn(wait);
  }

  /** Somebody touches the tablet. */
  function touched() {
    if (running && !looking) looking = setTimeout(look, Math.max(0, looked + BETWEEN - performance.now()));
  }

  async function look() {
    looking = 0;
    looked = performance.now();
    if (!(await tokenHolds())) once();
  }

  async function askOnce() {
    const battery = await batteryLevel();
    told = store.unsent();
    const answer = await getState({ etag: anew ? "" : store.fact("etag"), waiting: told, sheets: store.sheets(), battery });
    if (answer.status === 200) await store.takeState(answer.body, { etag: answer.etag });
    if (answer.status === 200 || answer.status === 304) {
      clock.check(answer.date);
      anew = false;
      if (store.fact("ended")) await store.keepFact("ended", null);
      const isBack = store.noteHeard(true);
      await onstate();
      if (isBack) outbox.wakeAll();
    } else if (answer.status === 401) {
      store.noteHeard(true);
      await onended({ code: answer.body.code, sentence: answer.body.detail, epoch: answer.body.epoch });
    } else store.noteHeard(answer.status >= 400);
  }

  /** Something is recorded: the desk, if it was told that something waits, need not wait long to hear that nothing does. */
  function recorded() {
    if (told && !store.unsent()) askSoon();
  }

  function start() {
    if (running) return;
    running = true;
    anew = true;
    once();
  }

  function stop() {
    running = false;
    clearTimeout(timer);
  }

  /** The tablet woke up, or has a network again. */
  function comeBack() {
    if (!running) return;
    anew = true;
    dropHanging();
    outbox.wakeAll();
    if (busy) isWanted = true;
    once();
  }

  window.addEventListener("online", comeBack);
  window.addEventListener("offline", () => store.noteHeard(false));
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") comeBack();
  });

  return { start, stop, once, comeBack, touched, recorded, askSoon, soon: () => setTimeout(once, SOONEST) };
}
