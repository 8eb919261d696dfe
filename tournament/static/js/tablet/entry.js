/* A game being typed: head, how it ended, a line a seat, what follows from it, keys, one deciding button. Only draws: what
   a press does is the panel's, by `data-act`. */

import { copiesOf, faceValue } from "../engine/engine.js";
import { NOT_PLAYED, isHandedIn, isOut, isUntouched, missing, playing } from "./game.js";
import { icon, note } from "./icon.js";
import { keysElement } from "./pad.js";
import { miscounted } from "./marks.js";
import { hinders, placeOf, sentence, toMend, told } from "./problems.js";
import { pointsElement, pointsText } from "./quantity.js";
import { outcomeOf, startersOf } from "./outcome.js";
import { make, tileElement } from "./tile.js";
import { fill } from "./words.js";

const COLOURS = "RBKO";
const LONG_NAME = 15;
const LONGEST_NAME = 30;
const MOST_TOLD = 2;
const MOST_SPELT = 2;

/** A button that the panel hears. */
export function press(act, data, attributes, ...children) {
  const element = make("button", { type: "button", "data-act": act, ...attributes }, ...children);
  for (const [name, value] of Object.entries(data)) element.dataset[name] = String(value);
  return element;
}

/** The table's number as the tile of its own colour. */
export function numberTile(number, words, size = "l") {
  const tile = tileElement(`${COLOURS[(number - 1) % COLOURS.length]}${number}`, words.board, { size });
  tile.querySelector(".sr")?.remove();
  return tile;
}

/** Head of the panel. `chooses`: whether another game can be opened. */
export function headElement(view, chooses = true) {
  const { words, table, place } = view;
  const games = make("div", { class: "seg which", role: "group", "aria-label": words.games });
  view.typed.games.forEach((game, at) => {
    const isBegun = view.reached[at] !== "typing" || at === place || !isUntouched(game);
    const small = make("small", {}, isBegun ? words.reached[view.reached[at]] : "\u2013");
    const name = fill(words.game, { game: at + 1 });
    const label = `${name} ${small.textContent}`;
    const pressed = { "aria-pressed": String(at === place), "aria-label": label, ...(chooses ? {} : { "aria-disabled": "true" }) };
    games.append(press("game", { place: at }, pressed, String(at + 1), small));
  });
  const heading = make("h2", { class: "sr" }, `${fill(words.table, { table: table.number })} ${fill(words.game, { game: place + 1 })} ${fill(words.of_games, { games: view.typed.games.length })}`);
  const called = table.calls.some((call) => !call.answer);
  return make(
    "header", {},
    numberTile(table.number, words),
    make("div", { class: "grow" }, heading, games),
    notesPress(view),
    press("call", {}, { class: `btn danger${called ? " is-called" : ""}` }, icon("hand"), words.call_judge),
  );
}

/** While a game is typed there is no room for the note of a pause: the button of the notes says it, and opens it. */
function notesPress({ words, table, cell }) {
  if (table.pause && cell) return press("pause", {}, { class: "btn is-paused" }, words.is_paused);
  return press("notes", {}, { class: "btn plain" }, words.notes);
}

/** The whole entry. */
export function entryElements(view) {
  const found = told(view.checked.problems, view.place);
  const typing = view.cell !== null;
  return [
    headElement(view),
    ...callNotes(view),
    howElement(view),
    linesElement(view, found),
    sumElement(view, found),
    ...(typing ? [keysElement(view)] : [sheetElement(view), ...(view.table.pause ? [] : startElement(view))]),
    actsElement(view, found),
  ];
}

/* --- How it ended ---------------------------------------------------------------------------------------- */

function howElement(view) {
  const { words, ruleset, typed, place, seats } = view;
  const game = typed.games[place];
  const group = make("div", { class: "seg how", role: "group", "aria-label": words.how });
  const add = (how, letter, word, small) => {
    const pressed = game.ended_by === how && (!letter || isOut(game, letter));
    group.append(press("end", { how, letter }, { "aria-pressed": String(pressed) }, word, make("small", {}, small)));
  };
  for (const letter of playing(seats, typed, place)) {
    if (!game.seats[letter].left) add("rummikub", letter, letter, words.rummikub);
  }
  add("pool", "", words.pool, words.pool_why);
  add("time", "", words.time, ruleset.minutes ? fill(words.minutes, { minutes: ruleset.minutes }) : words.pool_why);
  add(NOT_PLAYED, "", words.endings.not_played, "\u2013");
  return group;
}

