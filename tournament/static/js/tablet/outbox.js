/* The outbox: what the referee did, on this tablet's disk before it is first sent, until the server has made it safe.

  item = {
    key        128 random bits: the Idempotency-Key of every sending
    order      1, 2, 3 ...: the order in which they were made
    act        save, package, dispute, call, warning, incident, pause, unpause, overtime
    event, device, session, table
    pairing, epoch   under which pairing it was made, and in which life of the server's database
    match      whether it goes with If-Match
    revision   the revision of the sheet it builds on; null until the item before it is recorded
    body       what is sent, with `referee` and `made_at`
    after      when it is first sent, by this tablet's clock: until then it can be dropped; 0: at once
    tries, state, receipt, sentence, code, because, settled
    late       it goes to the desk: nobody here may bring it in its referee's name
    lost       the server had it and has it no more (a backup was restored): it goes out again by itself
  }
  state = waiting | recorded | refused | held | desk | aside.
    held    the server did not take it as it was meant, the chief judge compares: the sheet waits for that
    desk    handed over late, or its referee has understood that it is held: the sheet goes on, a person settles it
    aside   a person at the desk has put it aside
  Nothing leaves this tablet before the server says that its sheet is safe: the session over, and in a backup.
  With every state the server tells what it has (`compared`): what this tablet took for recorded and is not there waits
  again. Sent again it is harmless, by its key.
*/

import { newKey } from "./requests.js";

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30000;
const OPEN = ["waiting", "refused", "held"];
const WITH_DESK = ["held", "desk"];
// The server had these before it, or a person there had.
const ARRIVED = ["recorded", "held", "desk", "aside"];
const STALE = 412;

const sheetOf = (item) => `${item.session}/${item.table}`;

/** Milliseconds until the next try: 1, 2, 4 ... 30 s, each with up to a fifth more. */
export function backOff(tries, chance = Math.random()) {
  return Math.round(Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.max(0, tries - 1)) * (1 + chance / 5));
}

const LONGEST_HOLD = 10000; // a clock that was set back holds nothing for longer

/** Milliseconds until an item may leave; 0 where it may. */
export function heldBack({ after = 0 }, now = Date.now()) {
  const left = after - now;
  return left > 0 && left <= LONGEST_HOLD ? left : 0;
}

/** The revision of the sheet once `item` is recorded: a save moves it by one, whoever wrote after it; else as told. */
export function revisionAfter(item, answer) {
  if (item.act === "save") return item.revision + 1;
  const table = answer.state && answer.state.tables.find((one) => one.number === item.table);
  return table ? table.sheet.revision : item.revision;
}

/** `database` of database.js; `send(item)` answers as requests.post does; `isMine(item)`: it goes out under the token that
 * this tablet has now; `keepAnswer(body, items)` writes what an answer recorded, with the state that it brought, in one;
 * `onanswer(item, answer)`; `onchange()`. */
