/* What a referee notes of a game beside its result: each is one act in the outbox, and what concerns the result is marked on
   the sheet as well. */

import { MARKS } from "../engine/engine.js";
import { action, choice, openDialog, reasonParts } from "./ask.js";
import { mark, playing, setMark, setStarter, starterOf } from "./game.js";
import { startersOf } from "./outcome.js";
import { REASONS, noteActs } from "./texts.js";
import { make } from "./tile.js";
import { fill, gettext, labels, pgettext } from "./words.js";

const ACTS = ["warning", "call", ...MARKS, "absent", "late", "left", "disqualified", "miscount", "pause", "new_deal", "exposed_tile", "turn_forfeited", "overtime", "drawn_numbers"];
const MINUTES = [1, 2, 3, 5, 10];
const MOST_COUNTED = 40; // eight in a row
const HIGHEST = 13;
const MOST_WARNINGS = 2;
const KINDS = ["warning", "incident", "call", "overtime", "dispute"];
const GONE = ["absent", "left", "disqualified"];

/** Open the notes of a table. `give(act, body)` puts an act into the outbox, `change(typed)` the sheet in hand; both are
    the panel's. `first`: the act that is opened at once, "" for the choice. */
export function openNotes({ host, view, give, change, first = "" }) {
  const notes = { host, view, give, change, letter: "", dialog: null };
  const { table, place } = view;
  if (first) {
    openAct(notes, first);
    return;
  }
  const acts = make("div", { class: "reasons" }, ...ACTS.map((act) => action(noteActs()[act], () => openAct(notes, act))));
  const noted = notedOf(table, notes.view.referee);
  const back = noted.length ? [action(fill(gettext("Noted so far: %(count)s"), { count: noted.length }), () => openNoted(notes), "plain")] : [];
  notes.dialog = openDialog(host, fill(gettext("Notes of table %(table)s, game %(game)s"), { table: table.number, game: place + 1 }), [acts, ...back]);
}

/* --- Taken back ------------------------------------------------------------------------------------------ */

/** What was noted at a table and can still be taken back, the newest first: {kind, note, item, act, letter, game, said}. A call
    that is answered and a mark that the desk has settled are not, nor a dispute that another than this referee has raised. */
export function notedOf({ warnings = [], incidents = [], calls = [], overtimes = [], sheet = {}, open = [] }, referee) {
  const raised = sheet.state === "disputed" && sheet.dispute && (!sheet.dispute.by || sheet.dispute.by === referee?.id);
  const away = open.filter((item) => item.act === "withdraw" && item.state !== "refused").map(({ body }) => body.item ?? `${body.kind} ${body.note}`);
  const told = [
    ...warnings.map((one) => ({ kind: "warning", act: "warning", said: one.reason, ...one })),
    ...incidents.map((one) => ({ ...one, kind: "incident", act: one.kind, said: one.note })),
    ...(raised ? [{ kind: "dispute", act: "dispute", said: sheet.dispute.reason, letter: "", ...sheet.dispute }] : []),
    ...overtimes.map((one) => ({ kind: "overtime", act: "overtime", said: minutesOf(one), letter: "", ...one })),
    ...calls.filter((one) => !one.answer).map((one) => ({ kind: "call", act: "call", said: one.reason, ...one })),
  ].filter((one) => !one.end && !away.includes(`${one.kind} ${one.id}`));
  const here = open.filter((item) => KINDS.includes(item.act) && item.state === "waiting" && !away.includes(item.key)).map(({ key, act, body }) => ({
    kind: act, act: body.kind ?? act, said: act === "overtime" ? minutesOf(body) : body.reason ?? body.note ?? "", letter: body.letter ?? "", game: body.game, at: body.made_at, item: key,
  }));
  return [...told.map((one) => ({ ...one, note: one.id, item: "" })), ...here].sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
}

const minutesOf = ({ minutes, reason }) => `+${minutes}\u00a0\u2032 ${reason}`;

