/* A table's panel on the referee's tablet: from the first press of the first game to the receipt.

   mountPanel(element, number, api) -> {update()}. `element` becomes the panel; its parent holds all panels and their dialogs.
   `api` is what store.js says at its head, and besides:
     api.state()     the server's last state, whole (session, clock, referee)
     api.words       panel_words() of views/tablet_words.py

   One press is one act: a new sheet (game.js), kept as a draft at once, drawn anew. Screens that take the whole page (the
   rack, agreeing) draw themselves. */

import { bestOpening, checkSheet } from "../engine/engine.js";
import { agreeScreen, unsigned } from "./agree.js";
import { action, openDialog, reasonParts } from "./ask.js";
import { entryElements, flatValue } from "./entry.js";
import * as game from "./game.js";
import { note } from "./icon.js";
import { openNotes } from "./notes.js";
import { kept, needsReason, problemKey, sentence, toConfirm, told } from "./problems.js";
import { rackScreen } from "./rack.js";
import { reachedOf } from "./reached.js";
import { statusElements, statusOf } from "./status.js";
import { make } from "./tile.js";

const MOST_UNDONE = 50;
const hours = new Intl.DateTimeFormat("en-GB", { timeZone: "Asia/Hong_Kong", hour: "2-digit", minute: "2-digit" });

/** See the head of this file. */
export function mountPanel(element, number, api) {
  const panel = { element, number, api, place: null, cell: null, more: false, past: [], screen: null, anyway: false, drawn: "", memory: {}, busy: false };
  element.classList.add("seatplan");
  element.addEventListener("click", (event) => {
    const pressed = event.target.closest("[data-act]");
    if (!pressed || !element.contains(pressed) || pressed.getAttribute("aria-disabled") === "true") return;
    ACTS[pressed.dataset.act]?.(panel, pressed.dataset);
  });
  const update = () => draw(panel);
  panel.update = update;
  update();
  return { update };
}

/* --- What is looked at ----------------------------------------------------------------------------------- */

/** All that is drawn, from the store and from what the panel itself remembers. */
function look(panel) {
  const { api } = panel;
  const table = api.table();
  const state = api.state();
  const sent = game.completed(table.typed, api.games());
  const draft = usable(table, sent, api.games());
  const typed = draft ? game.completed(draft.typed, api.games()) : sent;
  const seats = table.seats.map((seat) => ({ ...seat, number: numberOf(seat.number), name: nameOf(seat, api.words.language) }));
  const place = panel.place ?? game.placeToPlay(typed, sent);
  const ruleset = api.ruleset();
  const view = {
    table, typed, sent, seats, place, ruleset,
    reached: reachedOf({ typed, sent, open: table.open, told: table.sheet.typed }),
    words: api.words,
    session: state.session,
    clock: state.clock,
    referee: state.referee,
    cell: panel.cell,
    more: panel.more,
    canUndo: panel.past.length > 0,
    confirmations: draft?.confirmations ?? table.confirmations,
    signatures: draft?.signatures ?? table.signedHere?.body.signatures ?? table.ink,
    voided: Boolean(draft?.voided),
    handedOut: table.handedOut,
    signedHere: table.signedHere,
    disputed: isDisputed(table),
    elsewhere: Boolean(draft?.from) && !table.pending.length && !game.same(game.completed(draft.from, api.games()), sent) && !game.same(typed, sent),
    checked: checkedOf(panel, ruleset, seats, typed),
    clockText: (moment) => hours.format(new Date(moment)),
  };
  view.ices = icesOf(ruleset, typed.games[place]);
  view.theirs = view.elsewhere ? { ...view, typed: sent, reached: sent.games.map(() => "recorded"), checked: checkSheet(ruleset, game.entryOf(seats, sent)) } : null;
  return view;
}

/** The draft, as long as its figures may still be handed in: another decision of the chief judge ends it. */
function usable({ draft, sheet }, sent, games) {
  const open = sheet.state === "open" || sheet.state === "draft";
  return draft && (open || game.same(game.completed(draft.typed, games), sent)) ? draft : null;
}

const isDisputed = ({ sheet, pending }) => sheet.state === "disputed" || pending.some((item) => item.act === "dispute");
const numberOf = (number) => String(number).padStart(4, "0");
const nameOf = (seat, language) => (language.startsWith("zh") ? seat.name_zh || seat.name_en : seat.name_en || seat.name_zh);

/** The sheet judged; once for each sheet. */
function checkedOf(panel, ruleset, seats, typed) {
  const key = JSON.stringify([typed, seats.map(({ letter, status }) => [letter, status])]);
  if (panel.memory.key !== key) panel.memory = { key, checked: checkSheet(ruleset, game.entryOf(seats, typed)) };
  return panel.memory.checked;
}

