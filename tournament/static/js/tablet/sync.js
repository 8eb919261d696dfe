/* The server is asked every ten seconds or so, at once when the network or the referee comes back. */

import { getState } from "./requests.js";

const EVERY = 10000;
const SOONEST = 3000;

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
  let busy = false;
  let running = false;
  let anew = true; // after a reload or a sleep the time has to be told again, which a 304 does not

  async function once() {
    if (busy) return;
    busy = true;
    clearTimeout(timer);
    try {
      await askOnce();
    } finally {
      busy = false;
      if (running) timer = setTimeout(once, pause());
    }
  }

  async function askOnce() {
    const battery = await batteryLevel();
    const told = await getState({ etag: anew ? "" : store.fact("etag"), waiting: store.unsent(), battery });
    if (told.status === 200) await store.takeState(told.body, { etag: told.etag });
    if (told.status === 200 || told.status === 304) {
      clock.check(told.date);
      anew = false;
      if (store.fact("ended")) await store.keepFact("ended", null);
      const before = store.networkState().online;
      store.noteHeard(true);
      if (!before) outbox.wakeAll();
      onstate();
    } else if (told.status === 401) {
      store.noteHeard(true);
      running = false;
      onended({ code: told.body.code, sentence: told.body.detail });
    } else store.noteHeard(told.status >= 400);
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

  return { start, stop, once, comeBack, soon: () => setTimeout(once, SOONEST) };
}