export function makeOutbox({ database, send, isMine, keepAnswer, onanswer, onchange }) {
  const items = new Map();
  const lanes = new Map();
  let order = 0;
  let stopped = ""; // "", "ended", "pin", "reload" or "window": why nothing is sent at all

  const all = () => [...items.values()].sort((one, other) => one.order - other.order);
  const open = () => all().filter((item) => !item.settled && OPEN.includes(item.state));
  const waiting = () => all().filter((item) => item.state === "waiting");
  /** What a person at the desk has to settle. */
  const withDesk = () => all().filter((item) => !item.settled && WITH_DESK.includes(item.state));
  /** The sheets of which anything is kept, the newest first: "7/1". */
  const sheets = () => [...new Set(all().reverse().map(sheetOf))];

  async function load() {
    for (const item of await database.readAll("items")) {
      items.set(item.key, item);
      order = Math.max(order, item.order);
    }
  }

  /* --- In ------------------------------------------------------------------------------------------------ */

  /** Put an act into the outbox; resolved when it is on the disk, and only then is it sent. `remove`: what it was made
   * from, gone in the same write, so that a tablet that dies between never has both. */
  async function add({ event, device, pairing, epoch, session, table, act, body, match, revision, hold = 0, remove = {} }) {
    const before = (item) => item.match && item.session === session && item.table === table && isMine(item);
    const chained = match && open().some(before);
    order += 1;
    const item = {
      key: newKey(), order, act, event, device, pairing, epoch, session, table, match: Boolean(match),
      revision: match && !chained ? revision : null,
      body, after: hold && Date.now() + hold, tries: 0, state: "waiting", receipt: "", sentence: "", code: "", because: "", settled: false, lost: false,
    };
    await database.write({ items: [item] }, remove);
    items.set(item.key, item);
    onchange();
    wake(sheetOf(item));
    return item;
  }

  /** Take back an item that has not left yet. Answers whether it was so. */
  async function drop(key) {
    const item = items.get(key);
    if (!item || !heldBack(item)) return false;
    await database.write({}, { items: [key] });
    items.delete(key);
    onchange();
    return true;
  }

  /** Change items, on the disk first. */
  async function keep(...changed) {
    await database.write({ items: changed });
    for (const item of changed) items.set(item.key, item);
    onchange();
  }

  /* --- Out ----------------------------------------------------------------------------------------------- */

  /** The next item of a sheet. What builds on one that a person has to settle waits for it; a call does not. Notes keep
   * their order: one that can still be undone holds back those after it, but no figures. */
  function nextOf(lane) {
    let blocked = false;
    let noteWaits = false;
    for (const item of all()) {
      if (sheetOf(item) !== lane || item.settled || !isMine(item)) continue;
      if (item.match && (item.state === "refused" || item.state === "held")) blocked = true;
      if (item.state === "waiting" && !item.match && heldBack(item)) noteWaits = true;
      if (!item.match && noteWaits) continue;
      if (item.state === "waiting" && !heldBack(item) && !(item.match && (blocked || item.revision === null))) return item;
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
    if (!item) {
      const later = all().filter((one) => sheetOf(one) === lane && heldBack(one));
      if (later.length) at.timer = setTimeout(() => wake(lane), heldBack(later[0]) + 10);
      return;
    }
    at.busy = true;
    at.key = item.key;
    let again = 0;
    try {
      again = await sendOne(item);
    } catch (fault) {
      // The disk refused to note the answer: the item is as it was, and the same key is sent again.
      console.error(fault);
      again = LONGEST_WAIT;
    }
    at.busy = false;
    at.key = "";
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
      await refuse(item, meaning, answer);
    } else if (meaning === "late") await keep({ ...item, tries: item.tries + 1, late: true, lost: true });
    else await keep({ ...item, tries: item.tries + 1 });
    onanswer(items.get(item.key), answer);
    return meaning === "again" ? Math.max(backOff(item.tries + 1), answer.wait * 1000) : 0;
  }

  /** Kept for a person; but where what it builds on has to go out again before it, it follows that. */
  async function refuse(item, meaning, { status, body }) {
    const earlier = (one) => sheetOf(one) === sheetOf(item) && one.order < item.order && one.match && one.state === "waiting" && isMine(one);
    if (meaning === "refused" && status === STALE && item.match && all().some(earlier)) {
      await keep({ ...item, tries: item.tries + 1, revision: null });
      return;
    }
    // Nothing builds on a call: where it is held nothing waits for it.
    const state = meaning === "held" && !item.match ? "desk" : meaning;
    await keep({ ...item, tries: item.tries + 1, state, code: body.code, sentence: body.detail, because: body.held ?? "" });
  }

  /** Recorded, what builds on it gets its revision, and the sheet is as the server tells it, in one write: a crash
   * between them cannot be, nor a moment in which the game is nowhere. */
  async function record(item, body) {
    const recorded = { ...item, state: "recorded", receipt: body.receipt || "", tries: item.tries + 1, lost: false };
    const follower = item.match && nextWithout(item);
    const changed = [recorded];
    if (follower) changed.push({ ...follower, revision: revisionAfter(item, body) });
    await keepAnswer(body, changed);
  }

  /** What is on the disk by now is known here too. */
  function apply(changed, gone = []) {
    for (const item of changed) items.set(item.key, item);
    for (const key of gone) items.delete(key);
  }

  const nextWithout = (item) =>
    all().find((other) => sheetOf(other) === sheetOf(item) && isMine(other) && other.order > item.order && other.match && !other.settled
      && other.state === "waiting" && other.revision === null);

  /** Try everything at once: the network is back, a PIN was typed. */
  function wakeAll() {
    for (const lane of new Set(waiting().map(sheetOf))) wake(lane);
  }

  /** Another window sends from now on. */
  function stop() {
    stopped = "window";
  }

  /** Nothing goes out until a PIN is typed, or why it is. */
  function stopFor(why) {
    stopped = why;
    onchange();
  }

  function goOn() {
    stopped = "";
    wakeAll();
  }

  /* --- A person settles ---------------------------------------------------------------------------------- */

  /** Send a refused item again as a new one over the revision that stands now; what built on it follows. */
  async function sendOver(key, revision) {
    const item = items.get(key);
    const renewed = { ...item, key: newKey(), state: "waiting", tries: 0, sentence: "", code: "", because: "", settled: false };
    await keep({ ...item, settled: true }, { ...renewed, revision: item.match ? revision : null });
    wake(sheetOf(item));
  }

  /** Put an item aside that the server will not take. It is kept, and what built on it goes on from `revision`. */
  async function setAside(key, revision) {
    const item = items.get(key);
    const follower = item.match && nextWithout(item);
    await keep({ ...item, settled: true }, ...(follower ? [{ ...follower, revision }] : []));
    wake(sheetOf(item));
  }

  /** The referee has understood that it is with the desk: the sheet goes on, it is counted until it is settled. */
  async function leaveToDesk(key, revision) {
    const item = items.get(key);
    const follower = item.match && nextWithout(item);
    await keep({ ...item, state: "desk" }, ...(follower ? [{ ...follower, revision }] : []));
    wake(sheetOf(item));
  }

  /** Send all that was recorded again, with the same keys: a server that has it answers as before. */
  async function resend() {
    const recorded = all().filter((item) => item.state === "recorded" && isMine(item));
    if (recorded.length) await keep(...recorded.map((item) => ({ ...item, state: "waiting", tries: 0 })));
    goOn();
  }

  /** Note what the server says of items that were handed over late. */
  async function noteHeld(held, recorded) {
    const changed = all().filter((item) => held.includes(item.key) || recorded.includes(item.key));
    const stateOf = (item) => (held.includes(item.key) ? "desk" : "recorded");
    if (changed.length) await keep(...changed.map((item) => ({ ...item, state: stateOf(item), lost: false })));
  }

  /* --- Against what the server has ----------------------------------------------------------------------- */

  /** Compare what is kept with the receipts of a state; `answered` are the items that the same answer changed. Answers
   * {changed, gone}: what stands otherwise from now on, and the keys of what the server has made safe. */
  function compared(state, answered = []) {
    const told = new Map(state.receipts.map((one) => [sheetOf(one), setsOf(one)]));
    const fresh = new Map(answered.map((item) => [item.key, item]));
    const now = all().map((item) => fresh.get(item.key) || item);
    const changed = new Map();
    const gone = [];
    const broken = new Set(); // the sheets of which something goes out again
    for (const item of now) {
      const sheet = told.get(sheetOf(item));
      if (!sheet) continue;
      if (sheet.safe && isDone(item, sheet)) gone.push(item.key);
      const next = gone.at(-1) === item.key ? null : against(item, sheet, broken.has(sheetOf(item)));
      if (!next) continue;
      changed.set(next.key, next);
      if (next.match && next.state === "waiting") broken.add(sheetOf(item));
    }
    for (const item of stuck(now.map((one) => changed.get(one.key) || one), state)) changed.set(item.key, item);
    return { changed: [...changed.values()], gone };
  }

  /** What waits for the revision of an item that is settled by now builds on the sheet as it is told. */
  function stuck(now, state) {
    const found = [];
    for (const { number, sheet } of state.tables) {
      const isOpen = (item) => item.session === state.session.number && item.table === number && item.match && !item.settled && OPEN.includes(item.state) && isMine(item);
      const first = now.find(isOpen);
      if (first && first.revision === null) found.push({ ...first, revision: sheet.revision });
    }
    return found;
  }

  const setsOf = ({ recorded, held, aside, safe }) => ({ recorded: new Set(recorded), held: new Set(held), aside: new Set(aside), safe });

  const isDone = (item, { recorded, aside }) =>
    recorded.has(item.key) ? item.state !== "waiting" : aside.has(item.key) || (item.settled && item.state === "refused");

  /** An item as it stands by the receipts of its sheet; null where that is as before. `isBroken`: what it builds on goes
   * out again, so that its revision is told anew. */
  function against(item, sheet, isBroken) {
    const isOut = item.state === "waiting";
    if (item.state === "refused" && item.settled) return null;
    if (isOut && isMine(item)) return isBroken && item.match && item.revision !== null && !isOnItsWay(item) ? { ...item, revision: null } : null;
    if (sheet.recorded.has(item.key)) return item.state === "recorded" ? null : { ...item, state: "recorded", settled: false, lost: false };
    if (sheet.aside.has(item.key)) return item.state === "aside" ? null : { ...item, state: "aside", lost: false };
    if (sheet.held.has(item.key)) return WITH_DESK.includes(item.state) && !item.settled ? null : { ...item, state: "desk", settled: false, lost: false };
    const follows = isBroken && item.match && item.state === "refused";
    if (!follows && !ARRIVED.includes(item.state)) return null;
    return { ...item, state: "waiting", settled: false, tries: 0, lost: true, sentence: "", code: "", revision: isBroken && item.match ? null : item.revision };
  }

  const isOnItsWay = (item) => [...lanes.values()].some((lane) => lane.key === item.key);

  /** Another life of the server's database does not know this tablet: nothing that was recorded is certain any more. */
  async function doubt() {
    const recorded = all().filter((item) => ARRIVED.includes(item.state));
    if (recorded.length) await keep(...recorded.map((item) => ({ ...item, state: "waiting", settled: false, tries: 0, lost: true })));
  }

  return {
    load, add, drop, all, open, waiting, withDesk, sheets, wakeAll, goOn, stop, stopFor, sendOver, setAside, leaveToDesk, resend, noteHeld, compared,
    apply, doubt, stopped: () => stopped,
  };
}