/** For each seat that did not open and is judged: {able, best}; best null where only the verdict is known. */
function icesOf(ruleset, { seats }) {
  const judged = Object.entries(seats).filter(([, seat]) => !seat.opened && (seat.rack || seat.could_open !== null));
  return Object.fromEntries(judged.map(([letter, seat]) => {
    const opening = seat.rack ? bestOpening(ruleset, seat.rack.split(" ")) : null;
    return [letter, { able: seat.could_open ?? opening.could_open, best: opening?.could_open ? opening.best : null }];
  }));
}

/* --- Drawn ----------------------------------------------------------------------------------------------- */

function draw(panel) {
  const view = look(panel);
  if (view.handedOut && panel.screen?.kind !== "agree") openAgree(panel);
  if (panel.screen) {
    panel.screen.update?.();
    return;
  }
  const status = statusOf(view, panel);
  const { memory, element } = panel;
  const key = JSON.stringify([status, view.typed, view.sent, view.reached, view.seats, view.place, view.cell, view.more, view.canUndo, view.table.calls, view.table.pause, view.table.sheet, view.table.attention.length, view.session.state, view.words.language]);
  if (key === panel.drawn && memory) return;
  if (element.querySelector(":active")) {
    setTimeout(panel.update, 200); // a finger is down: its button must not be taken away under it
    return;
  }
  panel.drawn = key;
  const focused = focusOf(element);
  const over = view.session.state === "suspended" && panel.cell === null ? [note("wait", view.words.suspended, view.words.suspended_why)] : [];
  const parts = status ? statusElements(view, status) : entryElements(view);
  element.replaceChildren(parts[0], ...over, ...parts.slice(1));
  if (focused) element.querySelector(focused)?.focus({ preventScroll: true });
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

/** Put an act into the outbox; while it goes to the disk no press counts. */
async function give(panel, act, body, match = false) {
  if (panel.busy) return;
  panel.busy = true;
  try {
    await panel.api.enqueue(act, body, { match });
  } finally {
    panel.busy = false;
  }
  draw(panel);
}

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
  const { words } = panel.api;
  const put = (reason) => {
    const view = look(panel);
    const added = Object.fromEntries(found.map((one) => [problemKey(one), reason]));
    keep(panel, view, view.typed, { ...view.confirmations, ...added });
    dialog.close();
    then?.();
  };
  const list = make("ul", { class: "stack tight" }, ...found.map((one) => make("li", {}, sentence(one, words))));
  const asks = found.some(needsReason) ? reasonParts([], words.confirm, put, words) : [action(words.confirm, () => put(words.confirmed), "primary")];
  const parts = [list, make("p", { class: "small quiet" }, words.confirm_why), ...asks];
  const dialog = openDialog(panel.element.parentElement ?? panel.element, words.confirm_title, parts, words, { closing: words.mend });
}

/* --- The rack and the ice -------------------------------------------------------------------------------- */

function openRack(panel, letter, opened) {
  const view = look(panel);
  const done = (rack) => {
    if (rack) takeRack(panel, letter, rack);
    closeScreen(panel);
    if (rack) goOn(panel, letter);
  };
  openScreen(panel, "rack", rackScreen({ view, letter, opened, done }));
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
  const flat = flatValue(view.ruleset, { ...seat, opened: false, pushed_over: false }, { able: true, best: null });
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
    sign: (signature) => sign(panel, signature),
    dispute: (body) => dispute(panel, body),
  };
  openScreen(panel, "agree", agreeScreen({ look: () => look(panel), acts }));
}

/** To the chief judge; whatever the decision, all sign again. */
async function dispute(panel, body) {
  const { signatures, table } = look(panel);
  if (signatures.length) await panel.api.saveDraft({ ...table.draft, signatures: [], voided: true });
  await give(panel, "dispute", body, true);
}

/** One has signed; with the last one the whole of it goes into the outbox as one parcel. */
async function sign(panel, signature) {
  const view = look(panel);
  const signatures = [...view.signatures, signature];
  const { typed } = view;
  const confirmations = kept(view.checked.problems, view.confirmations);
  await panel.api.saveDraft({ typed, confirmations, from: view.table.draft?.from ?? view.sent, signatures });
  if (!unsigned(look(panel)).length) await give(panel, "package", { typed, confirmations, signatures }, true);
}

/* --- Presses --------------------------------------------------------------------------------------------- */

function notes(panel, first) {
  const host = panel.element.parentElement ?? panel.element;
  openNotes({ host, view: look(panel), give: (act, body) => give(panel, act, body), change: (typed) => change(panel, typed), first });
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
