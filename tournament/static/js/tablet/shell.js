/* The referee's tablet: puts the parts together, and decides which screen stands. */

import * as engine from "../engine/engine.js";
import { makeAlerts } from "./alerts.js";
import { attentionNotes, offlineNote } from "./attention.js";
import { makeBar } from "./bar.js";
import { makeClock } from "./clock.js";
import { openDatabase } from "./database.js";
import { saveFile } from "./export.js";
import { note, button } from "./icon.js";
import { makeItems } from "./items.js";
import { keepPages, watchKept } from "./kept.js";
import { makeLanguage } from "./language.js";
import { makeMenu } from "./menu.js";
import { makeOutbox } from "./outbox.js";
import { codeOf, makePairing } from "./pairing.js";
import { mountPanel } from "./panel.js";
import { makePin } from "./pin.js";
import { pinPad } from "./pinpad.js";
import { post } from "./requests.js";
import { makeScreens } from "./screens.js";
import { makeStore } from "./store.js";
import { makeSync } from "./sync.js";
import { handOverFault, whyPin } from "./texts.js";
import { make } from "./tile.js";
import { redrawUndo } from "./undo.js";
import { makeWindow } from "./window.js";
import { byTablet, fill, gettext, page, pgettext } from "./words.js";

const element = document.getElementById("page");
const dialog = document.getElementById("dialog");
const notices = document.querySelector("[data-notices]");

// The code leaves the address before anything else happens: nobody reads it off a screen or out of the history.
const scanned = codeOf(location.hash);
if (location.hash) history.replaceState(null, "", location.pathname + location.search);
// An address typed while the page stands open brings only its #: the page begins again with it.
window.addEventListener("hashchange", () => codeOf(location.hash) && location.reload());

const clock = makeClock();
let store, outbox, sync, pin, pairing, bar, items, screens, menu, ownWindow, alerts, language;
let shown = "";
let panels = [];
let typedSoFar = () => null; // in the PIN's keys
let takingBack = null;
let isOnlineOnly = false; // it was looked, and the page is not kept

function build(database) {
  store = makeStore({ database, clock });
  outbox = makeOutbox({ database, send, onanswer, isMine: store.isMine, keepAnswer, onchange: () => store.changed() });
  sync = makeSync({ store, outbox, clock, onended, onstate });
  pin = makePin({ store });
  pairing = makePairing({ store, outbox, slug: page.slug });
  items = makeItems({ dialog, outbox, store, onwake: comeBack });
  const acts = { pair, takeOver, takeBack, deliver, goOn, save: () => saveFile(store.exported()), codes: () => items.showCodes(), reload };
  screens = makeScreens({ element, store, outbox, slug: page.slug, acts });
  menu = makeMenu({ dialog, store, outbox, acts: { lock, goOn: screens.goOn, outbox: () => items.show(), switches: () => alerts.switches() } });
  alerts = makeAlerts({ store, clock });
  language = makeLanguage({ onswitch });
  bar = makeBar({ store, clock, onnet: () => items.show(), onmenu: () => menu.show() });
}

/* --- Out and in ------------------------------------------------------------------------------------------- */

/** What was not heard for a while is asked first what it has: a backup may have been restored, the tablet been locked. */
async function send(item) {
  if (!store.networkState().online) await sync.once();
  if (!(await pin.isToldBefore(item)) || !store.networkState().online) return { meaning: "again", status: 0, body: null, wait: 0 };
  if (await pin.isAskedFirst(item)) return { meaning: "pin", status: 0, body: null, wait: 0 };
  store.noteSending(item.key, true);
  try {
    const answer = await post(`tables/${item.table}/${item.act}`, item);
    // Sent again under another pairing, whose PINs its referee never typed: a person at the desk says in whose name.
    const isStranger = answer.meaning === "pin" && answer.body.code === "pin_needed" && store.state().referee && !store.isOfThisPairing(item);
    return isStranger ? { ...answer, meaning: "late" } : answer;
  } finally {
    store.noteSending(item.key, false);
  }
}

/** What an answer recorded, and the state that came with it. */
const keepAnswer = (body, items) => store.takeState(body.state, { items });

