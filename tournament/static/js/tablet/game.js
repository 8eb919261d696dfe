/* A sheet as it is typed on the tablet: what each press makes of it, what is still missing, what follows. Pure: no page,
   no network; every function answers with new data. `typed` has the shape that the server keeps, every text as pressed. */

import { marksOf, rulingOn } from "../engine/engine.js";

export const SEATS = ["A", "B", "C", "D"];
export const NOT_PLAYED = "not_played";
const LONGEST_VALUE = 3;
const LEAVING = ["withdrawn", "disqualified"];
const NO_SHOW = "forfeited";
const FIGURES = { tiles: "", face_value: "", rack: "", opened: true, could_open: null, ...marksOf({}) };

const blankSeat = () => ({ win: "", points: "", ...FIGURES, left: false, absent: false });
const blankGame = () => ({ ended_by: "", starter: "", seats: Object.fromEntries(SEATS.map((letter) => [letter, blankSeat()])) });

/* --- Reading --------------------------------------------------------------------------------------------- */

/** The same with every game and seat there. */
export function completed(typed, games) {
  const given = typed?.games ?? [];
  const rows = Array.from({ length: Math.max(games, given.length) }, (_, place) => {
    const game = { ...blankGame(), ...given[place] };
    const seats = SEATS.map((letter) => [letter, { ...blankSeat(), ...given[place]?.seats?.[letter] }]);
    return { ...game, seats: Object.fromEntries(seats) };
  });
  return { ...typed, games: rows, totals: typed?.totals ?? {} };
}

/** Equal in content, whatever the order of their keys. */
export const same = (one, other) => canonical(one) === canonical(other);

/** JSON with sorted keys. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

/** The letters of those who came. */
export const present = (seats) => seats.filter((seat) => seat.status !== NO_SHOW).map((seat) => seat.letter);

/** The sheet as the engine takes it, under the entrants' statuses of this moment. */
export function entryOf(seats, typed) {
  return {
    seats: present(seats),
    leavers: seats.filter((seat) => LEAVING.includes(seat.status)).map((seat) => seat.letter),
    games: typed.games.map((game) => ({
      ended_by: game.ended_by,
      starter: game.starter,
      ruling: game.ruling ?? "",
      seats: Object.fromEntries(Object.entries(game.seats).map(([letter, seat]) => [letter, seatEntry(seat)])),
    })),
  };
}

function seatEntry(seat) {
  const { opened, could_open, left, absent } = seat;
  const rack = seat.rack.split(" ").filter(Boolean);
  return { tiles: whole(seat.tiles), face_value: whole(seat.face_value), rack, opened, could_open, ...marksOf(seat), left, absent };
}

const whole = (text) => (/^\d+$/.test(text) ? Number(text) : null);

/** The letters who take part in a game: those who came and have not gone before it. */
export function playing(seats, typed, place) {
  const gone = (letter) => typed.games.slice(0, place).some(({ seats: row }) => row[letter].left || row[letter].absent);
  return present(seats).filter((letter) => !gone(letter) && !typed.games[place].seats[letter].absent);
}

/** The cells of a seat that a result needs and that are empty: "ice", "face_value", "tiles". */
export function missingCells(ruleset, game, letter) {
  const seat = game.seats[letter];
  if (isOut(game, letter) || seat.rack) return [];
  const flat = rulingOn(ruleset, seat) !== null;
  const judged = !seat.opened && (ruleset.unopened_able !== null || ruleset.unopened_unable !== null);
  if (judged && !flat) return ["ice"];
  return [flat || seat.face_value ? "" : "face_value", seat.tiles ? "" : "tiles"].filter(Boolean);
}

/** Who called "Rummikub". */
export const isOut = (game, letter) => game.ended_by === "rummikub" && game.seats[letter].tiles === "0";

/** All that a game still lacks, as [{letter, cells}], letter "" for how it ended. */
export function missing(ruleset, seats, typed, place) {
  const game = typed.games[place];
  if (game.ended_by === NOT_PLAYED) return [];
  const ending = game.ended_by ? [] : [{ letter: "", cells: ["ended_by"] }];
  const lacking = playing(seats, typed, place).map((letter) => ({ letter, cells: missingCells(ruleset, game, letter) }));
  return [...ending, ...lacking.filter(({ cells }) => cells.length)];
}

/** Where the next press goes: the first empty cell from this seat on, then from the first; null: nothing is empty. */
export function nextCell(ruleset, seats, typed, place, from = "A") {
  const lacking = missing(ruleset, seats, typed, place).filter(({ letter, cells }) => letter && cells[0] !== "ice");
  const found = lacking.find(({ letter }) => letter >= from) ?? lacking[0];
  return found ? { letter: found.letter, cell: found.cells[0] } : null;
}

/** Whether anything was pressed in this game. */
export const isUntouched = (game) => same({ ...game, starter: "" }, blankGame());

/** The first game that was not handed in; the last where all were. */
export function placeToPlay(typed, sent) {
  const place = typed.games.findIndex((game, at) => !isHandedIn(game, sent.games[at]));
  return place < 0 ? typed.games.length - 1 : place;
}

