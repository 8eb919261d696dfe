/* A sheet as it is typed on the tablet: everything wrong with its games, all at once, their totals, and who starts next
   (R28-R31, R62). Repeats scoring/attendance and scoring/sheet for the rack form.

   An entry: {seats: ["A", ...] seated and present, leavers: ["C"], games: [{ended_by, starter, ruling, seats: {A: seat}}]};
   `ended_by` "" where nobody said, `ruling` left out where there is none; a seat as racks.js has it, with `absent`. */

import { SEATS } from "./game.js";
import { MARKS } from "./marks.js";
import { completed, problem, readRacks } from "./racks.js";
import { applyRuling, askForRuling, judgeRuling, rulingsLeftOpen } from "./rulings.js";

const ENDINGS = ["rummikub", "pool", "time"];
const LEAST_PLAYERS = 2;
const CELLS = ["rack", "face_value", "tiles"];
const FIELDS = ["absent", "left", "rack", "face_value", "tiles", "opened", "could_open", ...MARKS];

const look = (code, where, facts = {}) => problem(code, where, facts, "look");
const empty = () => completed();
const seatOf = (game, letter) => completed(game.seats?.[letter]);
const isUntouched = (game) =>
  !ENDINGS.includes(game.ended_by) &&
  Object.values(game.seats ?? {}).every((seat) => CELLS.every((cell) => completed(seat)[cell] === null));

/** Judge a sheet: {games: [{ended_by, starter, seats: {A: {win, points, tiles, rack_value, ...}}}], totals: {A: {wins, points,
    tiles}}, problems}. Points in twelfths; null where a figure could not be worked out. */
export function checkSheet(ruleset, entry) {
  const { players, problems } = attend(entry);
  const found = [...judgeCount(ruleset, entry), ...problems];
  const games = entry.games.map((game, place) => {
    const { ended_by: endedBy, ruling = "" } = game;
    const { read, faults } = readGame(applyRuling(ruleset, endedBy, ruling), game, players[place]);
    found.push(...atGame(place, askForRuling(ruleset, endedBy, ruling, faults)));
    return { ...read, ruling: rulingsLeftOpen(ruleset, read.ended_by).includes(ruling) ? ruling : "" };
  });
  games.forEach((game, place) => {
    found.push(...atGame(place, judgeRuling(ruleset, game.ended_by, entry.games[place].ruling ?? "", seatsTied(game))));
    found.push(...atGame(place, judgeStarter(entry.games[place].starter, games.slice(0, place), game)));
  });
  found.push(...judgeOrder(ruleset, entry, games), ...judgeSameness(games));
  const letters = SEATS.filter((letter) => entry.seats.includes(letter) || games.some((game) => letter in game.seats));
  const totals = Object.fromEntries(letters.map((letter) => [letter, totalOf(games, letter)]));
  return { games, totals, problems: inOrder(found) };
}

/** Who starts the game after these, as `checkSheet` read them: the last winner, or all joint winners, among whom the
    numbers are drawn again; [] where they are drawn by everybody. */
export function startersNext(games) {
  const last = games.filter((game) => game.ended_by !== "not_played").at(-1);
  return last ? Object.keys(last.seats).filter((letter) => last.seats[letter].win === 1) : [];
}

/* --- Who takes part -------------------------------------------------------------------------------------- */

/** For each game who takes part, as [letter, seat], and the problems. */
function attend(entry) {
  const [players, problems, gone] = [[], [], new Map()];
  entry.games.forEach((game, place) => {
    if (game.ended_by === "not_played") {
      problems.push(...judgeNotPlayed(place, game));
      players.push([]);
      return;
    }
    const present = [];
    for (const letter of SEATS) {
      const seat = seatOf(game, letter);
      problems.push(...judgePresence(entry, letter, seat, `games[${place}].seats.${letter}`, gone.get(letter)));
      if (takesPart(entry, letter, seat, gone.has(letter))) present.push([letter, { ...seat, absent: false }]);
      if (!gone.has(letter) && (seat.absent || seat.left)) gone.set(letter, place);
    }
    const staying = present.filter(([, seat]) => !seat.left).length;
    if (staying < LEAST_PLAYERS) problems.push(problem("too_few_players", `games[${place}]`, { players: staying }));
    players.push(present);
  });
  return { players, problems: [...problems, ...judgeLeavers(entry, gone)] };
}

