/* The outbox: what the referee did, on this tablet's disk before it is first sent, until the server has recorded it.

  item = {
    key        128 random bits: the Idempotency-Key of every sending
    order      1, 2, 3 ...: the order in which they were made
    act        save, package, dispute, call, warning, incident, pause, unpause, overtime
    event, device, session, table
    match      whether it goes with If-Match
    revision   the revision of the sheet it builds on; null until the item before it is recorded
    body       what is sent, with `referee` and `made_at`
    tries, state, receipt, sentence, code, settled
  }
  state = waiting | recorded | refused | held. Refused and held stay until a person has settled them (`settled`);
  recorded ones are kept until their session is closed, to be sent again after the server was restored.
*/

import { newKey } from "./requests.js";

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30000;

/** Order among items of one sheet; one of them is on its way at a time. */
const laneOf = (item) => `${item.device}/${item.session}/${item.table}`;

/** Milliseconds until the next try: 1, 2, 4 ... 30 s, each with up to a fifth more. */
export function backOff(tries, chance = Math.random()) {
  return Math.round(Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.max(0, tries - 1)) * (1 + chance / 5));
}

/** The revision of the sheet once `item` is recorded: a save moves it by one, whoever wrote after it; else as told. */
export function revisionAfter(item, answer) {
  if (item.act === "save") return item.revision + 1;
  const table = answer.state && answer.state.tables.find((one) => one.number === item.table);
  return table ? table.sheet.revision : item.revision;
}

/** `database` of database.js; `send(item)` answers as requests.post does; `isMine(item)`: made under the token that this
 * tablet has now; `keepAnswer(body, items)` writes what an answer recorded, with the state that it brought, in one;
 * `onanswer(item, answer)`; `onchange()`. */