function openNoted(notes) {
  notes.dialog.close();
  const { table, clockText } = notes.view;
  const rows = notedOf(table, notes.view.referee).map((one) => {
    const facts = [noteActs()[one.act] ?? one.act, one.letter, one.game ? fill(gettext("Game %(game)s"), { game: one.game }) : "", clockText(one.at)];
    const text = make("span", { class: "grow" }, make("b", {}, facts.filter(Boolean).join("\u00b7")), make("br"), make("span", { class: "small" }, one.said));
    return make("li", { class: "row keep" }, text, action(pgettext("note", "Take back"), () => openTakeBack(notes, one)));
  });
  notes.dialog = openDialog(notes.host, fill(gettext("Noted at table %(table)s"), { table: table.number }), [make("ul", { class: "stack tight noted" }, ...rows)]);
}

function openTakeBack(notes, one) {
  notes.dialog.close();
  const parts = [make("p", { class: "small quiet" }, gettext("The note and your reason stay in the log.")), ...reasonParts(REASONS.take_back(), pgettext("note", "Take back"), (reason) => takeBack(notes, one, reason))];
  notes.dialog = openDialog(notes.host, fill(gettext("Take back: %(act)s %(seat)s"), { act: noteActs()[one.act] ?? one.act, seat: one.letter }), parts, { closing: pgettext("panel", "Cancel") });
}

/** One that has not left yet is dropped; any other goes after it, with the reason. */
async function takeBack(notes, { kind, note, item, act, letter, game: of }, reason) {
  if (GONE.includes(act) && letter) notes.change(mark(notes.view.typed, of - 1, letter, ""));
  await send(notes, "withdraw", { kind, ...(item ? { item } : { note }), reason });
}

function openAct(notes, act) {
  notes.dialog?.close();
  Object.assign(notes, { letter: "", tiles: null });
  const parts = make("div", { class: "stack tight" });
  notes.redraw = () => parts.replaceChildren(...PARTS[act](notes, act));
  notes.redraw();
  const { table } = notes.view;
  const title = fill(gettext("Table %(table)s: %(act)s"), { table: table.number, act: noteActs()[act] });
  notes.dialog = openDialog(notes.host, title, [parts], { closing: pgettext("panel", "Cancel") });
}

/** Into the outbox; the dialog is closed once it is on the disk. */
async function send(notes, act, body) {
  await notes.give(act, body);
  notes.dialog.close();
}

const game = ({ view }) => view.place + 1;

/** Whose it is; all of it is drawn anew with the answer. `free`: it may be nobody's. */
function seatParts(notes, { free = false } = {}) {
  const { seats } = notes.view;
  const options = seats.map(({ letter, name, warnings }) => [
    letter, `${letter} ${name}`, ...(warnings ? [make("small", {}, warnings === 1 ? gettext("warned once") : fill(gettext("warned %(times)s times"), { times: warnings }))] : []),
  ]);
  if (free) options.unshift(["", gettext("The table's")]);
  const choose = (letter) => {
    notes.letter = letter;
    notes.redraw();
  };
  return [make("span", { class: "label" }, gettext("Whose?")), choice(gettext("Whose?"), options, notes.letter, choose)];
}

const bodyOf = (notes, kind, more = {}) => ({ kind, game: game(notes), ...(notes.letter ? { letter: notes.letter } : {}), ...more });

/* --- One part for each act ------------------------------------------------------------------------------- */

function warningParts(notes) {
  const { seats } = notes.view;
  const seat = seats.find(({ letter }) => letter === notes.letter);
  if (!seat) return seatParts(notes);
  if (seat.warnings >= MOST_WARNINGS) {
    const reason = fill(gettext("Third breach of %(seat)s"), { seat: seat.letter });
    const call = () => send(notes, "call", { reason, game: game(notes), letter: seat.letter });
    return [...seatParts(notes), make("p", { class: "c-red strong" }, gettext("Both verbal warnings were given. The chief judge decides on a third breach.")), action(gettext("Call the chief judge now"), call, "danger")];
  }
  const warn = (reason) => send(notes, "warning", { letter: seat.letter, game: game(notes), reason });
  return [...seatParts(notes), ...reasonParts(REASONS.warning(), fill(gettext("Warn %(seat)s"), { seat: seat.letter }), warn)];
}

