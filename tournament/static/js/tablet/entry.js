/* A game being typed: head, how it ended, a line a seat, what follows from it, keys, one deciding button. Only draws: what
   a press does is the panel's, by `data-act`. */

import { faceValue, marked, rulingOn } from "../engine/engine.js";
import { NOT_PLAYED, isHandedIn, isOut, isUntouched, missing, playing } from "./game.js";
import { icon, note } from "./icon.js";
import { miscounted } from "./marks.js";
import { outcomeOf, startersOf } from "./outcome.js";
import { keysElement } from "./pad.js";
import { hinders, placeOf, sentence, toMend, told } from "./problems.js";
import { pointsElement, pointsText } from "./quantity.js";
import { lackingTexts, markTexts, reachedTexts } from "./texts.js";
import { make, tileElement } from "./tile.js";
import { fill, gettext, labels, pgettext } from "./words.js";

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
export function numberTile(number, size = "l") {
  const tile = tileElement(`${COLOURS[(number - 1) % COLOURS.length]}${number}`, { size });
  tile.querySelector(".sr")?.remove();
  return tile;
}

/** Head of the panel. `chooses`: whether another game can be opened. */
export function headElement(view, chooses = true) {
  const { table, place } = view;
  const games = make("div", { class: "seg which", role: "group", "aria-label": gettext("Games of this sheet") });
  view.typed.games.forEach((game, at) => {
    const isBegun = view.reached[at] !== "typing" || at === place || !isUntouched(game);
    const small = make("small", {}, isBegun ? reachedTexts()[view.reached[at]] : "\u2013");
    const name = fill(gettext("Game %(game)s"), { game: at + 1 });
    const label = `${name} ${small.textContent}`;
    const pressed = { "aria-pressed": String(at === place), "aria-label": label, ...(chooses ? {} : { "aria-disabled": "true" }) };
    games.append(press("game", { place: at }, pressed, String(at + 1), small));
  });
  const heading = make("h2", { class: "sr" }, `${fill(gettext("Table %(table)s"), { table: table.number })} ${fill(gettext("Game %(game)s"), { game: place + 1 })} ${fill(gettext("of %(games)s"), { games: view.typed.games.length })}`);
  const called = table.calls.some((call) => !call.answer);
  return make(
    "header", {},
    numberTile(table.number),
    make("div", { class: "grow" }, heading, games),
    notesPress(view),
    press("call", {}, { class: `btn danger${called ? " is-called" : ""}` }, icon("hand"), gettext("Chief judge")),
  );
}

/** While a game is typed there is no room for the note of a pause: the button of the notes says it, and opens it. */
function notesPress({ table, cell }) {
  if (table.pause && cell) return press("pause", {}, { class: "btn is-paused" }, pgettext("panel", "Paused"));
  return press("notes", {}, { class: "btn plain" }, pgettext("panel", "Notes"));
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
    ...rulingElements(found),
    ...(typing ? [keysElement(view)] : [sheetElement(view), ...(view.table.pause ? [] : startElement(view))]),
    actsElement(view, found),
  ];
}

/* --- How it ended ---------------------------------------------------------------------------------------- */

function howElement(view) {
  const { ruleset, typed, place, seats } = view;
  const game = typed.games[place];
  const group = make("div", { class: "seg how", role: "group", "aria-label": gettext("How it ended") });
  const add = (how, letter, word, small) => {
    const pressed = game.ended_by === how && (!letter || isOut(game, letter));
    group.append(press("end", { how, letter }, { "aria-pressed": String(pressed) }, word, make("small", {}, small)));
  };
  for (const letter of playing(seats, typed, place)) {
    if (!game.seats[letter].left) add("rummikub", letter, letter, pgettext("panel", "Rummikub"));
  }
  add("pool", "", pgettext("panel", "Pool empty"), gettext("nobody out"));
  add("time", "", pgettext("panel", "Time up"), ruleset.minutes ? fill(gettext("%(minutes)s minutes"), { minutes: ruleset.minutes }) : gettext("nobody out"));
  add(NOT_PLAYED, "", labels().endings.not_played, "\u2013");
  return group;
}