/* --- A line a seat --------------------------------------------------------------------------------------- */

function linesElement(view, found) {
  const { words, seats } = view;
  const head = make("tr");
  for (const word of [words.seat, words.opened, words.rack_value, words.tiles, words.points]) head.append(make("th", { scope: "col" }, word));
  const widths = make("colgroup", {}, make("col"), ...["w-ice", "w-val", "w-cnt", "w-pts"].map((name) => make("col", { class: name })));
  const body = make("tbody", {}, ...seats.map((seat) => lineElement(view, seat, found)));
  return make("table", { class: "lines" }, widths, make("thead", {}, head), body);
}

/** A class for names that need smaller letters where many stand side by side; "" for the others. */
export function lengthOf(name) {
  if (name.length > LONGEST_NAME) return "is-long is-longest";
  return name.length > LONG_NAME ? "is-long" : "";
}

function lineElement(view, seat, found) {
  const { words, typed, place, checked } = view;
  const { letter } = seat;
  const game = typed.games[place];
  const typedSeat = game.seats[letter];
  const result = checked.games[place].seats[letter];
  const plays = playing(view.seats, typed, place).includes(letter) && game.ended_by !== NOT_PLAYED;
  const waits = seat.waits ? fill(words.waits_desk, { mark: words.marks[seat.waits] }) : "";
  const wrong = miscounted(view.marks, place).includes(letter) ? words.marks.miscount : "";
  const marks = [typedSeat.left && !waits ? words.left : "", typedSeat.pushed_over ? words.pushed_over : "", waits, wrong].filter(Boolean);
  const who = make(
    "div", { class: "who" },
    make("span", { class: `seat${result?.win === 1 ? " won" : ""}` }, letter),
    make("span", { class: "grow" }, make("b", { class: lengthOf(seat.name) }, seat.name), make("span", { class: "no" }, seat.number), ...marks.map((mark) => make("span", { class: "mark" }, mark))),
  );
  if (!plays) {
    const why = game.ended_by === NOT_PLAYED ? words.endings.not_played : words.away;
    return make("tr", { class: "is-away" }, make("td", {}, who), make("td", { colspan: "4", class: "quiet" }, why));
  }
  return make(
    "tr", {},
    make("td", {}, who),
    make("td", {}, iceElement(view, letter)),
    make("td", {}, valueElement(view, letter, found)),
    make("td", {}, tilesElement(view, letter, found)),
    make("td", {}, pointsCell(view, letter, result)),
  );
}

function iceElement({ words, typed, place, ruleset, ices }, letter) {
  const seat = typed.games[place].seats[letter];
  if (isOut(typed.games[place], letter)) return make("span", { class: "ice" }, "\u2014");
  const says = seat.opened ? words.opened : words.not_opened;
  const label = fill(words.opened_of, { seat: letter, value: says });
  if (seat.opened) return press("ice", { letter }, { class: "ice", "aria-label": label }, says);
  const ice = ices[letter];
  const small = ice ? (ice.able ? fill(words.could, { value: ice.best ?? ruleset.opening_minimum }) : words.could_not) : words.tap_tiles;
  return press("ice", { letter }, { class: "ice not", "aria-label": `${label} ${small}` }, says, make("small", {}, small));
}

function cellClass(view, letter, cell, found) {
  const on = view.cell && view.cell.letter === letter && view.cell.cell === cell;
  const here = found.filter((one) => placeOf(one).letter === letter && [cell, "rack"].includes(placeOf(one).cell));
  const mends = toMend(here).length ? " bad" : here.length ? " odd" : "";
  return `cell${on ? " on" : ""}${mends}`;
}

function valueElement(view, letter, found) {
  const { words, typed, place, ruleset } = view;
  const seat = typed.games[place].seats[letter];
  if (isOut(typed.games[place], letter)) return make("span", { class: "cell still" }, words.out);
  const flat = flatValue(ruleset, seat, view.ices[letter]);
  if (flat !== null) return make("span", { class: "cell still" }, String(flat));
  if (!seat.opened && !seat.rack) return press("ice", { letter }, { class: "cell still" }, "\u2026");
  const value = seat.rack ? String(faceValue(ruleset, seat.rack.split(" "))) : seat.face_value;
  const label = fill(words.value_of, { seat: letter, value: value || words.empty_cell });
  return press("cell", { letter, cell: "face_value" }, { class: cellClass(view, letter, "face_value", found), "aria-label": label }, value);
}