function callParts(notes) {
  const call = (reason) => send(notes, "call", { reason, game: game(notes), ...(notes.letter ? { letter: notes.letter } : {}) });
  return [...seatParts(notes, { free: true }), ...reasonParts(REASONS.call(), gettext("Call the chief judge now"), call, "danger")];
}

function markParts(notes, name) {
  const { typed, place } = notes.view;
  const said = labels().marks[name];
  if (!notes.letter) return seatParts(notes);
  if (typed.games[place].seats[notes.letter][name]) {
    const take = () => {
      notes.change(setMark(notes.view.typed, place, notes.letter, name, null));
      notes.dialog.close();
    };
    return [...seatParts(notes), action(said.undo, take)];
  }
  const { tiles } = notes;
  const noteIt = async () => {
    notes.change(setMark(notes.view.typed, place, notes.letter, name, tiles));
    if (said.is_incident) await send(notes, "incident", bodyOf(notes, name, { tiles }));
  };
  const act = action(tiles ? fill(said.note, { tiles }) : gettext("Count the tiles first"), noteIt, "primary");
  act.setAttribute("aria-disabled", String(!tiles));
  return [...seatParts(notes), make("span", { class: "label" }, gettext("Tiles counted on the rack")), countKeys(notes), act];
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
  return make("div", { class: "count-keys", role: "group", "aria-label": gettext("Tiles counted on the rack") }, ...keys);
}

/** Who did not come, left or is disqualified: marked on the sheet, and for the desk. Marked already: it can be taken back. */
function goneParts(notes, kind, choices) {
  const { typed, place } = notes.view;
  if (!notes.letter) return seatParts(notes);
  const { left, absent } = typed.games[place].seats[notes.letter];
  if (left || absent) return [...seatParts(notes), action(gettext("Plays on after all"), () => playsOn(notes))];
  return [...seatParts(notes), make("p", { class: "small quiet" }, gettext("The game can be recorded. The note goes to the desk, which records it or says why not.")), ...choices((part, said) => gone(notes, kind, part, said))];
}

async function gone(notes, kind, part, said) {
  notes.change(mark(notes.view.typed, notes.view.place, notes.letter, part));
  await send(notes, "incident", bodyOf(notes, kind, { note: said }));
}

/** Not gone after all: off the sheet, and what was marked for the desk is taken back. */
async function playsOn(notes) {
  const { typed, place, table } = notes.view;
  notes.change(mark(typed, place, notes.letter, ""));
  const own = notedOf(table).find((one) => GONE.includes(one.act) && one.letter === notes.letter);
  if (own) await takeBack(notes, own, gettext("Plays on after all"));
  else notes.dialog.close();
}

const absentParts = (notes, kind) =>
  goneParts(notes, kind, (put) => {
    return [action(fill(gettext("%(seat)s takes no part from game %(game)s on"), { seat: notes.letter, game: game(notes) }), () => put("absent", ""), "primary")];
  });

const leftParts = (notes, kind) =>
  goneParts(notes, kind, (put) => {
    const acts = [
      action(fill(gettext("Leaves during game %(game)s: rack frozen"), { game: game(notes) }), () => put("left", pgettext("panel", "left"))),
      action(fill(gettext("Takes no part from game %(game)s on"), { game: game(notes) }), () => put("absent", pgettext("panel", "not playing"))),
    ];
    return [make("div", { class: "reasons" }, ...acts)];
  });

const disqualifiedParts = (notes, kind) =>
  goneParts(notes, kind, (put) => {
    return reasonParts(REASONS.disqualified(), fill(gettext("%(seat)s is disqualified: rack frozen"), { seat: notes.letter }), (reason) => put("left", reason), "danger");
  });