async function onanswer(item, answer) {
  const body = answer.body;
  if (answer.meaning === "pin" && !answer.status) return;
  // What failed before this answer need not wait for its next try.
  if (store.noteHeard(answer.status > 0 && answer.meaning !== "again")) outbox.wakeAll();
  if (answer.meaning === "ended") await onended({ code: body.code, sentence: body.detail, epoch: body.epoch });
  else if (answer.meaning === "recorded") sync.recorded();
  else if (body && body.state) await store.takeState(body.state);
  else if (answer.meaning === "refused") sync.soon();
}

/** A session that is over took an item no more: the next state says so. Else the token is worth nothing. */
async function onended(why) {
  if (why.code === "session_over") {
    sync.askSoon();
    return;
  }
  // Nobody answered: the next state asks again.
  if (["tablet_not_paired", "tablet_followed"].includes(why.code) && (await pairing.again()) !== false) return;
  if (dialog.open && !store.fact("ended")) dialog.close();
  await store.end(why);
}

/** After each state: who holds the tablet, as the server and this tablet know it. */
async function onstate() {
  alerts.looked();
  const told = store.state().device.handed_out;
  const here = store.fact("handedOut") || null;
  if (outbox.stopped() === "ended" && !isOver()) outbox.goOn(); // opened again
  await pairing.proven();
  pairing.deliverLost(isOver());
  if (told && !here && !store.fact("takenBack")) await store.noteFacts({ handedOut: told });
  if (!told && store.fact("takenBack")) await store.noteFacts({ takenBack: false });
  // What was made before the players got it, and is lost, goes first: while they hold it the server takes signatures alone.
  const before = outbox.waiting().some((item) => item.lost && store.isMine(item));
  if (!told && here && !before && store.tables().includes(here)) await tellHandOut(here);
  if (here && !store.tables().includes(here)) await store.noteFacts({ handedOut: null });
  // A hand-out is told before the lock that came after it: a locked tablet is handed to nobody.
  const hands = store.fact("handedOut");
  if (!hands || told === hands) await pin.tell();
}

/** The server hears of it once it has all figures that were shown: from then on it takes signatures of those alone. */
async function tellHandOut(number) {
  if (!store.getTable(number).pending.length) await post(`tables/${number}/hand-out`);
}

const comeBack = () => {
  outbox.goOn();
  sync.comeBack();
};

/* --- What one presses ------------------------------------------------------------------------------------- */

async function pair(text) {
  const code = codeOf(text);
  if (!code) return;
  await pairing.begin(code);
  if (await pairing.finish()) sync.start();
}

async function takeOver() {
  ownWindow.take();
  location.reload();
}

async function deliver() {
  const { arrived, failed } = await pairing.deliverLate(outbox.open().filter((item) => item.state !== "held"));
  await store.keepFact("delivered", { arrived, failed });
}

async function goOn() {
  dialog.close();
  const answer = await pairing.goOn();
  if (!answer.ok && answer.sentence) await store.keepFact("said", answer.sentence);
  sync.comeBack();
}

async function lock() {
  dialog.close();
  await store.noteFacts({ handingOver: true });
  await pin.lock();
}

const reload = () => location.reload();

/* --- What a panel may do (store.js says it) ---------------------------------------------------------------- */

/** A disk that refuses is said in red, above everything and in the bar, until it takes something again. */
async function onDisk(act) {
  try {
    const done = await act();
    store.noteUnsaved(false);
    return done;
  } catch (fault) {
    store.noteUnsaved(true);
    throw fault;
  }
}

/** Ask for the referee's PIN; whether it came. */
const takeBack = () =>
  new Promise((resolve) => {
    takingBack = resolve;
    draw();
  });

const apiOf = (number) => ({
  table: () => store.getTable(number),
  state: () => store.state(),
  enqueue: (act, body, { match = false, hold = 0 } = {}) => onDisk(() => store.enqueue({ table: number, act, body, match, hold })),
  drop: (key) => onDisk(() => outbox.drop(key)),
  saveDraft: (draft) => onDisk(() => store.saveDraft(number, draft)),
  handOut: async () => {
    await store.noteFacts({ handedOut: number, takenBack: false });
    await tellHandOut(number);
  },
  settle: () => items.show(),
  takeBack,
  engine,
  ruleset: () => store.state().ruleset,
  now: () => clock.now(),
  network: () => store.networkState(),
  turnLanguage: () => language.turn(),
  otherLanguage: () => language.otherName(),
});