function tilesElement(view, letter, found) {
  const { words, typed, place } = view;
  const seat = typed.games[place].seats[letter];
  if (isOut(typed.games[place], letter)) return make("span", { class: "cell still" }, "0");
  const label = fill(words.tiles_of, { seat: letter, value: seat.tiles || words.empty_cell });
  return press("cell", { letter, cell: "tiles" }, { class: cellClass(view, letter, "tiles", found), "aria-label": label }, seat.tiles);
}

/** The flat value of a rack that has one; null where its faces count or where that is not known yet. */
export function flatValue(ruleset, seat, ice) {
  if (seat.pushed_over && ruleset.pushed_over !== null) return ruleset.pushed_over;
  if (seat.opened || !ice) return null;
  return ice.able ? ruleset.unopened_able : ruleset.unopened_unable;
}

function pointsCell(view, letter, result) {
  if (result && result.points !== null) return pointsElement(result.points);
  const { typed, place, ruleset } = view;
  const game = typed.games[place];
  if (game.ended_by !== "rummikub") return make("span", { class: "quiet" }, "\u2026");
  const lost = (one) => {
    const seat = game.seats[one];
    const known = flatValue(ruleset, seat, view.ices[one]) ?? (seat.rack ? faceValue(ruleset, seat.rack.split(" ")) : null);
    return known ?? (seat.tiles && seat.face_value ? Number(seat.face_value) : null);
  };
  const own = lost(letter);
  if (!isOut(game, letter)) return make("span", { class: own === null ? "quiet" : "" }, own === null ? "\u2026" : pointsText(-12 * own));
  const sum = playing(view.seats, typed, place).reduce((all, one) => all + (isOut(game, one) ? 0 : lost(one) ?? 0), 0);
  return make("span", { class: "quiet" }, `${pointsText(12 * sum)}\u2026`);
}

/* --- What follows ---------------------------------------------------------------------------------------- */

function sumElement(view, found) {
  const { words, typed, place } = view;
  if (found.length) {
    const shown = [...toMend(found), ...found.filter((one) => one.weight === "look")].slice(0, MOST_TOLD);
    const lines = shown.map((one) => make("span", { class: one.weight === "mend" ? "fault" : "fault warn" }, icon("warn"), sentence(one, words)));
    return make("div", { class: "sum is-fault", role: "status" }, make("span", { class: "grow" }, ...lines));
  }
  const game = typed.games[place];
  if (game.ended_by === NOT_PLAYED || !game.ended_by) return make("div", { class: "sum", role: "status" }, make("span", { class: "grow quiet" }, game.ended_by ? words.endings.not_played : words.how));
  const lacking = missing(view.ruleset, view.seats, typed, place).map(({ letter }) => letter);
  const said = outcomeOf(view);
  const lead = lacking.length ? fill(words.waits_for, { seats: lacking.join(words.and) }) : words.sum;
  const text = make("span", { class: "grow" }, make("b", {}, lead), said ? `\u00b7${said}` : "");
  return make("div", { class: "sum", role: "status" }, ...(lacking.length ? [] : [icon("tick")]), text);
}

/** The sheet so far, in small. */
export function sheetElement(view) {
  const { words, seats, checked, typed, reached } = view;
  const head = make("tr", {}, make("th", { scope: "col" }, words.sheet), ...seats.map(({ letter }) => make("th", { scope: "col" }, letter)));
  const body = make("tbody");
  checked.games.forEach((game, at) => {
    if (isUntouched(typed.games[at])) return;
    const row = make("tr", {}, make("th", { scope: "row" }, `${fill(words.game, { game: at + 1 })}\u00b7${words.reached[reached[at]]}`));
    for (const { letter } of seats) {
      const seat = game.seats[letter];
      const cell = make("td");
      if (seat?.points !== null && seat?.points !== undefined) cell.append(seat.win ? make("b", {}, pointsElement(seat.points)) : pointsElement(seat.points));
      row.append(cell);
    }
    body.append(row);
  });
  return body.children.length ? make("table", { class: "mini" }, make("thead", {}, head), body) : "";
}

