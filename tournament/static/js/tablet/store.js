/* What the page knows: the server's last state, what is being typed, what has not reached the server. All of it is on
 * the tablet's disk and is there again after a reload, a crash or a flat battery.

 THE PANEL'S INTERFACE. shell.js makes the store and hands a panel `api`, of one table:
   mountPanel(element, table, api) -> {update()}     update() is called after every change; it may be called often
   api.table()        the view of this table, see getTable
   api.state()        the server's last state, whole
   api.enqueue(act, body, {match, hold})   an act of the referee; resolves with the item when it is ON THE DISK, rejects if the
                      disk refuses (say so: it is not saved). match: true for save, package, dispute.
                      save {typed, confirmations}, package {typed, confirmations, signatures}, dispute {reason, letter?},
                      withdraw {kind, note|item, reason}: a note is taken back, by its number or by its item's key,
                      call {reason, game?, letter?}, warning {letter, game, reason}, incident {kind, game, letter?, ...},
                      pause {letter, escort}, unpause {}, overtime {minutes, reason}.
                      `referee` and `made_at` are added here. Never send the same act twice yourself.
                      `hold`: milliseconds that it stays here before it is first sent.
   api.drop(key)      takes an item back that is still held so; resolves whether it was.
   api.saveDraft(draft)   anything (JSON) that is half typed: survives a reload, is nobody's business but the panel's.
                      null forgets it. Resolves when on the disk.
   api.handOut()      the players hold the tablet from now on: resolves when noted. Works without network.
   api.settle()       shows what the server refused, beside what it has, with what a person may do
   api.takeBack()     asks the PIN; resolves true when it was right, false when it was given up.
   api.engine         js/engine/engine.js
   api.ruleset()
   api.now()          milliseconds since 1970 by the SERVER's clock
   api.network()      {kind: "live" | "wait" | "stop", here, sent, recorded, desk, refused}

 getTable(n) -> {
   number, serial, games, seats, ends_at, pause, overtime, calls, incidents    as the server said last (see tablets/domain.py)
   sheet          the server's sheet as it was told last
   typed, confirmations    what counts on this tablet: of the newest save or package not yet recorded, else the server's
   draft          what saveDraft kept, or null
   open           items of this table that are not recorded, oldest first (outbox.js says what an item has), each with
                  where it `stands`: "here" on this tablet, "sent" and not yet answered, "refused" or "held" for a person
   pending        those of them that wait
   attention      those that the server refused or holds
   desk           how many items of this table a person at the desk has before them, from this tablet or another
   handedOut      whether the players hold the tablet for this table
   signedHere     the package that is on this tablet and not yet recorded, or null: "signed here, not yet recorded"
   ink            the signatures of that package as long as the tablet keeps it, once the sheet is locked; else []
   receipt        the receipt code; "" until the SERVER has given it
   locked         the server's sheet is signed or certified
   writable       nothing stands against typing: not handed out, not signed here, sheet open or draft, nothing held
 }
 */

import { sealOf } from "./export.js";
import { SCHEMA } from "./requests.js";

const WRITABLE = ["open", "draft"];
const LOCKED = ["signed", "certified"];
const WHOLE = ["save", "package"];
const MOST_SHEETS = 60; // as many as the server takes