/* --- Which screen ------------------------------------------------------------------------------------------ */

/** Another language: everything that stands is drawn anew, but for what is half typed. */
function onswitch() {
  if (dialog.open) dialog.close();
  if (!shown.startsWith("tables")) shown = "";
  redrawUndo();
  draw();
}

/** The players have it: no bar, so no link, no menu, nothing of the referee's. */
const inHands = () => Boolean(store.fact("handedOut"));
const isOver = () => ["closed", "void"].includes(store.state().session.state);

function screenNow() {
  if (!ownWindow.isMine()) return "otherWindow";
  if (store.fact("pairing")) return "pairing";
  if (!store.state()) return "notPaired";
  if (store.fact("ended")) return "ended";
  if (isOver() && !(takingBack && inHands())) return "closed";
  if (takingBack || outbox.stopped() === "pin") return "pin";
  if (!pin.isOpen() && !inHands()) return "pin";
  return "tables";
}

function draw() {
  const screen = screenNow();
  document.body.classList.toggle("in-hands", inHands());
  drawNotices(["tables", "pin"].includes(screen) && !inHands());
  bar.update(screen);
  items.update();
  menu.update();
  if (screen === "tables") drawTables();
  else if (screen === "pin") drawPin();
  else {
    const facts = ["pairing", "pairingRefused", "ended", "delivered", "handedOut"].map((name) => store.fact(name));
    const counts = [outbox.open().length, outbox.withDesk().length];
    drawOnce(JSON.stringify([screen, facts, counts, store.state() && store.state().next]), () => screens[screen]());
  }
}

/** Draw a screen only when it is another: what is half typed in it stays. */
function drawOnce(name, drawIt) {
  if (shown === name) return false;
  shown = name;
  panels = [];
  element.className = "";
  element.onkeydown = null;
  drawIt();
  return true;
}

function drawTables() {
  const numbers = store.tables();
  const isNew = drawOnce(`tables ${store.device()} ${numbers.join(" ")}`, () => {
    element.className = numbers.length === 1 ? "pair one" : "pair";
    const places = numbers.map((number) => make("section", { class: "seatplan", "data-table": number }));
    element.replaceChildren(...places);
    panels = places.map((place, index) => mountPanel(place, numbers[index], apiOf(numbers[index])));
  });
  if (!isNew) for (const panel of panels) panel.update();
}

function drawPin() {
  const back = Boolean(takingBack) || Boolean(store.state().device.handed_out);
  const people = ownFirst(store.state());
  const typed = shown.startsWith("pin") ? typedSoFar() : null;
  drawOnce(`pin ${back} ${outbox.stopped()} ${people.map(({ id }) => id).join(" ")}`, () => {
    typedSoFar = pinPad(element, {
      typed,
      people,
      first: store.fact("handingOver") ? null : store.fact("opened") || store.state().referee || store.fact("lastReferee") || store.state().device.referee,
      title: back ? gettext("Take the tablet back") : "",
      why: whyPin({ stopped: outbox.stopped(), ...store.networkState() }),
      submit: (person, typed) => openWith(person, typed, back),
      giveUp: takingBack ? () => endTakingBack(false) : null,
    });
  });
}

/** Who may open it: before all the referee whom it was paired for. */
function ownFirst({ referees, device }) {
  const isOwn = (person) => person.id === device.referee?.id;
  return [...referees.filter(isOwn), ...referees.filter((person) => !isOwn(person))];
}

async function openWith(person, typed, back) {
  const answer = await pin.open(person, typed, { takingBack: back });
  if (answer.ended) await onended(answer);
  if (!answer.ok) return answer;
  await store.noteFacts({ lastReferee: person, handingOver: false, ...(back ? { handedOut: null, takenBack: true } : {}) });
  outbox.goOn();
  endTakingBack(true);
  return answer;
}

function endTakingBack(right) {
  const resolve = takingBack;
  takingBack = null;
  draw();
  if (resolve) resolve(right);
}

/** Of an earlier pairing, and not at the desk. */
const isLeftover = (item) => !store.isMine(item) && item.state !== "held";

