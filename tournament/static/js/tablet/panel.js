/* A table's panel on the referee's tablet: from the first press of the first game to the receipt.

   mountPanel(element, number, api) -> {update()}. `element` becomes the panel; its parent holds all panels and their dialogs.
   `api` is what store.js says at its head, and besides:
     api.state()     the server's last state, whole (session, clock, referee)

   One press is one act: a new sheet (game.js), kept as a draft at once, drawn anew. Screens that take the whole page (the
   rack, agreeing) draw themselves. */

import { marksOf } from "../engine/engine.js";
import { TAP, agreeScreen, unsigned } from "./agree.js";
import { action, openDialog, reasonParts } from "./ask.js";
import { entryElements, flatValue } from "./entry.js";
import * as game from "./game.js";
import { note } from "./icon.js";
import { look } from "./looking.js";
import { morph } from "./morph.js";
import { openNotes } from "./notes.js";
import { kept, needsReason, problemKey, sentence, toConfirm, told } from "./problems.js";
import { rackScreen } from "./rack.js";
import { deskNotes, statusElements, statusOf } from "./status.js";
import { noteActs } from "./texts.js";
import { make } from "./tile.js";
import { UNDO, showUndo } from "./undo.js";
import { fill, gettext, shownLanguage } from "./words.js";

const MOST_UNDONE = 50;
const NOW = ["unpause", "withdraw"];

/** See the head of this file. */
export function mountPanel(element, number, api) {
  const panel = { element, number, api, place: null, cell: null, more: false, past: [], screen: null, anyway: false, drawn: "", memory: {}, busy: false, held: null };
  element.classList.add("seatplan");
  element.addEventListener("pointerdown", (event) => {
    panel.held = event.target.closest("[data-act]");
  });
  // A tap's click comes a moment after its finger is up: until then the button stays what was pressed.
  for (const up of ["pointerup", "pointercancel"]) element.addEventListener(up, () => setTimeout(letGo, TAP, panel, panel.held));
  element.addEventListener("click", (event) => {
    const pressed = event.target.closest("[data-act]");
    if (!pressed || !element.contains(pressed) || pressed.getAttribute("aria-disabled") === "true") return;
    const data = { ...pressed.dataset };
    if (panel.held === pressed) panel.held = null;
    ACTS[data.act]?.(panel, data);
    draw(panel);
  });
  const update = () => draw(panel);
  panel.update = update;
  update();
  return { update };
}

function letGo(panel, held) {
  if (panel.held !== held || !held) return;
  panel.held = null;
  draw(panel);
}

/* --- Drawn ----------------------------------------------------------------------------------------------- */

function draw(panel) {
  const view = look(panel);
  if (view.handedOut && panel.screen?.kind !== "agree") openAgree(panel);
  if (!panel.screen && reopenRack(panel, view)) return;
  if (panel.screen) {
    panel.screen.update?.();
    return;
  }
  const status = statusOf(view, panel);
  const { element } = panel;
  const key = JSON.stringify([status, view.typed, view.sent, view.reached, view.seats, view.place, view.cell, view.more, view.canUndo, view.table.calls, view.marks, view.table.incidents, view.table.pause, view.table.sheet, view.table.attention.map(({ state, because }) => [state, because]), view.table.desk, view.session.state, shownLanguage()]);
  if (key === panel.drawn) return;
  const focused = focusOf(element);
  const over = view.session.state === "suspended" && panel.cell === null ? [note("wait", gettext("The session is suspended"), gettext("Play has stopped; the time stands still. What is entered is kept."))] : [];
  const parts = status ? statusElements(view, status) : entryElements(view);
  const isLate = morph(element, [parts[0], ...over, ...(panel.cell === null ? deskNotes(view) : []), ...parts.slice(1)].filter(Boolean), panel.held);
  panel.drawn = isLate ? "" : key;
  if (focused && !document.activeElement?.matches(focused)) element.querySelector(focused)?.focus({ preventScroll: true });
}

/** Where the keyboard was, to be found again in what is drawn anew. */
function focusOf(element) {
  const { activeElement } = document;
  if (!element.contains(activeElement) || !activeElement.dataset.act) return "";
  return Object.entries(activeElement.dataset).map(([name, value]) => `[data-${name}="${CSS.escape(value)}"]`).join("");
}