/** The first cell with a figure other than 0; null where the seat has none. */
function firstFilled(seat) {
  const name = CELLS.find((cell) => seat[cell] !== null && seat[cell] !== 0);
  if (!name) return null;
  return [name, name === "rack" ? seat.rack.join(" ") : String(seat[name])];
}

function takesPart(entry, letter, seat, isGone) {
  if (seat.absent) return false;
  const seated = entry.seats.includes(letter);
  if (seated && !isGone) return true;
  const filled = (seated || entry.leavers.includes(letter)) && firstFilled(seat) !== null;
  return isGone ? filled : seat.left || filled;
}

function judgePresence(entry, letter, seat, where, goneIn) {
  const found = [];
  const filled = firstFilled(seat);
  const leaver = entry.leavers.includes(letter);
  const mayGo = leaver || !entry.seats.includes(letter);
  const isGone = goneIn !== undefined;
  if (seat.left && seat.absent) found.push(problem("left_and_absent", `${where}.left`));
  else if (!mayGo && !isGone && (seat.left || seat.absent)) {
    found.push(problem("not_recorded_as_left", `${where}.${seat.left ? "left" : "absent"}`));
  }
  if (seat.absent && filled) found.push(problem("absent_filled", `${where}.${filled[0]}`, { typed: filled[1] }));
  else if (!seat.absent && isGone && (filled || seat.left)) {
    found.push(problem("plays_after_leaving", `${where}.absent`, { earlier: goneIn + 1 }));
  } else if (!seat.absent && mayGo && !leaver && !seat.left && filled) {
    found.push(problem("empty_seat_filled", `${where}.${filled[0]}`, { typed: filled[1] }));
  }
  return found;
}

function judgeNotPlayed(place, game) {
  for (const letter of SEATS) {
    const filled = firstFilled(seatOf(game, letter));
    if (filled) {
      return [problem("not_played_filled", `games[${place}].seats.${letter}.${filled[0]}`, { typed: filled[1] })];
    }
  }
  return [];
}

/** Recorded as having left, and yet there in every game: perhaps the game of leaving was not marked. */
function judgeLeavers(entry, gone) {
  const all = entry.games.length > 0 && entry.games.every((game) => ENDINGS.includes(game.ended_by));
  const staying = SEATS.filter((letter) => entry.leavers.includes(letter) && entry.seats.includes(letter));
  return all ? staying.filter((letter) => !gone.has(letter)).map((letter) => look("leaver_played_all", `totals.${letter}`)) : [];
}

/* --- One game -------------------------------------------------------------------------------------------- */

const unread = (more = {}) => ({ ...empty(), win: null, points: null, rack_value: null, because: [], ...more });

function readGame(ruleset, game, players) {
  if (game.ended_by === "not_played") return { read: { ended_by: "not_played", starter: "", seats: {} }, faults: [] };
  const endedBy = game.ended_by ?? "";
  const starter = SEATS.includes(game.starter) ? game.starter : "";
  const absent = Object.entries(game.seats ?? {}).filter(([, seat]) => seat.absent);
  const away = Object.fromEntries(absent.map(([letter]) => [letter, unread({ absent: true })]));
  const blank = Object.fromEntries(players.map(([letter]) => [letter, unread()]));
  const unscored = (faults) => ({ read: { ended_by: endedBy, starter, seats: sorted({ ...blank, ...away }) }, faults });
  if (isUntouched(game)) return unscored([problem("ending_missing", "ended_by", { fits: [] })]);
  if (players.filter(([, seat]) => !seat.left).length < LEAST_PLAYERS) return unscored([]);
  const racks = readRacks(ruleset, endedBy, players);
  const seats = Object.fromEntries([...racks.seats].map(([letter, seat]) => [letter, readSeat(letter, seat, racks.score)]));
  return { read: { ended_by: endedBy, starter, seats: sorted({ ...seats, ...away }) }, faults: racks.problems };
}

function readSeat(letter, seat, score) {
  const scored = score ? score.seats[letter] : { win: null, points: null, rack_value: null, because: [] };
  return unread({ ...seat, win: scored.win, points: scored.points, rack_value: scored.rack_value, because: scored.because });
}

const sorted = (seats) => Object.fromEntries(SEATS.filter((letter) => letter in seats).map((letter) => [letter, seats[letter]]));

