/* The server is asked every ten seconds or so; within a second when somebody touches the tablet, so that one that is lost
 * and cut off shows nobody anything; at once when the network or the page comes back. */

import { getState } from "./requests.js";

const EVERY = 10000;
const SOONEST = 3000;
const AFTER_TOUCH = 1000;

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
  let asked = -AFTER_TOUCH;
  let isTouched = false; // while an answer was on its way
  let told = 0; // how many waited
  let busy = false;
  let running = false;
  let anew = true; // after a reload or a sleep the time has to be told again, which a 304 does not

  async function once() {
    if (busy) return;
    busy = true;
    isTouched = false;
    asked = performance.now();
    clearTimeout(timer);
    try {
      await askOnce();
    } finally {
      busy = false;
      if (running) askIn(isTouched ? AFTER_TOUCH : pause());
    }
  }

  function askIn(wait) {
    clearTimeout(timer);
    due = performance.now() + wait;
    timer = setTimeout(once, wait);
  }

  /** Somebody touches the tablet: at once, or a second after it was asked last. */
  function touched() {
    if (busy) isTouched = true;
    if (!running || busy) return;
    const wait = Math.max(0, asked + AFTER_TOUCH - performance.now());
    if (performance.now() + wait < due) askIn(wait);
  }

  async function askOnce() {
    const battery = await batteryLevel();
    told = store.unsent();
    const answer = await getState({ etag: anew ? "" : store.fact("etag"), waiting: told, battery });
    if (answer.status === 200) await store.takeState(answer.body, { etag: answer.etag });
    if (answer.status === 200 || answer.status === 304) {
      clock.check(answer.date);
      anew = false;
      if (store.fact("ended")) await store.keepFact("ended", null);
      const before = store.networkState().online;
      store.noteHeard(true);
      if (!before) outbox.wakeAll();
      onstate();
    } else if (answer.status === 401) {
      store.noteHeard(true);
      running = false;
      onended({ code: answer.body.code, sentence: answer.body.detail });
    } else store.noteHeard(answer.status >= 400);
  }

  /** Something is recorded: the desk, if it was told that something waits, need not wait long to hear that nothing does. */
  function recorded() {
    if (told && !store.unsent()) touched();
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
    outbox.wakeAll();
    once();
  }

  window.addEventListener("online", comeBack);
  window.addEventListener("offline", () => store.noteHeard(false));
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") comeBack();
  });

  return { start, stop, once, comeBack, touched, recorded, soon: () => setTimeout(once, SOONEST) };
}