/** What is said above every screen; which tables came and went while there are tables. */
function drawNotices(atTables) {
  const state = store.state();
  const said = [];
  if (store.networkState().unsaved) said.push(note("stop", gettext("This tablet could not save that. It is not recorded."), gettext("Its storage refuses. Do not go on with this tablet: write it on paper and tell the desk.")));
  if (atTables) said.push(...attentionNotes({ store, outbox, show: () => items.show() }));
  if (inHands() && shown.startsWith("tables") && pin.locks().at(-1)?.to === null) {
    const alone = gettext("Nobody has touched this tablet for three minutes. Give it to the referee, who types the PIN.");
    said.push(note("wait", alone, gettext("What is signed or reported before that waits for the chief judge.")));
  }
  if (atTables && isOnlineOnly && shown.startsWith("pin")) said.push(offlineNote());
  if (outbox.stopped() === "reload" && !inHands()) said.push(note("wait", gettext("A newer page is there"), gettext("Load it again. What waits on this tablet stays and is sent afterwards."), button(gettext("Load again"), reload)));
  const leftover = outbox.open().filter(isLeftover).length;
  if (state && leftover && !inHands()) said.push(note("wait", fill(gettext("Still on this tablet from an earlier pairing: %(count)s. Nothing is lost."), { count: leftover }), "", button(gettext("Hand them to the desk"), deliverEarlier)));
  for (const [tablet, table] of atTables ? byTablet(state.device.lost, pgettext("between tables", ", ")) : []) {
    said.push(note("wait", fill(gettext("Now on tablet %(tablet)s: table %(table)s"), { table, tablet })));
  }
  const taken = atTables && store.fact("takenSeen") !== store.device() ? byTablet(state.device.taken, pgettext("between tables", ", ")) : [];
  taken.forEach(([tablet, table], at) => {
    const understood = button(gettext("Understood"), () => store.keepFact("takenSeen", store.device()));
    said.push(note("live", fill(gettext("Now on this tablet, before on tablet %(tablet)s: table %(table)s"), { table, tablet }), "", ...(at === taken.length - 1 ? [understood] : [])));
  });
  if (store.fact("said") && !inHands()) said.push(note("wait", store.fact("said"), "", button(gettext("Understood"), () => store.keepFact("said", null))));
  const text = said.map((one) => one.textContent).join("|");
  if (notices.dataset.text !== text) {
    notices.dataset.text = text;
    notices.replaceChildren(...said);
  }
}

async function deliverEarlier() {
  const { failed } = await pairing.deliverLate(outbox.open().filter(isLeftover));
  if (failed) await store.keepFact("said", handOverFault(failed));
}

/* --- Start ------------------------------------------------------------------------------------------------- */

async function begin() {
  let database;
  try {
    database = await openDatabase(page.slug);
  } catch (fault) {
    console.error(fault);
    makeScreens({ element }).noDisk();
    return;
  }
  build(database);
  ownWindow = makeWindow(`tablet ${page.slug}`, () => {
    sync.stop();
    outbox.stop();
    draw();
  });
  await store.load(outbox);
  store.onchange(draw);
  language.resume();
  if (scanned) ownWindow.take(); // a code just scanned: the window that is open steps back
  else await ownWindow.ask();
  if (scanned) await pairing.begin(scanned); // before anything stands: nobody types into the keys of another pairing
  draw();
  if (!ownWindow.isMine()) return;
  if (navigator.storage && navigator.storage.persist) navigator.storage.persist();
  keepPages(page.worker, [location.pathname, `/tablet/ice/${page.slug}/`]).catch(console.error);
  watchKept(location.pathname, (isKept) => {
    isOnlineOnly = !isKept;
    draw();
  });
  for (const event of ["pointerdown", "keydown"]) document.addEventListener(event, touched, { passive: true });
  setInterval(() => shown.startsWith("tables") && draw(), 5000);
  if (store.fact("pairing") && (await pairing.finish())) sync.start();
  if (store.state()) sync.start(); // what waits goes out once the server has said what it has
}

function touched() {
  if (shown.startsWith("tables") && !pin.isOpen()) draw(); // its time was over before this press
  pin.touched();
  sync.touched();
}

begin();