/** Whether a game was handed to the outbox as it stands here. How far it has come from there: reached.js. */
export const isHandedIn = (game, sent) => game.ended_by !== "" && same(game, sent);

/* --- Presses --------------------------------------------------------------------------------------------- */

const withGame = (typed, place, game) => ({ ...typed, games: typed.games.map((one, at) => (at === place ? game : one)) });

function withSeat(typed, place, letter, change) {
  const game = typed.games[place];
  return withGame(typed, place, { ...game, seats: { ...game.seats, [letter]: { ...game.seats[letter], ...change } } });
}

/** How it ended: "rummikub" with the letter of who went out, "pool", "time", "not_played". A second press takes it back. */
export function endBy(typed, place, how, letter = "") {
  const { ruling: _, ...game } = typed.games[place]; // of the ending that was
  const again = game.ended_by === how && (how !== "rummikub" || isOut(game, letter));
  const seats = Object.entries(game.seats).map(([one, seat]) => {
    if (how === NOT_PLAYED && !again) return [one, { ...seat, ...FIGURES, left: false }];
    if (one === letter && !again) return [one, { ...seat, ...FIGURES, tiles: "0", left: false }];
    return [one, seat.tiles === "0" ? { ...seat, tiles: "" } : seat];
  });
  return withGame(typed, place, { ...game, ended_by: again ? "" : how, seats: Object.fromEntries(seats) });
}

/** A digit of the rack value. */
export function digit(typed, place, letter, figure) {
  const { face_value: before } = typed.games[place].seats[letter];
  const value = before === "0" ? String(figure) : `${before}${figure}`;
  return value.length > LONGEST_VALUE ? typed : withSeat(typed, place, letter, { face_value: value, rack: "" });
}

/** The tile count in one press. */
export const count = (typed, place, letter, tiles) => withSeat(typed, place, letter, { tiles: String(tiles), rack: "" });

/** The last digit of a value, or the count, away. */
export function erase(typed, place, letter, cell) {
  const seat = typed.games[place].seats[letter];
  if (seat.rack) return withSeat(typed, place, letter, { rack: "", tiles: "" });
  const left = cell === "tiles" ? "" : seat[cell].slice(0, -1);
  return withSeat(typed, place, letter, { [cell]: left });
}

/** A cell from the start: a press on one that is filled. */
export const clearCell = (typed, place, letter, cell) =>
  withSeat(typed, place, letter, { [cell]: "", ...(typed.games[place].seats[letter].rack ? { rack: "", tiles: "" } : {}) });

/** Broke the ice, or did not; what was typed of an unopened rack falls with it. */
export const setOpened = (typed, place, letter, opened) =>
  withSeat(typed, place, letter, opened ? { opened, could_open: null } : { opened, face_value: "" });

/** The tiles of a rack as pressed on the board, and for an unopened one the referee's other verdict. */
export const setRack = (typed, place, letter, tiles, { opened = true, could_open = null } = {}) =>
  withSeat(typed, place, letter, { rack: tiles.join(" "), tiles: String(tiles.length), face_value: "", opened, could_open });

/** A mark of the rack, as pushed over on purpose, with the referee's count (R27); or not after all. */
export const setMark = (typed, place, letter, name, tiles) =>
  withSeat(typed, place, letter, { [name]: tiles !== null, ...(tiles === null ? {} : { tiles: String(tiles), rack: "" }) });

/** Left in this game ("left": the rack is frozen), takes no part from it on ("absent"), or plays ("") . */
export const mark = (typed, place, letter, part) =>
  withSeat(typed, place, letter, { ...(part === "absent" ? FIGURES : {}), left: part === "left", absent: part === "absent" });

/** Who started; "" where nobody noted it. */
export const setStarter = (typed, place, starter) => withGame(typed, place, { ...typed.games[place], starter });

/** What the chief judge ruled of a game that the rules leave open; "" none. */
export function setRuling(typed, place, ruling) {
  const { ruling: _, ...game } = typed.games[place];
  return withGame(typed, place, ruling ? { ...game, ruling } : game);
}

/** Who drew the highest number starts; "" where the highest was drawn twice. `drawn`: {A: 9, ...}. */
export function starterOf(drawn) {
  const most = Math.max(...Object.values(drawn));
  const highest = Object.keys(drawn).filter((letter) => drawn[letter] === most);
  return highest.length === 1 ? highest[0] : "";
}

/** The sheet without what one act has changed in it, from `before` to `after`; what was typed since then stays. */
export function taken(now, before, after) {
  const back = (value, then, put) => {
    if (value === null || typeof value !== "object" || typeof then !== "object" || typeof put !== "object") return value === put && then !== put ? then : value;
    return Array.isArray(value)
      ? value.map((part, at) => back(part, then?.[at], put?.[at]))
      : Object.fromEntries(Object.entries(value).map(([name, part]) => [name, back(part, then?.[name], put?.[name])]));
  };
  return back(now, before, after);
}
