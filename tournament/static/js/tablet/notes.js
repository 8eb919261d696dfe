/* What a referee notes of a game beside its result: each is one act in the outbox, and what concerns the result is marked on
   the sheet as well. */

import { action, choice, openDialog, reasonParts } from "./ask.js";
import { mark, playing, pushOver, setStarter, starterOf } from "./game.js";
import { startersOf } from "./outcome.js";
import { make } from "./tile.js";
import { fill } from "./words.js";

const ACTS = ["warning", "call", "pushed_over", "left", "pause", "new_deal", "exposed_tile", "turn_forfeited", "overtime", "drawn_numbers"];
const MINUTES = [1, 2, 3, 5, 10];
const MOST_COUNTED = 40; // eight in a row
const HIGHEST = 13;
const MOST_WARNINGS = 2;

/** Open the notes of a table. `give(act, body)` puts an act into the outbox, `change(typed)` the sheet in hand; both are
    the panel's. `first`: the act that is opened at once, "" for the choice. */
export function openNotes({ host, view, give, change, first = "" }) {
  const notes = { host, view, give, change, letter: "", dialog: null };
  const { words, table, place } = view;
  if (first) {
    openAct(notes, first);
    return;
  }
  const acts = make("div", { class: "reasons" }, ...ACTS.map((act) => action(words.acts[act], () => openAct(notes, act))));
  notes.dialog = openDialog(host, fill(words.notes_title, { table: table.number, game: place + 1 }), [acts], words);
}

function openAct(notes, act) {
  notes.dialog?.close();
  Object.assign(notes, { letter: "", tiles: null });
  const parts = make("div", { class: "stack tight" });
  notes.redraw = () => parts.replaceChildren(...PARTS[act](notes, act));
  notes.redraw();
  const { words, table } = notes.view;
  const title = fill(words.note_of, { table: table.number, act: words.acts[act] });
  notes.dialog = openDialog(notes.host, title, [parts], words, { closing: words.cancel });
}

/** Into the outbox; the dialog is closed once it is on the disk. */
async function send(notes, act, body) {
  await notes.give(act, body);
  notes.dialog.close();
}

const game = ({ view }) => view.place + 1;

/** Whose it is; all of it is drawn anew with the answer. `free`: it may be nobody's. */
function seatParts(notes, { free = false } = {}) {
  const { words, seats } = notes.view;
  const options = seats.map(({ letter, name, warnings }) => [
    letter, `${letter} ${name}`, ...(warnings ? [make("small", {}, fill(words.warned, { times: warnings }))] : []),
  ]);
  if (free) options.unshift(["", words.whole_table]);
  const choose = (letter) => {
    notes.letter = letter;
    notes.redraw();
  };
  return [make("span", { class: "label" }, words.which_seat), choice(words.which_seat, options, notes.letter, choose)];
}

const bodyOf = (notes, kind, more = {}) => ({ kind, game: game(notes), ...(notes.letter ? { letter: notes.letter } : {}), ...more });

/* --- One part for each act ------------------------------------------------------------------------------- */

function warningParts(notes) {
  const { words, seats } = notes.view;
  const seat = seats.find(({ letter }) => letter === notes.letter);
  if (!seat) return seatParts(notes);
  if (seat.warnings >= MOST_WARNINGS) {
    const reason = fill(words.third_breach, { seat: seat.letter });
    const call = () => send(notes, "call", { reason, game: game(notes), letter: seat.letter });
    return [...seatParts(notes), make("p", { class: "c-red strong" }, words.warned_twice), action(words.call, call, "danger")];
  }
  const warn = (reason) => send(notes, "warning", { letter: seat.letter, game: game(notes), reason });
  return [...seatParts(notes), ...reasonParts(words.reasons_warning, fill(words.warn, { seat: seat.letter }), warn, words)];
}

function callParts(notes) {
  const { words } = notes.view;
  const call = (reason) => send(notes, "call", { reason, game: game(notes), ...(notes.letter ? { letter: notes.letter } : {}) });
  return [...seatParts(notes, { free: true }), ...reasonParts(words.reasons_call, words.call, call, words, "danger")];
}

function pushedParts(notes) {
  const { words, typed, place } = notes.view;
  if (!notes.letter) return seatParts(notes);
  if (typed.games[place].seats[notes.letter].pushed_over) {
    const take = () => {
      notes.change(pushOver(notes.view.typed, place, notes.letter, null));
      notes.dialog.close();
    };
    return [...seatParts(notes), action(words.pushed_not, take)];
  }
  const { tiles } = notes;
  const noteIt = async () => {
    notes.change(pushOver(notes.view.typed, place, notes.letter, tiles));
    await send(notes, "incident", bodyOf(notes, "pushed_over", { tiles }));
  };
  const act = action(tiles ? fill(words.note_pushed, { tiles }) : words.count_first, noteIt, "primary");
  act.setAttribute("aria-disabled", String(!tiles));
  return [...seatParts(notes), make("span", { class: "label" }, words.tiles_counted), countKeys(notes), act];
}

/** A key for each count: one press, and the button says it before it is noted. */
function countKeys(notes) {
  const counted = (tiles) => {
    notes.tiles = tiles;
    notes.redraw();
  };
  const keys = Array.from({ length: MOST_COUNTED }, (_, at) => {
    const key = make("button", { type: "button", class: "key", "aria-pressed": String(notes.tiles === at + 1) }, String(at + 1));
    key.addEventListener("click", () => counted(at + 1));
    return key;
  });
  return make("div", { class: "count-keys", role: "group", "aria-label": notes.view.words.tiles_counted }, ...keys);
}