/** The seats that share the lowest rack of a game that nobody finished, [] where one has it alone; null: unknown. */
function seatsTied(game) {
  const playing = Object.entries(game.seats).filter(([, seat]) => !seat.absent);
  if (playing.some(([, seat]) => seat.points === null)) return null;
  const staying = playing.filter(([, seat]) => !seat.left);
  const above = staying.filter(([, seat]) => seat.points > 0);
  const equal = playing.every(([, seat]) => seat.points === 0) ? staying : [];
  const lowest = above.length ? above : equal;
  return lowest.length > 1 ? lowest.map(([letter]) => letter) : [];
}

/* --- The games side by side ------------------------------------------------------------------------------ */

function judgeCount(ruleset, entry) {
  const given = entry.games.length;
  const expected = ruleset.games ?? Math.max(1, given);
  return given === expected ? [] : [problem("games_count", "games", { given, expected })];
}

/** A game cut off by the clock is the last; what is not played comes after what is (R31). */
function judgeOrder(ruleset, entry, games) {
  const found = [];
  const played = entry.games.map((game) => game.ended_by !== "not_played" && !isUntouched(game));
  games.forEach((game, place) => {
    const later = played.findIndex((is, other) => is && other > place);
    if (later < 0) return;
    if (game.ended_by === "not_played") {
      found.push(problem("played_after_not_played", `games[${place}]`, { later: later + 1 }));
    }
    if (game.ended_by === "time" && ruleset.minutes !== null) {
      found.push(problem("played_after_time", `games[${later}].ended_by`, { earlier: place + 1 }));
    }
  });
  if (games.length && games.every((game) => game.ended_by === "not_played")) found.push(look("nothing_played", "games"));
  return found;
}

/** The very figures of an earlier game: perhaps one row was typed twice. */
function judgeSameness(games) {
  const [found, seen] = [[], new Map()];
  games.forEach((game, place) => {
    const rows = Object.entries(game.seats).map(([letter, { win, points, tiles }]) => [letter, win, points, tiles]);
    if (game.ended_by === "" || game.ended_by === "not_played" || rows.some((row) => row.includes(null))) return;
    const figures = JSON.stringify(rows);
    if (seen.has(figures)) found.push(look("same_as_game", `games[${place}]`, { earlier: seen.get(figures) + 1 }));
    else seen.set(figures, place);
  });
  return found;
}

/** The last game's winner starts; after a joint win one of the winners. */
function judgeStarter(typed, before, game) {
  if (!typed || game.ended_by === "not_played") return [];
  const players = Object.keys(game.seats).filter((letter) => !game.seats[letter].absent);
  const winners = startersNext(before).filter((letter) => players.includes(letter));
  const starter = game.starter;
  if (!starter) return [problem("unreadable", "starter", { typed })];
  if (!players.includes(starter)) return [problem("starter_not_playing", "starter", { starter })];
  if (winners.length && !winners.includes(starter)) return [look("starter_not_winner", "starter", { starter, winners })];
  return [];
}

/** What the games of one seat come to: a game not played or without this seat counts 0, 0, 0; null: unknown. */
function totalOf(games, letter) {
  const taking = games.map((game) => game.seats[letter]).filter((seat) => seat && !seat.absent);
  const sum = (cell) =>
    taking.some((seat) => seat[cell] === null) ? null : taking.reduce((so_far, seat) => so_far + seat[cell], 0);
  return { wins: sum("win"), points: sum("points"), tiles: sum("tiles") };
}

/* --- In the order of the sheet --------------------------------------------------------------------------- */

const atGame = (place, found) =>
  found.map((one) => ({ ...one, where: one.where ? `games[${place}].${one.where}` : `games[${place}]` }));

/** Rows from the top, in a row its head, its cells from the left, then what concerns all of it; totals last. */
function placeOnSheet(where) {
  const found = /^(games|totals)(?:\[(\d+)\])?(?:\.(?:seats\.)?([A-D])(?:\.(\w+))?|\.(\w+))?$/.exec(where);
  if (!found) return [2, 0, 0, "", 0];
  const [, part, row, letter, field, head] = found;
  const inRow = head || (row === undefined && letter === undefined) ? 0 : letter ? 1 : 2;
  const nth = row === undefined ? -1 : Number(row);
  return [part === "totals" ? 1 : 0, nth, inRow, letter ?? head ?? "", field ? FIELDS.indexOf(field) : -1];
}

function inOrder(found) {
  const placed = found.map((one) => [placeOnSheet(one.where), one]);
  placed.sort(([one], [other]) => {
    const at = one.findIndex((key, place) => key !== other[place]);
    return at < 0 ? 0 : one[at] < other[at] ? -1 : 1;
  });
  return placed.map(([, one]) => one);
}