function openScreen(panel, kind, screen) {
  panel.screen = { kind, ...screen };
  panel.drawn = "";
  panel.element.replaceChildren(screen.element);
  panel.element.classList.add("is-whole");
  panel.element.parentElement?.classList.add("has-whole");
  window.scrollTo(0, 0);
}

function closeScreen(panel) {
  panel.screen = null;
  panel.element.classList.remove("is-whole");
  panel.element.parentElement?.classList.remove("has-whole");
  draw(panel);
}

/* --- The sheet in hand ----------------------------------------------------------------------------------- */

/** A new sheet, kept at once. Any change voids what was signed. */
function change(panel, typed, confirmations = null) {
  const view = look(panel);
  if (game.same(typed, view.typed) && confirmations === null) return;
  panel.past = [...panel.past, view.typed].slice(-MOST_UNDONE);
  keep(panel, view, typed, confirmations);
}

function keep(panel, view, typed, confirmations) {
  const voided = view.voided || view.signatures.length > 0;
  const from = view.table.draft?.from ?? view.sent;
  panel.api.saveDraft({ typed, confirmations: confirmations ?? view.confirmations, from, signatures: [], voided });
  draw(panel);
}

function undo(panel) {
  const view = look(panel);
  const typed = panel.past.pop();
  panel.cell = null;
  if (typed) keep(panel, view, typed, null);
}

/** Move on to the next empty cell after a press. */
function goOn(panel, from = "A") {
  const view = look(panel);
  panel.more = false;
  panel.cell = game.nextCell(view.ruleset, view.seats, view.typed, view.place, from);
  draw(panel);
}

/** While something goes to the disk no press counts, and none is taken: it shows. */
function setBusy(panel, is) {
  panel.busy = is;
  panel.element.classList.toggle("is-busy", is);
}

/** Put an act into the outbox. */
async function give(panel, act, body, match = false) {
  if (panel.busy) return;
  setBusy(panel, true);
  try {
    await panel.api.enqueue(act, body, { match });
  } finally {
    setBusy(panel, false);
  }
  draw(panel);
}

/** Note something: it leaves the tablet after five seconds, in which one press undoes it. `before`: the sheet before it
    was marked on it; `dropped()`: what else is undone. */
async function noteIt(panel, act, body, { match = false, before = null, dropped = () => {} } = {}) {
  if (panel.busy) return;
  setBusy(panel, true);
  try {
    const after = look(panel).typed;
    const item = await panel.api.enqueue(act, body, { match, hold: UNDO });
    const undoIt = async () => {
      if (!(await panel.api.drop(item.key))) return;
      const view = look(panel);
      if (before && !game.same(before, after)) keep(panel, view, game.taken(view.typed, before, after), null);
      await dropped();
      draw(panel);
    };
    const said = () => {
      const where = [fill(gettext("Table %(table)s"), { table: panel.number }), body.letter].filter(Boolean);
      return fill(gettext("Noted: %(act)s"), { act: [noteActs()[body.kind] ?? noteActs()[act] ?? act, ...where].join("·") });
    };
    showUndo(hostOf(panel), said, undoIt);
  } finally {
    setBusy(panel, false);
  }
  draw(panel);
}

/** The time stands still at once; within five seconds one press lets it go on, and nothing is lost of it. */
async function pause(panel, body) {
  await give(panel, "pause", body);
  showUndo(hostOf(panel), () => fill(gettext("Noted: %(act)s"), { act: noteActs().pause }), () => give(panel, "unpause", {}));
}

/** Where dialogs and strips of the panel hang. */
const hostOf = (panel) => panel.element.parentElement ?? panel.element;

async function record(panel) {
  const view = look(panel);
  const found = toConfirm(told(view.checked.problems, view.place), view.confirmations);
  if (found.length) {
    confirm(panel, found, () => record(panel));
    return;
  }
  const confirmations = kept(view.checked.problems, view.confirmations);
  const { typed, voided } = view;
  await give(panel, "save", { typed, confirmations }, true);
  if (voided) await panel.api.saveDraft({ typed, confirmations, from: typed, signatures: [], voided });
  Object.assign(panel, { past: [], place: null, cell: null, more: false });
  draw(panel);
}