function leftParts(notes) {
  const { words, typed, place } = notes.view;
  if (!notes.letter) return seatParts(notes);
  const { left, absent } = typed.games[place].seats[notes.letter];
  const put = (part) => async () => {
    notes.change(mark(notes.view.typed, place, notes.letter, part));
    if (part) await send(notes, "incident", bodyOf(notes, "left", { note: part === "left" ? words.left : words.away }));
    else notes.dialog.close();
  };
  const acts = left || absent
    ? [action(words.left_not, put(""))]
    : [action(fill(words.left_now, { game: game(notes) }), put("left")), action(fill(words.left_before, { game: game(notes) }), put("absent"))];
  return [...seatParts(notes), make("p", { class: "small quiet" }, words.left_hint), make("div", { class: "reasons" }, ...acts)];
}

function pauseParts(notes) {
  const { words, table, clockText } = notes.view;
  if (table.pause) {
    const since = fill(words.paused, { seat: table.pause.letter, time: clockText(table.pause.since) });
    return [make("p", {}, since), action(words.pause_end, () => send(notes, "unpause", {}), "primary")];
  }
  if (!notes.letter) return seatParts(notes);
  const escort = make("input", { class: "input", type: "text", maxlength: "100" });
  const start = action(words.pause_start, () => escort.value.trim() && send(notes, "pause", { letter: notes.letter, escort: escort.value.trim() }), "primary");
  const ready = () => start.setAttribute("aria-disabled", String(!escort.value.trim()));
  escort.addEventListener("input", ready);
  ready();
  return [...seatParts(notes), labelled(words.escort, escort), start];
}

function incidentParts(notes, kind) {
  const { words } = notes.view;
  const free = kind === "new_deal";
  if (!notes.letter && !free) return seatParts(notes);
  const said = make("input", { class: "input", type: "text", maxlength: "500" });
  const noteIt = () => send(notes, "incident", bodyOf(notes, kind, { note: said.value.trim() }));
  return [...(free ? [] : seatParts(notes)), labelled(words.reason, said), action(words.note_it, noteIt, "primary")];
}

function overtimeParts(notes) {
  const { words, table } = notes.view;
  notes.minutes ??= MINUTES[1];
  const choose = (minutes) => {
    notes.minutes = minutes;
    notes.redraw();
  };
  const add = (reason) => send(notes, "overtime", { minutes: notes.minutes, reason });
  const has = table.overtime ? [make("p", { class: "small" }, fill(words.overtime_has, { minutes: table.overtime }))] : [];
  const options = MINUTES.map((minutes) => [minutes, String(minutes)]);
  const word = fill(words.overtime_add, { minutes: notes.minutes });
  return [...has, make("span", { class: "label" }, words.minutes_more), choice(words.minutes_more, options, notes.minutes, choose), ...reasonParts([words.acts.pause, words.acts.new_deal, words.acts.call], word, add, words)];
}

/** Numbers drawn for the start: the highest starts, and is noted on the sheet. */
function drawnParts(notes) {
  const { words, seats, typed, place } = notes.view;
  const start = startersOf(notes.view) ?? { game: place + 1, letters: [] };
  const among = start.letters.length > 1 ? start.letters : playing(seats, typed, start.game - 1);
  const pickers = seats.filter(({ letter }) => among.includes(letter)).map(({ letter, name }) => [letter, `${letter} ${name}`, picker(letter, 1, HIGHEST)]);
  const read = () => Object.fromEntries(pickers.map(([letter, , field]) => [letter, Number(field.value)]));
  const says = make("p", { class: "strong", "aria-live": "polite" });
  const noteIt = async () => {
    const drawn = read();
    const text = Object.entries(drawn).map(([letter, number]) => `${letter} ${number}`).join(", ");
    notes.change(setStarter(typed, start.game - 1, starterOf(drawn)));
    await send(notes, "incident", { kind: "drawn_numbers", game: start.game, note: text });
  };
  const act = action(words.note_it, noteIt, "primary");
  const show = () => {
    const isWhole = pickers.every(([, , field]) => field.value);
    const starter = isWhole ? starterOf(read()) : "";
    says.textContent = starter ? fill(words.starter_is, { seat: starter }) : isWhole ? words.draw_again : words.draw_first;
    act.setAttribute("aria-disabled", String(!isWhole));
  };
  for (const [, , field] of pickers) field.addEventListener("change", show);
  show();
  const grid = make("div", { class: "drawn" }, ...pickers.map(([, word, field]) => labelled(word, field)));
  return [grid, says, act];
}

const PARTS = {
  warning: warningParts,
  call: callParts,
  pushed_over: pushedParts,
  left: leftParts,
  pause: pauseParts,
  new_deal: incidentParts,
  exposed_tile: incidentParts,
  turn_forfeited: incidentParts,
  overtime: overtimeParts,
  drawn_numbers: drawnParts,
};

const labelled = (word, field) => make("label", { class: "field" }, make("span", { class: "label" }, word), field);

/** A number, none at first. */
function picker(word, from, to) {
  const field = make("select", { class: "input", "aria-label": word }, make("option", { value: "" }, "\u2013"));
  for (let number = from; number <= to; number += 1) field.append(make("option", { value: String(number) }, String(number)));
  return field;
}