/** Came late and plays: whoever is recorded as a no-show can be typed from now on. */
function lateParts(notes, kind) {
  const { typed, place } = notes.view;
  if (!notes.letter) return seatParts(notes);
  const noteIt = async (reason) => {
    notes.change(mark(typed, place, notes.letter, ""));
    await send(notes, "incident", bodyOf(notes, kind, { note: reason }));
  };
  return [...seatParts(notes), make("p", { class: "small quiet" }, gettext("The player takes part. The desk decides whether to admit.")), ...reasonParts(REASONS.late(), gettext("Note it"), noteIt)];
}

/** A rack that was counted wrong: its game can be typed anew, and recorded though its figures cannot be. */
function miscountParts(notes, kind) {
  if (!notes.letter) return seatParts(notes);
  const noteIt = (reason) => send(notes, "incident", bodyOf(notes, kind, { note: reason }));
  return [...seatParts(notes), make("p", { class: "small quiet" }, gettext("Type the game again and record it. Figures that cannot be are decided by the chief judge.")), ...reasonParts(REASONS.miscount(), gettext("Note it"), noteIt)];
}

function pauseParts(notes) {
  const { table, clockText } = notes.view;
  if (table.pause) {
    const since = fill(gettext("Toilet break of %(seat)s since %(time)s"), { seat: table.pause.letter, time: clockText(table.pause.since) });
    return [make("p", {}, since), action(gettext("Break ends: time runs on"), () => send(notes, "unpause", {}), "primary")];
  }
  if (!notes.letter) return seatParts(notes);
  const escort = make("input", { class: "input", type: "text", maxlength: "100" });
  const start = action(gettext("Break begins: the table's time stops"), () => escort.value.trim() && send(notes, "pause", { letter: notes.letter, escort: escort.value.trim() }), "primary");
  const ready = () => start.setAttribute("aria-disabled", String(!escort.value.trim()));
  escort.addEventListener("input", ready);
  ready();
  return [...seatParts(notes), labelled(gettext("Escort"), escort), start];
}

function incidentParts(notes, kind) {
  const free = kind === "new_deal";
  if (!notes.letter && !free) return seatParts(notes);
  const said = make("input", { class: "input", type: "text", maxlength: "500" });
  const noteIt = () => send(notes, "incident", bodyOf(notes, kind, { note: said.value.trim() }));
  return [...(free ? [] : seatParts(notes)), labelled(pgettext("panel", "Reason"), said), action(gettext("Note it"), noteIt, "primary")];
}

function overtimeParts(notes) {
  const { table } = notes.view;
  notes.minutes ??= MINUTES[1];
  const choose = (minutes) => {
    notes.minutes = minutes;
    notes.redraw();
  };
  const add = (reason) => send(notes, "overtime", { minutes: notes.minutes, reason });
  const has = table.overtime ? [make("p", { class: "small" }, fill(gettext("%(minutes)s minutes of overtime so far"), { minutes: table.overtime }))] : [];
  const options = MINUTES.map((minutes) => [minutes, String(minutes)]);
  const word = fill(gettext("Add %(minutes)s minutes"), { minutes: notes.minutes });
  return [...has, make("span", { class: "label" }, gettext("Minutes")), choice(gettext("Minutes"), options, notes.minutes, choose), ...reasonParts([noteActs().pause, noteActs().new_deal, noteActs().call], word, add)];
}

/** Numbers drawn for the start: the highest starts, and is noted on the sheet. */
function drawnParts(notes) {
  const { seats, typed, place } = notes.view;
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
  const act = action(gettext("Note it"), noteIt, "primary");
  const show = () => {
    const isWhole = pickers.every(([, , field]) => field.value);
    const starter = isWhole ? starterOf(read()) : "";
    says.textContent = starter ? fill(gettext("%(seat)s starts"), { seat: starter }) : isWhole ? gettext("The highest number is there twice: these draw again.") : gettext("Choose the number that each has drawn");
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
  ...Object.fromEntries(MARKS.map((name) => [name, (notes) => markParts(notes, name)])),
  absent: absentParts,
  late: lateParts,
  left: leftParts,
  disqualified: disqualifiedParts,
  miscount: miscountParts,
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