export function makeOutbox({ database, send, isMine, keepAnswer, onanswer, onchange }) {
  const items = new Map();
  const lanes = new Map();
  let order = 0;
  let stopped = ""; // "", "ended", "pin", "reload" or "window": why nothing is sent at all

  const all = () => [...items.values()].sort((one, other) => one.order - other.order);
  const open = () => all().filter((item) => !item.settled && item.state !== "recorded");
  const waiting = () => all().filter((item) => item.state === "waiting");

  async function load() {
    for (const item of await database.readAll("items")) {
      items.set(item.key, item);
      order = Math.max(order, item.order);
    }
  }

  /* --- In ------------------------------------------------------------------------------------------------ */

  /** Put an act into the outbox; resolved when it is on the disk, and only then is it sent. `remove`: what it was made
   * from, gone in the same write, so that a tablet that dies between never has both. */
  async function add({ event, device, session, table, act, body, match, revision, remove = {} }) {
    const chained = match && open().some((item) => item.match && item.session === session && item.table === table);
    order += 1;
    const item = {
      key: newKey(), order, act, event, device, session, table, match: Boolean(match),
      revision: match && !chained ? revision : null,
      body, tries: 0, state: "waiting", receipt: "", sentence: "", code: "", settled: false,
    };
    await database.write({ items: [item] }, remove);
    items.set(item.key, item);
    onchange();
    wake(laneOf(item));
    return item;
  }

  /** Change items, on the disk first. */
  async function keep(...changed) {
    await database.write({ items: changed });
    for (const item of changed) items.set(item.key, item);
    onchange();
  }

  /* --- Out ----------------------------------------------------------------------------------------------- */

  /** The next item of a sheet. What builds on one that a person has to settle waits for it; a call does not. */
  function nextOf(lane) {
    let blocked = false;
    for (const item of all()) {
      if (laneOf(item) !== lane || item.settled || !isMine(item)) continue;
      if (item.match && (item.state === "refused" || item.state === "held")) blocked = true;
      if (item.state === "waiting" && !(item.match && (blocked || item.revision === null))) return item;
    }
    return null;
  }

  function wake(lane) {
    const at = lanes.get(lane) || { busy: false, timer: 0 };
    lanes.set(lane, at);
    clearTimeout(at.timer);
    if (!at.busy && !stopped) sendNext(lane, at);
  }

  async function sendNext(lane, at) {
    const item = nextOf(lane);
    if (!item) return;
    at.busy = true;
    let again = 0;
    try {
      again = await sendOne(item);
    } catch (fault) {
      // The disk refused to note the answer: the item is as it was, and the same key is sent again.
      console.error(fault);
      again = LONGEST_WAIT;
    }
    at.busy = false;
    if (stopped) return;
    if (again) at.timer = setTimeout(() => wake(lane), again);
    else wake(lane);
  }

  /** Send one item and note what came of it; milliseconds until it is tried again, 0 where it is done. */
  async function sendOne(item) {
    const answer = await send(item);
    const meaning = answer.meaning;
    if (meaning === "ended" || meaning === "pin" || meaning === "reload") stopped = meaning; // before it is drawn
    if (meaning === "recorded") await record(item, answer.body);
    else if (meaning === "held" || meaning === "refused") {
      const { code, detail } = answer.body;
      await keep({ ...item, tries: item.tries + 1, state: meaning, code, sentence: detail });
    } else await keep({ ...item, tries: item.tries + 1 });
    onanswer(items.get(item.key), answer);
    return meaning === "again" ? Math.max(backOff(item.tries + 1), answer.wait * 1000) : 0;
  }

  /** Recorded, what builds on it gets its revision, and the sheet is as the server tells it, in one write: a crash
   * between them cannot be, nor a moment in which the game is nowhere. */
  async function record(item, body) {
    const recorded = { ...item, state: "recorded", receipt: body.receipt || "", tries: item.tries + 1 };
    const follower = item.match && nextWithout(item);
    const changed = [recorded];
    if (follower) changed.push({ ...follower, revision: revisionAfter(item, body) });
    await keepAnswer(body, changed);
    for (const one of changed) items.set(one.key, one);
    onchange();
  }

  const nextWithout = (item) =>
    all().find((other) => laneOf(other) === laneOf(item) && other.order > item.order && other.match && !other.settled
      && other.state === "waiting" && other.revision === null);

  /** Try everything at once: the network is back, a PIN was typed. */
  function wakeAll() {
    for (const lane of new Set(waiting().map(laneOf))) wake(lane);
  }

  /** Another window sends from now on. */
  function stop() {
    stopped = "window";
  }

  function goOn() {
    stopped = "";
    wakeAll();
  }

  /* --- A person settles ---------------------------------------------------------------------------------- */

  /** Send a refused item again as a new one over the revision that stands now; what built on it follows. */
  async function sendOver(key, revision) {
    const item = items.get(key);
    const renewed = { ...item, key: newKey(), state: "waiting", tries: 0, sentence: "", code: "", settled: false };
    await keep({ ...item, settled: true }, { ...renewed, revision: item.match ? revision : null });
    wake(laneOf(item));
  }

  /** Put an item aside that the server will not take. It is kept, and what built on it goes on from `revision`. */
  async function setAside(key, revision) {
    const item = items.get(key);
    const follower = item.match && nextWithout(item);
    await keep({ ...item, settled: true }, ...(follower ? [{ ...follower, revision }] : []));
    wake(laneOf(item));
  }

  /** Send all that was recorded again, with the same keys: a server that has it answers as before. */
  async function resend() {
    const recorded = all().filter((item) => item.state === "recorded");
    if (recorded.length) await keep(...recorded.map((item) => ({ ...item, state: "waiting", tries: 0 })));
    goOn();
  }

  /** Note what the server says of items that were handed over late. */
  async function noteHeld(held, recorded) {
    const changed = all().filter((item) => held.includes(item.key) || recorded.includes(item.key));
    const stateOf = (item) => (held.includes(item.key) ? { state: "held", settled: true } : { state: "recorded" });
    if (changed.length) await keep(...changed.map((item) => ({ ...item, ...stateOf(item) })));
  }

  /** Forget what is recorded of a session that is closed: nothing of a person stays here. */
  async function forget(isClosed) {
    const old = all().filter((item) => isClosed(item) && (item.state === "recorded" || item.settled));
    if (!old.length) return;
    await database.write({}, { items: old.map((item) => item.key) });
    for (const item of old) items.delete(item.key);
    onchange();
  }

  return { load, add, all, open, waiting, wakeAll, goOn, stop, sendOver, setAside, resend, noteHeld, forget, stopped: () => stopped };
}
