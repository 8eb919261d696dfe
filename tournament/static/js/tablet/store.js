/* What the page knows: the server's last state, what is being typed, what has not reached the server. All of it is on
 * the tablet's disk and is there again after a reload, a crash or a flat battery.

 THE PANEL'S INTERFACE. shell.js makes the store and hands a panel `api`, of one table:
   mountPanel(element, table, api) -> {update()}     update() is called after every change; it may be called often
   api.table()        the view of this table, see getTable
   api.state()        the server's last state, whole
   api.enqueue(act, body, {match})   an act of the referee; resolves with the item when it is ON THE DISK, rejects if the
                      disk refuses (say so: it is not saved). match: true for save, package, dispute.
                      save {typed, confirmations}, package {typed, confirmations, signatures}, dispute {reason, letter?},
                      call {reason, game?, letter?}, warning {letter, game, reason}, incident {kind, game, letter?, ...},
                      pause {letter, escort}, unpause {}, overtime {minutes, reason}.
                      `referee` and `made_at` are added here. Never send the same act twice yourself.
   api.saveDraft(draft)   anything (JSON) that is half typed: survives a reload, is nobody's business but the panel's.
                      null forgets it. Resolves when on the disk.
   api.handOut()      the players hold the tablet from now on: resolves when noted. Works without network.
   api.settle()       shows what the server refused, beside what it has, with what a person may do
   api.takeBack()     asks the PIN; resolves true when it was right, false when it was given up.
   api.words          the words of the page (words.js: fill)
   api.engine         js/engine/engine.js
   api.ruleset(), api.games()
   api.now()          milliseconds since 1970 by the SERVER's clock
   api.network()      {kind: "live" | "wait" | "stop", waiting, refused}

 getTable(n) -> {
   number, serial, seats, ends_at, pause, overtime, calls, incidents    as the server said last (see bridge/tablet.py)
   sheet          the server's sheet as it was told last
   typed, confirmations    what counts on this tablet: of the newest save or package not yet recorded, else the server's
   draft          what saveDraft kept, or null
   open           items of this table that are not recorded, oldest first (outbox.js says what an item has), each with
                  where it `stands`: "here" on this tablet, "sent" and not yet answered, "refused" or "held" for a person
   pending        those of them that wait
   attention      those that the server refused or holds
   handedOut      whether the players hold the tablet for this table
   signedHere     the package that is on this tablet and not yet recorded, or null: "signed here, not yet recorded"
   ink            the signatures of that package as long as the tablet keeps it, once the sheet is locked; else []
   receipt        the receipt code; "" until the SERVER has given it
   locked         the server's sheet is signed or certified
   writable       nothing stands against typing: not handed out, not signed here, sheet open or draft, nothing held
 }
 */

import { SCHEMA } from "./requests.js";

const WRITABLE = ["open", "draft"];
const LOCKED = ["signed", "certified"];
const WHOLE = ["save", "package"];

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

  const state = () => facts.state || null;
  const device = () => (state() ? state().device.number : 0);

  /* --- What the server says ------------------------------------------------------------------------------ */

  /** Take the server's state over, unless a later one is here already (answers may overtake one another). `items` are
   * those that the same answer changed: one write, so that what was recorded is never missing from both. */
  async function takeState(told, { etag = "", items = [] } = {}) {
    const known = state();
    const sameDevice = known && known.device.number === told.device.number;
    const older = sameDevice && Date.parse(told.server_now) < Date.parse(known.server_now);
    if (older && Date.parse(known.server_now) - Date.parse(told.server_now) < 60000) {
      if (items.length) await database.write({ items });
      return;
    }
    clock.anchor(Date.parse(told.server_now));
    facts = { ...facts, state: told, etag, anchor: clock.kept() };
    const rows = ["state", "etag", "anchor"].map((name) => ({ name, value: facts[name] }));
    await database.write(items.length ? { facts: rows, items } : { facts: rows });
    await outbox.forget((item) => isOver(item, told));
    changed();
  }

  /** The token holds no more: no person's name stays here. Which tables, and how far their sheets were, is asked for yet
   * by what is handed over. */
  async function end(why) {
    const nameless = (table) => ({ ...table, seats: [], calls: [], incidents: [], pause: null, sheet: { ...table.sheet, dispute: null, confirmations: {} } });
    const told = state() && { ...state(), referee: null, referees: [], tables: state().tables.map(nameless) };
    await keepFacts({ ended: why, state: told, etag: "", opened: null });
  }

  /** Whether an item belongs to a session that is closed, or to one before that the tablet has gone on from. */
  const isOver = (item, told) =>
    item.session === told.session.number ? told.session.state === "closed" : item.state === "recorded";

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
      handedOut,
      signedHere: locked ? null : signedHere,
      ink: locked ? inkOf(number, told.sheet.receipt) : [],
      receipt: told.sheet.receipt,
      locked,
      writable: !handedOut && !signedHere && WRITABLE.includes(told.sheet.state),
    };
  }

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
  async function enqueue({ table, act, body, match = false }) {
    if (!facts.opened) throw new Error("no referee has opened this tablet");
    const { event, session, device: own } = state();
    const told = state().tables.find((one) => one.number === table);
    const whole = WHOLE.includes(act);
    const item = await outbox.add({
      event: event.slug, device: own.number, session: session.number, table, act, match,
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

  /** How many wait, how many a person has to look at, since when nothing was heard. */
  function networkState() {
    const open = outbox.open();
    const waiting = open.filter((item) => item.state === "waiting").length;
    const refused = open.length - waiting;
    const heard = facts.heard || null;
    const kind = refused ? "stop" : waiting || !(heard && heard.now) ? "wait" : "live";
    const told = state() ? Date.parse(state().server_now) : 0;
    return { kind, waiting, refused, online: Boolean(heard && heard.now), last: (heard && heard.at) || told };
  }

  /** Note whether the server answers. In memory: a page that was just opened has heard nothing. */
  function noteHeard(now) {
    const at = now ? clock.now() : (facts.heard && facts.heard.at) || 0;
    const same = facts.heard && facts.heard.now === now;
    facts = { ...facts, heard: { now, at } };
    if (!same) changed();
  }

  /** What the desk is told as X-Waiting: whatever has not reached the server, refused ones too until they are settled. */
  const unsent = () => outbox.open().filter((item) => item.state !== "held").length;

  /** What leaves the tablet as a file or as codes: every item that the server has not recorded. */
  function exported() {
    const items = outbox.open().map(({ key, act, table, session, device: of, revision, body }) => ({
      key, act, table, session, device: of, revision, body,
    }));
    return { format: SCHEMA, event: state() ? state().event.slug : "", device: device(), items };
  }

  return {
    load, onchange, changed, fact, keepFact, keepFacts, state, device, takeState, end, tables, getTable, noteSending, standsOf, enqueue, saveDraft,
    networkState, noteHeard, unsent, exported,
  };
}