/* --- A line a seat --------------------------------------------------------------------------------------- */

function linesElement(view, found) {
  const { seats } = view;
  const head = make("tr");
  for (const word of [pgettext("panel", "Seat"), pgettext("panel", "Opened"), pgettext("panel", "Rack"), pgettext("panel", "Tiles"), pgettext("panel", "Points")]) head.append(make("th", { scope: "col" }, word));
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
  const { typed, place, checked } = view;
  const { letter } = seat;
  const game = typed.games[place];
  const typedSeat = game.seats[letter];
  const result = checked.games[place].seats[letter];
  const plays = playing(view.seats, typed, place).includes(letter) && game.ended_by !== NOT_PLAYED;
  const waits = seat.waits ? fill(gettext("%(mark)s; the desk will record it"), { mark: markTexts()[seat.waits] }) : "";
  const wrong = miscounted(view.marks, place).includes(letter) ? markTexts().miscount : "";
  const marks = [typedSeat.left && !waits ? pgettext("panel", "left") : "", ...marked(typedSeat).map((name) => labels().marks[name].panel), waits, wrong].filter(Boolean);
  const who = make(
    "div", { class: "who" },
    make("span", { class: `seat${result?.win === 1 ? " won" : ""}` }, letter),
    make("span", { class: "grow" }, make("b", { class: lengthOf(seat.name) }, seat.name), make("span", { class: "no" }, seat.number), ...marks.map((mark) => make("span", { class: "mark" }, mark))),
  );
  if (!plays) {
    const why = game.ended_by === NOT_PLAYED ? labels().endings.not_played : pgettext("panel", "not playing");
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

function iceElement({ typed, place, ruleset, ices }, letter) {
  const seat = typed.games[place].seats[letter];
  if (isOut(typed.games[place], letter)) return make("span", { class: "ice" }, "\u2014");
  const says = seat.opened ? pgettext("panel", "Opened") : gettext("Not opened");
  const label = fill(gettext("%(seat)s: %(value)s"), { seat: letter, value: says });
  if (seat.opened) return press("ice", { letter }, { class: "ice", "aria-label": label }, says);
  const ice = ices[letter];
  const small = ice ? (ice.able ? fill(gettext("could: %(value)s"), { value: ice.best ?? ruleset.opening_minimum }) : gettext("could not")) : gettext("tap tiles");
  return press("ice", { letter }, { class: "ice not", "aria-label": `${label} ${small}` }, says, make("small", {}, small));
}

function cellClass(view, letter, cell, found) {
  const on = view.cell && view.cell.letter === letter && view.cell.cell === cell;
  const here = found.filter((one) => placeOf(one).letter === letter && [cell, "rack"].includes(placeOf(one).cell));
  const mends = toMend(here).length ? " bad" : here.length ? " odd" : "";
  return `cell${on ? " on" : ""}${mends}`;
}

function valueElement(view, letter, found) {
  const { typed, place, ruleset } = view;
  const seat = typed.games[place].seats[letter];
  if (isOut(typed.games[place], letter)) return make("span", { class: "cell still" }, pgettext("panel", "out"));
  const flat = flatValue(ruleset, seat, view.ices[letter]);
  if (flat !== null) return make("span", { class: "cell still" }, String(flat));
  if (!seat.opened && !seat.rack) return press("ice", { letter }, { class: "cell still" }, "\u2026");
  const value = seat.rack ? String(faceValue(ruleset, seat.rack.split(" "))) : seat.face_value;
  const label = fill(gettext("%(seat)s, rack value: %(value)s"), { seat: letter, value: value || pgettext("panel", "empty") });
  return press("cell", { letter, cell: "face_value" }, { class: cellClass(view, letter, "face_value", found), "aria-label": label }, value);
}

function tilesElement(view, letter, found) {
  const { typed, place } = view;
  const seat = typed.games[place].seats[letter];
  if (isOut(typed.games[place], letter)) return make("span", { class: "cell still" }, "0");
  const label = fill(gettext("%(seat)s, tiles left: %(value)s"), { seat: letter, value: seat.tiles || pgettext("panel", "empty") });
  return press("cell", { letter, cell: "tiles" }, { class: cellClass(view, letter, "tiles", found), "aria-label": label }, seat.tiles);
}

/** The flat value of a rack that has one; null where its faces count or where that is not known yet. */
export function flatValue(ruleset, seat, ice) {
  const ruling = rulingOn(ruleset, seat);
  if (ruling) return ruling.value;
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
  const { typed, place } = view;
  if (found.length) {
    const shown = [...toMend(found), ...found.filter((one) => one.weight === "look")].slice(0, MOST_TOLD);
    const lines = shown.map((one) => make("span", { class: one.weight === "mend" ? "fault" : "fault warn" }, icon("warn"), sentence(one)));
    return make("div", { class: "sum is-fault", role: "status" }, make("span", { class: "grow" }, ...lines));
  }
  const game = typed.games[place];
  if (game.ended_by === NOT_PLAYED || !game.ended_by) return make("div", { class: "sum", role: "status" }, make("span", { class: "grow quiet" }, game.ended_by ? labels().endings.not_played : gettext("How it ended")));
  const lacking = missing(view.ruleset, view.seats, typed, place).map(({ letter }) => letter);
  const said = outcomeOf(view);
  const lead = lacking.length ? fill(gettext("%(seats)s to come"), { seats: lacking.join(pgettext("between seats", ", ")) }) : gettext("Sum 0");
  const text = make("span", { class: "grow" }, make("b", {}, lead), said ? `\u00b7${said}` : "");
  return make("div", { class: "sum", role: "status" }, ...(lacking.length ? [] : [icon("tick")]), text);
}

/** Where the rules leave this game open: each ruling of the chief judge that would do, or the way back from one. */
function rulingElements(found) {
  const asked = found.filter((one) => placeOf(one).cell === "ruling");
  const offers = asked.flatMap(({ code, facts }) => (code === "ruled" ? [""] : facts.fits));
  const said = (ruling) => (ruling ? fill(gettext("Ruled: %(answer)s"), { answer: labels().rulings[ruling] }) : gettext("No ruling"));
  const buttons = [...new Set(offers)].map((ruling) => press("rule", { ruling }, { class: "btn" }, said(ruling)));
  return buttons.length ? [make("div", { class: "row tight", role: "group", "aria-label": labels().cells.ruling }, ...buttons)] : [];
}

/** The sheet so far, in small. */
export function sheetElement(view) {
  const { seats, checked, typed, reached } = view;
  const head = make("tr", {}, make("th", { scope: "col" }, pgettext("panel", "Sheet")), ...seats.map(({ letter }) => make("th", { scope: "col" }, letter)));
  const body = make("tbody");
  checked.games.forEach((game, at) => {
    if (isUntouched(typed.games[at])) return;
    const row = make("tr", {}, make("th", { scope: "row" }, `${fill(gettext("Game %(game)s"), { game: at + 1 })}\u00b7${reachedTexts()[reached[at]]}`));
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
  const { seats } = view;
  const start = startersOf(view);
  if (!start) return [];
  const draw = press("draw", {}, { class: "btn" }, gettext("Drawn numbers…"));
  const facts = { game: start.game };
  if (start.letters.length === 1) {
    const { letter, name } = seats.find((one) => one.letter === start.letters[0]);
    const title = fill(gettext("%(seat)s starts game %(game)s"), { ...facts, seat: `${letter} ${name}` });
    return [note("live", title, start.after.length ? fill(gettext("Winner of the last game; then clockwise: %(seats)s."), { seats: start.after.join(pgettext("between seats", ", ")) }) : "")];
  }
  const title = start.letters.length
    ? fill(gettext("%(seats)s draw again for the start of game %(game)s"), { ...facts, seats: start.letters.join(pgettext("between seats", ", ")) })
    : fill(gettext("All draw a number: the highest starts game %(game)s"), facts);
  return [note("live", title, "", draw)];
}

/** While nothing is being typed: a pause that lasts, and the newest call for the chief judge, or what was ruled of this game. */
export function callNotes({ table, clockText, cell, place, typed }) {
  const shown = [];
  if (cell !== null) return shown;
  for (const { kind, game, letter, end } of table.incidents ?? []) {
    const seat = typed.games[game - 1]?.seats[letter];
    if (end?.outcome !== "dismissed" || !(seat?.left || seat?.absent)) continue;
    shown.push(note("wait", fill(gettext("The desk did not record that %(seat)s %(mark)s."), { seat: letter, mark: markTexts()[kind] ?? "" }), end.reason));
  }
  if (table.pause) {
    const since = { seat: table.pause.letter, time: clockText(table.pause.since) };
    const end = press("unpause", {}, { class: "btn" }, gettext("Break ends: time runs on"));
    shown.push(note("wait", fill(gettext("Toilet break of %(seat)s since %(time)s"), since), "", end));
  }
  const call = table.calls.filter((one) => !one.answer || (one.game ?? place + 1) === place + 1).at(-1);
  if (call?.answer) shown.push(note("done", fill(gettext("Ruled: %(answer)s"), { answer: call.answer }), call.reason));
  else if (call && !call.answer) {
    const called = fill(gettext("Chief judge called %(time)s: %(reason)s"), { time: clockText(call.at), reason: call.reason });
    shown.push(note("wait", called, call.taken_by ? fill(gettext("%(name)s is coming."), { name: call.taken_by }) : ""));
  }
  return shown;
}

/* --- The deciding button --------------------------------------------------------------------------------- */

function actsElement(view, found) {
  const undo = press("undo", {}, { class: "btn", "aria-disabled": String(!view.canUndo) }, icon("undo"), pgettext("panel", "Undo"));
  return make("div", { class: "acts" }, undo, primary(view, found));
}

function primary(view, found) {
  const { typed, sent, place } = view;
  const game = typed.games[place];
  const off = (word) => press("none", {}, { class: "btn primary", "aria-disabled": "true" }, word);
  const wrong = miscounted(view.marks, place);
  const lacking = missing(view.ruleset, view.seats, typed, place).filter(({ letter }) => !wrong.includes(letter));
  if (lacking.length) return off(lackingText(lacking));
  if (hinders(found, wrong).length) return off(gettext("Mend what is marked first"));
  if (!isHandedIn(game, sent.games[place])) {
    const again = !isUntouched(sent.games[place]);
    return press("record", {}, { class: "btn primary" }, fill(again ? gettext("Record game %(game)s as mended") : gettext("Record game %(game)s"), { game: place + 1 }));
  }
  const next = typed.games.findIndex((one, at) => !isHandedIn(one, sent.games[at]));
  if (next >= 0) return press("game", { place: next }, { class: "btn primary" }, fill(gettext("On to game %(game)s"), { game: next + 1 }));
  return press("agree", {}, { class: "btn primary" }, icon("pen"), gettext("Agree and sign"));
}

function lackingText(lacking) {
  if (!lacking[0].letter) return gettext("Missing: how it ended");
  if (lacking.length > MOST_SPELT) return fill(gettext("Missing: %(cells)s"), { cells: lacking.map(({ letter }) => letter).join(pgettext("between seats", ", ")) });
  const spelt = lacking
    .map(({ letter, cells }) => fill(pgettext("panel", "%(seat)s %(cells)s"), { seat: letter, cells: cells.map((cell) => lackingTexts()[cell]).join(pgettext("between seats", ", ")) }))
    .join(pgettext("between seats", ", "));
  return fill(gettext("Missing: %(cells)s"), { cells: spelt });
}
