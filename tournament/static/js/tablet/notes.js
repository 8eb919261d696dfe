/* What a referee notes of a game beside its result: each is one act in the outbox, and what concerns the result is marked on
   the sheet as well. */

import { action, choice, openDialog, reasonParts } from "./ask.js";
import { mark, playing, pushOver, setStarter, starterOf } from "./game.js";
import { startersOf } from "./outcome.js";
import { make } from "./tile.js";
import { fill } from "./words.js";

const ACTS = ["warning", "call", "pushed_over", "absent", "late", "left", "disqualified", "miscount", "pause", "new_deal", "exposed_tile", "turn_forfeited", "overtime", "drawn_numbers"];
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
  const { words, table, place } = view;
  if (first) {
    openAct(notes, first);
    return;
  }
  const acts = make("div", { class: "reasons" }, ...ACTS.map((act) => action(words.acts[act], () => openAct(notes, act))));
  const noted = notedOf(table, notes.view.referee);
  const back = noted.length ? [action(fill(words.noted_so_far, { count: noted.length }), () => openNoted(notes), "plain")] : [];
  notes.dialog = openDialog(host, fill(words.notes_title, { table: table.number, game: place + 1 }), [acts, ...back], words);
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
  const { words, table, clockText } = notes.view;
  const rows = notedOf(table, notes.view.referee).map((one) => {
    const facts = [words.acts[one.act] ?? one.act, one.letter, one.game ? fill(words.game, { game: one.game }) : "", clockText(one.at)];
    const text = make("span", { class: "grow" }, make("b", {}, facts.filter(Boolean).join("\u00b7")), make("br"), make("span", { class: "small" }, one.said));
    return make("li", { class: "row keep" }, text, action(words.take_note_back, () => openTakeBack(notes, one)));
  });
  notes.dialog = openDialog(notes.host, fill(words.noted_title, { table: table.number }), [make("ul", { class: "stack tight noted" }, ...rows)], words);
}

function openTakeBack(notes, one) {
  notes.dialog.close();
  const { words } = notes.view;
  const parts = [make("p", { class: "small quiet" }, words.take_note_back_why), ...reasonParts(words.reasons_take_back, words.take_note_back, (reason) => takeBack(notes, one, reason), words)];
  notes.dialog = openDialog(notes.host, fill(words.take_back_of, { act: words.acts[one.act] ?? one.act, seat: one.letter }), parts, words, { closing: words.cancel });
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
    letter, `${letter} ${name}`, ...(warnings ? [make("small", {}, warnings === 1 ? words.warned_once : fill(words.warned, { times: warnings }))] : []),
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

/** Who did not come, left or is disqualified: marked on the sheet, and for the desk. Marked already: it can be taken back. */
function goneParts(notes, kind, choices) {
  const { words, typed, place } = notes.view;
  if (!notes.letter) return seatParts(notes);
  const { left, absent } = typed.games[place].seats[notes.letter];
  if (left || absent) return [...seatParts(notes), action(words.left_not, () => playsOn(notes))];
  return [...seatParts(notes), make("p", { class: "small quiet" }, words.left_hint), ...choices((part, said) => gone(notes, kind, part, said))];
}

async function gone(notes, kind, part, said) {
  notes.change(mark(notes.view.typed, notes.view.place, notes.letter, part));
  await send(notes, "incident", bodyOf(notes, kind, { note: said }));
}

/** Not gone after all: off the sheet, and what was marked for the desk is taken back. */
async function playsOn(notes) {
  const { words, typed, place, table } = notes.view;
  notes.change(mark(typed, place, notes.letter, ""));
  const own = notedOf(table).find((one) => GONE.includes(one.act) && one.letter === notes.letter);
  if (own) await takeBack(notes, own, words.left_not);
  else notes.dialog.close();
}

const absentParts = (notes, kind) =>
  goneParts(notes, kind, (put) => {
    const { words } = notes.view;
    return [action(fill(words.absent_now, { seat: notes.letter, game: game(notes) }), () => put("absent", ""), "primary")];
  });

const leftParts = (notes, kind) =>
  goneParts(notes, kind, (put) => {
    const { words } = notes.view;
    const acts = [
      action(fill(words.left_now, { game: game(notes) }), () => put("left", words.left)),
      action(fill(words.left_before, { game: game(notes) }), () => put("absent", words.away)),
    ];
    return [make("div", { class: "reasons" }, ...acts)];
  });

const disqualifiedParts = (notes, kind) =>
  goneParts(notes, kind, (put) => {
    const { words } = notes.view;
    return reasonParts(words.reasons_disqualified, fill(words.disqualified_now, { seat: notes.letter }), (reason) => put("left", reason), words, "danger");
  });

/** Came late and plays: whoever is recorded as a no-show can be typed from now on. */
function lateParts(notes, kind) {
  const { words, typed, place } = notes.view;
  if (!notes.letter) return seatParts(notes);
  const noteIt = async (reason) => {
    notes.change(mark(typed, place, notes.letter, ""));
    await send(notes, "incident", bodyOf(notes, kind, { note: reason }));
  };
  return [...seatParts(notes), make("p", { class: "small quiet" }, words.late_hint), ...reasonParts(words.reasons_late, words.note_it, noteIt, words)];
}

/** A rack that was counted wrong: its game can be typed anew, and recorded though its figures cannot be. */
function miscountParts(notes, kind) {
  const { words } = notes.view;
  if (!notes.letter) return seatParts(notes);
  const noteIt = (reason) => send(notes, "incident", bodyOf(notes, kind, { note: reason }));
  return [...seatParts(notes), make("p", { class: "small quiet" }, words.miscount_hint), ...reasonParts(words.reasons_miscount, words.note_it, noteIt, words)];
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