/** What is unusual is confirmed by a person; where somebody decided it, with the reason. */
function confirm(panel, found, then) {
  const put = (reason) => {
    const view = look(panel);
    const added = Object.fromEntries(found.map((one) => [problemKey(one), reason]));
    keep(panel, view, view.typed, { ...view.confirmations, ...added });
    dialog.close();
    then?.();
  };
  const list = make("ul", { class: "stack tight" }, ...found.map((one) => make("li", {}, sentence(one))));
  const asks = found.some(needsReason) ? reasonParts([], gettext("It is so"), put) : [action(gettext("It is so"), () => put(gettext("The referee has looked: it is so.")), "primary")];
  const parts = [list, make("p", { class: "small quiet" }, gettext("Look once more at the racks. It is noted with your name.")), ...asks];
  const dialog = openDialog(hostOf(panel), gettext("Unusual: is it so?"), parts, { closing: gettext("Go back and mend") });
}

/* --- The rack and the ice -------------------------------------------------------------------------------- */

function openRack(panel, letter, opened, taps = null) {
  const view = look(panel);
  const keepTaps = (board) => panel.api.saveDraft({ ...draftOf(look(panel)), board });
  const done = (rack) => {
    panel.api.saveDraft(draftOf(look(panel)));
    if (rack) takeRack(panel, letter, rack);
    closeScreen(panel);
    if (rack) goOn(panel, letter);
  };
  openScreen(panel, "rack", rackScreen({ view, letter, opened, taps, keep: keepTaps, done }));
}

/** The sheet in hand as a draft, without what was tapped on a board. */
const draftOf = (view) => ({ typed: view.typed, confirmations: view.confirmations, from: view.table.draft?.from ?? view.sent, signatures: view.signatures, voided: view.voided });

/** Tiles that were tapped before the page was closed or the PIN was asked: the board stands again as it was. */
function reopenRack(panel, { table: { draft, writable }, checked }) {
  const board = writable === false ? null : draft?.board;
  if (!board || !checked.games[board.place]) return false;
  panel.place = board.place;
  panel.cell = { letter: board.letter, cell: "face_value" };
  openRack(panel, board.letter, board.opened, board.tiles);
  return true;
}

function takeRack(panel, letter, { tiles, opened, ruled, reason }) {
  const view = look(panel);
  const verdict = opened ? null : ruled;
  const typed = game.setRack(view.typed, view.place, letter, tiles, { opened, could_open: verdict });
  if (verdict === null) {
    change(panel, typed);
    return;
  }
  // The engine tells it only of a game that is complete; the reason is there now.
  const where = `games[${view.place}].seats.${letter}.could_open`;
  const key = problemKey({ code: "could_open_overruled", where, facts: { worked_out: verdict ? "no" : "yes" } });
  change(panel, typed, { ...view.confirmations, [key]: reason });
}

function pressIce(panel, letter) {
  const view = look(panel);
  const seat = view.typed.games[view.place].seats[letter];
  const flat = flatValue(view.ruleset, { ...seat, opened: false, ...marksOf({}) }, { able: true, best: null });
  if (flat !== null) openRack(panel, letter, false);
  else change(panel, game.setOpened(view.typed, view.place, letter, !seat.opened));
}

/* --- Agreeing -------------------------------------------------------------------------------------------- */

function openAgree(panel) {
  const acts = {
    close: () => closeScreen(panel),
    openGame: (place) => {
      panel.place = place;
      closeScreen(panel);
    },
    confirm: (found) => confirm(panel, found),
    handOut: () => panel.api.handOut(),
    takeBack: async () => {
      if (await panel.api.takeBack()) closeScreen(panel);
    },
    otherLanguage: panel.api.otherLanguage,
    turnLanguage: panel.api.turnLanguage,
    sign: (signature) => sign(panel, signature),
    dispute: (body) => dispute(panel, body),
  };
  openScreen(panel, "agree", agreeScreen({ look: () => look(panel), acts }));
}