/** `database` of database.js, `outbox` of outbox.js, `clock` of clock.js. Load it before use. */
export function makeStore({ database, clock }) {
  const listeners = new Set();
  const drafts = new Map();
  let facts = {};
  let outbox = null;
  let sending = new Set();

  const changed = () => listeners.forEach((listen) => listen());

  /** Call `listen()` after every change; the answer stops it. */
  function onchange(listen) {
    listeners.add(listen);
    return () => listeners.delete(listen);
  }

  async function load(madeOutbox) {
    outbox = madeOutbox;
    for (const fact of await database.readAll("facts")) facts[fact.name] = fact.value;
    for (const draft of await database.readAll("tables")) drafts.set(draft.id, draft.draft);
    if (facts.anchor) clock.resume(facts.anchor);
    await outbox.load();
  }

  /** A fact kept under its name; undefined where there is none. */
  const fact = (name) => facts[name];

  async function keepFact(name, value) {
    facts = { ...facts, [name]: value };
    await database.write({ facts: [{ name, value }] });
    changed();
  }

  /** Several facts in one write. */
  async function keepFacts(values) {
    facts = { ...facts, ...values };
    await database.write({ facts: Object.entries(values).map(([name, value]) => ({ name, value })) });
    changed();
  }

  /** Who has the tablet, in memory at least: a disk that refuses it is said, and neither leaves it open nor locks its
   * referee out. */
  const noteFacts = (values) => evenIfFull(() => keepFacts(values));

  async function evenIfFull(act) {
    try {
      return await act();
    } catch (fault) {
      console.error(fault);
      facts = { ...facts, unsaved: true };
      changed();
      return null;
    }
  }

  const state = () => facts.state || null;
  const device = () => (state() ? state().device.number : 0);
  const pairingOf = ({ device: own }) => `${own.number} ${own.paired_at}`;

  /** Whether it was made under the pairing that this tablet has now. */
  const isOfThisPairing = (item) => (item.pairing ? item.pairing === pairingOf(state()) : item.device === device());

  /** Whether an item goes out under the token that this tablet has now: it was made under it; or in another life of the
   * server's database, which was restored since, and its sheet is here again. */
  function isMine(item) {
    if (!state() || item.late) return false;
    const { session, epoch } = state();
    if (isOfThisPairing(item)) return true;
    const isOfBefore = item.lost || (item.epoch && item.epoch !== epoch);
    return Boolean(isOfBefore) && item.session === session.number && tables().includes(item.table);
  }

  /* --- What the server says ------------------------------------------------------------------------------ */

  /** Take the server's state over, unless a later one is here already (answers may overtake one another). `items` are
   * those that the same answer changed: one write, so that what was recorded is never missing from both. What is kept is
   * compared with what the server has; what it has made safe goes. */
  async function takeState(told, { etag = "", items = [] } = {}) {
    if (isOlder(told)) {
      if (items.length) await database.write({ items });
      outbox.apply(items);
      changed();
      return;
    }
    clock.anchor(Date.parse(told.server_now));
    facts = { ...facts, state: told, etag, anchor: clock.kept() };
    const rows = ["state", "etag", "anchor"].map((name) => ({ name, value: facts[name] }));
    const found = outbox.compared(told, items);
    const altered = [...new Map([...items, ...found.changed].map((item) => [item.key, item])).values()];
    const write = async () => {
      await database.write(altered.length ? { facts: rows, items: altered } : { facts: rows }, found.gone.length ? { items: found.gone } : {});
      outbox.apply(altered, found.gone);
      changed();
      if (found.changed.length) outbox.wakeAll();
      return true;
    };
    // An item's answer is noted or sent for again; what the server says beside it is known, and asked for anew.
    if (items.length) await write();
    else if (!(await evenIfFull(write))) facts = { ...facts, etag: "" };
  }

  /** Of the same tablet in the same life of the database, and from before what is known, if not by much: a clock that was
   * set back is believed. */
  function isOlder(told) {
    const known = state();
    if (!known || pairingOf(known) !== pairingOf(told) || known.epoch !== told.epoch) return false;
    const by = Date.parse(known.server_now) - Date.parse(told.server_now);
    return by > 0 && by < 60000;
  }

  /** The token holds no more: no person's name stays here. Which tables, and how far their sheets were, is asked for yet
   * by what is handed over. */
  async function end(why) {
    // Another life of the database: what was recorded in the one before may not be there.
    if (state() && why.epoch !== undefined && why.epoch !== state().epoch) await outbox.doubt();
    const nameless = (table) => ({ ...table, seats: [], calls: [], incidents: [], pause: null, sheet: { ...table.sheet, dispute: null, confirmations: {} } });
    const told = state() && { ...state(), referee: null, referees: [], tables: state().tables.map(nameless) };
    await keepFacts({ ended: why, state: told && { ...told, epoch: why.epoch ?? told.epoch }, etag: "", opened: null });
  }

  /* --- One table ----------------------------------------------------------------------------------------- */

  const idOf = (number) => `${state().session.number}/${number}`;
  const tables = () => (state() ? state().tables.map((table) => table.number) : []);

  function getTable(number) {
    const told = state().tables.find((table) => table.number === number);
    const isOfTable = (item) => item.session === state().session.number && item.table === number;
    const open = outbox.open().filter(isOfTable).map((item) => ({ ...item, stands: standsOf(item) }));
    const pending = open.filter((item) => item.state === "waiting");
    const attention = open.filter((item) => item.state !== "waiting");
    const newest = open.filter((item) => WHOLE.includes(item.act)).at(-1);
    const signedHere = open.filter((item) => item.act === "package" && item.state !== "refused").at(-1) || null;
    const handedOut = facts.handedOut === number;
    const locked = LOCKED.includes(told.sheet.state);
    return {
      ...told,
      typed: newest && !locked ? newest.body.typed : told.sheet.typed,
      confirmations: newest && !locked ? newest.body.confirmations : told.sheet.confirmations,
      draft: drafts.get(idOf(number)) || null,
      open,
      pending,
      attention,
      desk: deskOf(number),
      handedOut,
      signedHere: locked ? null : signedHere,
      ink: locked ? inkOf(number, told.sheet.receipt) : [],
      receipt: told.sheet.receipt,
      locked,
      writable: !handedOut && !signedHere && WRITABLE.includes(told.sheet.state),
    };
  }

  /** What of a table a person has to settle, by key: as the server told it last, and what this tablet knows since. */
  function heldOf(number) {
    const { session, receipts } = state();
    const own = outbox.withDesk().filter((item) => item.session === session.number && item.table === number);
    const told = (receipts || []).filter((one) => one.session === session.number && one.table === number).flatMap(({ held }) => held);
    return [...own.map(({ key }) => key), ...told];
  }

  const deskOf = (number) => new Set(heldOf(number)).size;

  /** The same of everything that this tablet has made or serves. */
  const allHeld = () => new Set([...outbox.withDesk().map(({ key }) => key), ...tables().flatMap(heldOf)]);

  /** What was drawn on this tablet for the sheet with this receipt; the server gives drawings to no tablet. */
  function inkOf(number, receipt) {
    const of = (item) => item.act === "package" && item.session === state().session.number && item.table === number;
    const recorded = outbox.all().filter((item) => of(item) && item.state === "recorded" && item.receipt === receipt);
    return recorded.length ? recorded.at(-1).body.signatures : [];
  }

  /** Where an item stands: while nobody is heard what goes out again and again has not left. */
  const standsOf = (item) => {
    if (item.state !== "waiting") return item.state;
    return sending.has(item.key) && facts.heard?.now ? "sent" : "here";
  };

  /** Note that an item is on its way, or is not any more. */
  function noteSending(key, isOn) {
    if (isOn) sending.add(key);
    else sending.delete(key);
    changed();
  }

  /** See the head of this file. */
  async function enqueue({ table, act, body, match = false, hold = 0 }) {
    if (!facts.opened) throw new Error("no referee has opened this tablet");
    const { event, session, device: own, epoch } = state();
    const told = state().tables.find((one) => one.number === table);
    const whole = WHOLE.includes(act);
    const item = await outbox.add({
      event: event.slug, device: own.number, pairing: pairingOf(state()), epoch, session: session.number, table, act, match, hold,
      revision: match ? told.sheet.revision : null,
      body: { ...body, referee: facts.opened.id, made_at: new Date().toISOString() },
      remove: whole ? { tables: [idOf(table)] } : {},
    });
    if (whole) drafts.delete(idOf(table));
    changed();
    return item;
  }

  async function saveDraft(number, draft) {
    const id = idOf(number);
    if (draft === null) {
      drafts.delete(id);
      await database.write({}, { tables: [id] });
    } else {
      drafts.set(id, draft);
      await database.write({ tables: [{ id, draft }] });
    }
    changed();
  }

  /* --- All tables ---------------------------------------------------------------------------------------- */

  /** What the bar says, from what the server has told: how many are here alone, sent and not answered, recorded, with the
   * desk; how many a person here has to look at; since when nothing was heard. `kind` is "live" where all is recorded. */
  function networkState() {
    const open = outbox.open();
    const waiting = open.filter((item) => item.state === "waiting");
    const sent = waiting.filter((item) => standsOf(item) === "sent").length;
    const refused = open.filter((item) => item.state === "refused").length;
    const recorded = outbox.all().filter((item) => item.state === "recorded").length;
    const desk = allHeld().size;
    const heard = facts.heard || null;
    const online = Boolean(heard && heard.now);
    const all = !waiting.length && !desk && !facts.unsaved;
    const kind = refused || facts.unsaved ? "stop" : all && online && !facts.ended ? "live" : "wait";
    const told = state() ? Date.parse(state().server_now) : 0;
    return {
      kind, waiting: waiting.length, here: waiting.length - sent, sent, recorded, desk, refused, online, ended: Boolean(facts.ended),
      unsaved: Boolean(facts.unsaved), last: (heard && heard.at) || told,
    };
  }

  /** Whether the disk has refused something since it last took anything. In memory: a reload tries anew. */
  function noteUnsaved(is) {
    if (Boolean(facts.unsaved) === is) return;
    facts = { ...facts, unsaved: is };
    changed();
  }

  /** Note whether the server answers; gives whether it does again. In memory: a page that was just opened has heard nothing. */
  function noteHeard(now) {
    const at = now ? clock.now() : (facts.heard && facts.heard.at) || 0;
    const before = facts.heard && facts.heard.now;
    facts = { ...facts, heard: { now, at } };
    if (before !== now) changed();
    return now && !before;
  }

  /** What the desk is told as X-Waiting: whatever has not reached the server, refused ones too until they are settled. */
  const unsent = () => outbox.open().filter((item) => item.state !== "held").length;

  /** Of which sheets something is kept here, as X-Sheets: the server tells of them what it has. */
  const sheets = () => outbox.sheets().slice(0, MOST_SHEETS).join(" ");

  /** What leaves the tablet as a file or as codes: every item that the server has not recorded. */
  function exported() {
    const items = outbox.open().map(({ key, act, table, session, device: of, revision, body }) => ({
      key, act, table, session, device: of, revision, body,
    }));
    const file = { format: SCHEMA, event: state() ? state().event.slug : "", device: device(), items };
    const key = state()?.device.seal_key;
    return key ? { ...file, seal: sealOf(file, key) } : file;
  }

  return {
    load, onchange, changed, isMine, isOfThisPairing, noteUnsaved, fact, keepFact, keepFacts, noteFacts, state, device, takeState, end, tables, getTable, noteSending, standsOf, enqueue, saveDraft,
    networkState, noteHeard, unsent, sheets, exported,
  };
}