function startElement(view) {
  const { words, seats } = view;
  const start = startersOf(view);
  if (!start) return [];
  const draw = press("draw", {}, { class: "btn" }, words.drawn);
  const facts = { game: start.game };
  if (start.letters.length === 1) {
    const { letter, name } = seats.find((one) => one.letter === start.letters[0]);
    const title = fill(words.starts, { ...facts, seat: `${letter} ${name}` });
    return [note("live", title, start.after.length ? fill(words.starts_why, { seats: start.after.join(words.and) }) : "")];
  }
  const title = start.letters.length ? fill(words.draws, { ...facts, seats: start.letters.join(words.and) }) : fill(words.draws_all, facts);
  return [note("live", title, "", draw)];
}

/** While nothing is being typed: a pause that lasts, and the newest call for the chief judge, or what was ruled of this game. */
export function callNotes({ table, words, clockText, cell, place, typed }) {
  const shown = [];
  if (cell !== null) return shown;
  for (const { kind, game, letter, end } of table.incidents ?? []) {
    const seat = typed.games[game - 1]?.seats[letter];
    if (end?.outcome !== "dismissed" || !(seat?.left || seat?.absent)) continue;
    shown.push(note("wait", fill(words.desk_did_not, { seat: letter, mark: words.marks[kind] ?? "" }), end.reason));
  }
  if (table.pause) shown.push(note("wait", fill(words.paused, { seat: table.pause.letter, time: clockText(table.pause.since) }), "", press("unpause", {}, { class: "btn" }, words.pause_end)));
  const call = table.calls.filter((one) => !one.answer || (one.game ?? place + 1) === place + 1).at(-1);
  if (call?.answer) shown.push(note("done", fill(words.call_answer, { answer: call.answer }), call.reason));
  else if (call && !call.answer) shown.push(note("wait", fill(words.called, { time: clockText(call.at), reason: call.reason }), call.taken_by ? fill(words.call_taken, { name: call.taken_by }) : ""));
  return shown;
}

/* --- The deciding button --------------------------------------------------------------------------------- */

function actsElement(view, found) {
  const undo = press("undo", {}, { class: "btn", "aria-disabled": String(!view.canUndo) }, icon("undo"), view.words.undo);
  return make("div", { class: "acts" }, undo, primary(view, found));
}

function primary(view, found) {
  const { words, typed, sent, place } = view;
  const game = typed.games[place];
  const off = (word) => press("none", {}, { class: "btn primary", "aria-disabled": "true" }, word);
  const wrong = miscounted(view.marks, place);
  const lacking = missing(view.ruleset, view.seats, typed, place).filter(({ letter }) => !wrong.includes(letter));
  if (lacking.length) return off(lackingText(lacking, words));
  if (hinders(found, wrong).length) return off(words.mend_first);
  if (!isHandedIn(game, sent.games[place])) {
    const again = !isUntouched(sent.games[place]);
    return press("record", {}, { class: "btn primary" }, fill(again ? words.record_again : words.record, { game: place + 1 }));
  }
  const next = typed.games.findIndex((one, at) => !isHandedIn(one, sent.games[at]));
  if (next >= 0) return press("game", { place: next }, { class: "btn primary" }, fill(words.to_next, { game: next + 1 }));
  return press("agree", {}, { class: "btn primary" }, icon("pen"), words.to_agree);
}

function lackingText(lacking, words) {
  if (!lacking[0].letter) return words.lacking_ending;
  if (lacking.length > MOST_SPELT) return fill(words.lacking, { cells: lacking.map(({ letter }) => letter).join(words.and) });
  const spelt = lacking
    .map(({ letter, cells }) => fill(words.lacking_one, { seat: letter, cells: cells.map((cell) => words.lacking_cells[cell]).join(words.and) }))
    .join(words.and);
  return fill(words.lacking, { cells: spelt });
}

/** How many copies of each number and jokers the box has, for the tile board. */
export const boxOf = (ruleset) => ({ copies: copiesOf(ruleset, "R1"), jokers: copiesOf(ruleset, "J") });