/** To the chief judge; whatever the decision, all sign again. */
async function dispute(panel, body) {
  const { signatures, table } = look(panel);
  if (signatures.length) await panel.api.saveDraft({ ...table.draft, signatures: [], voided: true });
  const dropped = () => (signatures.length ? panel.api.saveDraft(table.draft) : null);
  await noteIt(panel, "dispute", body, { match: true, dropped });
}

/** One has signed; with the last one the whole of it goes into the outbox as one parcel, in one write: where that is
    refused, the last one has not signed. */
async function sign(panel, signature) {
  const view = look(panel);
  const signatures = [...view.signatures, signature];
  const { typed } = view;
  const confirmations = kept(view.checked.problems, view.confirmations);
  if (!unsigned({ ...view, signatures }).length) return give(panel, "package", { typed, confirmations, signatures }, true);
  await panel.api.saveDraft({ typed, confirmations, from: view.table.draft?.from ?? view.sent, signatures });
}

/* --- Presses --------------------------------------------------------------------------------------------- */

function notes(panel, first) {
  const view = look(panel);
  const send = (act, body) => {
    if (act === "pause") return pause(panel, body);
    // A dispute that is taken back moves the sheet on, as the dispute did.
    if (NOW.includes(act)) return give(panel, act, body, body.kind === "dispute");
    return noteIt(panel, act, body, { before: view.typed });
  };
  openNotes({ host: hostOf(panel), view, give: send, change: (typed) => change(panel, typed), first });
}

const onCell = (act) => (panel, data) => {
  if (panel.busy) return;
  const view = look(panel);
  act(panel, view, data);
};

const ACTS = {
  game: (panel, { place }) => {
    Object.assign(panel, { place: Number(place), cell: null, more: false });
    draw(panel);
  },
  end: onCell((panel, view, { how, letter }) => {
    change(panel, game.endBy(view.typed, view.place, how, letter));
    goOn(panel);
  }),
  rule: onCell((panel, view, { ruling }) => change(panel, game.setRuling(view.typed, view.place, ruling))),
  cell: onCell((panel, view, { letter, cell }) => {
    panel.cell = { letter, cell };
    panel.more = false;
    const seat = view.typed.games[view.place].seats[letter];
    if (seat.rack && seat.opened) openRack(panel, letter, true);
    else if (seat[cell]) change(panel, game.clearCell(view.typed, view.place, letter, cell));
    draw(panel);
  }),
  ice: onCell((panel, view, { letter }) => pressIce(panel, letter)),
  digit: onCell((panel, view, { figure }) => {
    panel.cell = { ...panel.cell, cell: "face_value" };
    change(panel, game.digit(view.typed, view.place, panel.cell.letter, figure));
  }),
  erase: onCell((panel, view) => change(panel, game.erase(view.typed, view.place, panel.cell.letter, panel.cell.cell))),
  count: onCell((panel, view, { figure }) => {
    const { letter } = panel.cell;
    change(panel, game.count(view.typed, view.place, letter, figure));
    goOn(panel, letter);
  }),
  counts: (panel) => {
    panel.more = !panel.more;
    draw(panel);
  },
  rack: (panel) => openRack(panel, panel.cell.letter, true),
  undo: (panel) => undo(panel),
  record: (panel) => record(panel),
  agree: (panel) => openAgree(panel),
  sheet: (panel) => openAgree(panel),
  notes: (panel) => notes(panel, ""),
  call: (panel) => notes(panel, "call"),
  draw: (panel) => notes(panel, "drawn_numbers"),
  pause: (panel) => notes(panel, "pause"),
  settle: (panel) => panel.api.settle(),
  unpause: (panel) => give(panel, "unpause", {}),
  anyway: (panel) => {
    panel.anyway = true;
    draw(panel);
  },
  theirs: (panel) => {
    panel.past = [];
    panel.api.saveDraft(null);
    draw(panel);
  },
  mine: (panel) => {
    const view = look(panel);
    panel.api.saveDraft({ ...view.table.draft, from: view.sent });
    draw(panel);
  },
};
