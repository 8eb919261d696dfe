/* One game as it is typed on the tablet, from what was left on the racks (R23-R31): says all that cannot be and all that is
   unusual, and has the rest scored. Repeats scoring/racks for figures that are already numbers.

   A seat: {tiles, face_value, rack, opened, could_open, pushed_over, left}; null where nobody said. A problem: {code, where,
   weight: "mend" | "look", facts}, its place counted from the game ("seats.C.tiles", "" for all of it). */

import { scoreGame, scoringOf } from "./game.js";
import { MARKS, marked, marksOf, rulingOn } from "./marks.js";
import {
  Refusal,
  TILES,
  canLieTogether,
  copiesOf,
  faceBounds,
  faceValue,
  hasFlatValues,
  jokerCount,
  jokersNeeded,
  setSize,
} from "./tiles.js";

export const USUAL_TILES = 40;
export const USUAL_VALUE = 150;

export const problem = (code, where, facts = {}, weight = "mend") => ({ code, where, weight, facts });
const look = (code, where, facts = {}) => problem(code, where, facts, "look");

/** A seat with every field there. */
export const completed = (seat = {}) => ({
  tiles: seat.tiles ?? null,
  face_value: seat.face_value ?? null,
  rack: seat.rack?.length ? seat.rack : null,
  opened: seat.opened ?? true,
  could_open: seat.could_open ?? null,
  ...marksOf(seat),
  left: seat.left ?? false,
  absent: seat.absent ?? false,
});

/** Read, judge and score one played game; `endedBy` "" where nobody said: judged, not scored. `players`: [letter, seat] in
    letter order. Gives {seats, score, problems}; score is null while something must be mended. */
export function readRacks(ruleset, endedBy, players) {
  const found = [];
  const seats = new Map(players.map(([letter, seat]) => [letter, readSeat(ruleset, letter, completed(seat), found)]));
  for (const [letter, seat] of seats) found.push(...judgeSeat(ruleset, letter, seat));
  found.push(...judgeTable(ruleset, [...seats.values()]), ...judgeEnding(ruleset, endedBy, seats));
  if (!endedBy || found.some((one) => one.weight === "mend")) return { seats, score: null, problems: found };
  const racks = [...seats].map(([seat, given]) => ({ ...given, seat, tiles: given.tiles ?? 0 }));
  try {
    const score = scoreGame(ruleset, endedBy, racks);
    return { seats, score, problems: [...found, ...judgeScore(seats, score)] };
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    return { seats, score: null, problems: [...found, refused(refusal, ruleset, [...seats.keys()])] };
  }
}

/* --- Cells ----------------------------------------------------------------------------------------------- */

function readSeat(ruleset, letter, seat, found) {
  const where = `seats.${letter}`;
  if (seat.rack !== null) {
    const unknown = seat.rack.filter((name) => !TILES.has(name) || !copiesOf(ruleset, name));
    if (unknown.length) {
      found.push(problem("no_such_tile", `${where}.rack`, { typed: unknown }));
      return { ...seat, rack: null, unreadable: true };
    }
    const [count, worth] = [seat.rack.length, faceValue(ruleset, seat.rack)];
    if (seat.tiles !== null && seat.tiles !== count) {
      found.push(problem("tiles_not_as_rack", `${where}.tiles`, { typed: seat.tiles, rack: count }));
    }
    if (seat.face_value !== null && seat.face_value !== worth) {
      found.push(problem("value_not_as_rack", `${where}.face_value`, { typed: seat.face_value, rack: worth }));
    }
    return { ...seat, tiles: count, face_value: null };
  }
  if (seat.tiles === null) found.push(problem("blank", `${where}.tiles`));
  if (seat.face_value === null && seat.tiles !== 0 && !isRuled(ruleset, seat)) {
    found.push(problem("blank", `${where}.face_value`));
  }
  return seat;
}

/** Marked under a ruleset that gives such a rack a flat value: its faces are not needed (R27). */
const isRuled = (ruleset, seat) => rulingOn(ruleset, seat) !== null;

/* --- What one seat cannot be ----------------------------------------------------------------------------- */

function judgeSeat(ruleset, letter, seat) {
  const where = `seats.${letter}`;
  const { tiles } = seat;
  if (tiles === 0) return judgeEmptyRack(where, seat);
  const found = [];
  if (tiles !== null && tiles > USUAL_TILES) {
    found.push(look("many_tiles", `${where}.tiles`, { tiles, usual: USUAL_TILES }));
  }
  if (tiles !== null && !seat.opened && tiles < ruleset.dealt_tiles) {
    found.push(problem("unopened_under_14", `${where}.tiles`, { tiles }, isRuled(ruleset, seat) ? "look" : "mend"));
  }
  const asked = hasFlatValues(ruleset) && !seat.opened && !isRuled(ruleset, seat);
  if (asked && seat.rack === null && !seat.unreadable && seat.could_open === null) {
    found.push(problem("could_open_missing", `${where}.could_open`));
  }
  return [...found, ...judgeValue(ruleset, where, seat)];
}

function judgeEmptyRack(where, seat) {
  const found = [];
  if (seat.face_value) {
    const facts = { value: seat.face_value, tiles: 0, least: 0, greatest: 0 };
    found.push(problem("value_impossible", `${where}.face_value`, facts));
  }
  if (!seat.opened) found.push(problem("out_not_opened", `${where}.opened`));
  for (const name of marked(seat)) found.push(problem(`out_${name}`, `${where}.${name}`));
  if (seat.left) found.push(problem("leaver_out", `${where}.tiles`));
  return found;
}

function judgeValue(ruleset, where, seat) {
  const shown = seat.rack !== null;
  const value = shown ? faceValue(ruleset, seat.rack) : seat.face_value;
  const place = `${where}.${shown ? "rack" : "face_value"}`;
  if (value === null || seat.tiles === null) return [];
  if (jokersNeeded(ruleset, value, seat.tiles) === null) {
    const [least, greatest] = faceBounds(ruleset, seat.tiles);
    return [problem("value_impossible", place, { value, tiles: seat.tiles, least, greatest })];
  }
  return shown || !seat.opened || isRuled(ruleset, seat) ? [] : describeFace(ruleset, value, seat.tiles, place);
}

/** What is unusual about a possible sum of faces. */
function describeFace(ruleset, value, tiles, where) {
  const found = [];
  const needed = jokersNeeded(ruleset, value, tiles);
  if (needed > 1 && needed === jokerCount(ruleset)) found.push(look("both_jokers", where, { value, tiles }));
  const flat = value === ruleset.unopened_unable || value === ruleset.unopened_able;
  if (value > USUAL_VALUE && !flat) found.push(look("high_value", where, { value, usual: USUAL_VALUE }));
  return found;
}

/* --- What the table cannot be ---------------------------------------------------------------------------- */

function judgeTable(ruleset, seats) {
  const found = [];
  const copies = new Map();
  for (const name of seats.flatMap((seat) => seat.rack ?? [])) copies.set(name, (copies.get(name) ?? 0) + 1);
  for (const [tile, count] of copies) {
    const most = copiesOf(ruleset, tile);
    if (count > most) found.push(problem("copies_beyond_set", "", { tile, copies: count, most }));
  }
  const tiles = seats.reduce((sum, seat) => sum + (seat.tiles ?? 0), 0);
  if (tiles > setSize(ruleset)) found.push(problem("too_many_tiles", "", { tiles, most: setSize(ruleset) }));
  const racks = seats
    .map((seat) => [seat.rack !== null ? faceValue(ruleset, seat.rack) : seat.face_value, seat.tiles])
    .filter(([value, count]) => value !== null && count && jokersNeeded(ruleset, value, count) !== null);
  return [...found, ...judgeTogether(ruleset, racks)];
}

/** Whether one set holds these racks [value, tiles], each possible alone, side by side. */
function judgeTogether(ruleset, racks) {
  const jokers = racks.reduce((sum, [value, tiles]) => sum + jokersNeeded(ruleset, value, tiles), 0);
  const most = jokerCount(ruleset);
  if (jokers > most) return [problem("jokers_beyond_set", "", { jokers, most })];
  const value = racks.reduce((sum, rack) => sum + rack[0], 0);
  const tiles = racks.reduce((sum, rack) => sum + rack[1], 0);
  if (canLieTogether(ruleset, racks) || tiles > setSize(ruleset)) return [];
  const [least, greatest] = faceBounds(ruleset, tiles);
  return [problem("racks_beyond_set", "", { value, tiles, least, greatest })];
}

function judgeEnding(ruleset, endedBy, seats) {
  const out = [...seats].filter(([, seat]) => seat.tiles === 0 && !seat.left).map(([letter]) => letter);
  if (!endedBy) {
    const fits = out.length === 1 ? ["rummikub"] : out.length ? [] : ["pool", "time"];
    return [problem("ending_missing", "ended_by", { fits })];
  }
  if (endedBy === "rummikub") {
    if (out.length > 1) return out.map((letter) => problem("several_out", `seats.${letter}.tiles`, { out }));
    const known = [...seats.values()].every((seat) => seat.tiles !== null);
    return !out.length && known ? [problem("nobody_out", "", { fits: ["pool", "time"] })] : [];
  }
  const fits = out.length === 1 ? ["rummikub"] : [];
  const found = out.map((letter) => problem("somebody_out", `seats.${letter}.tiles`, { ended_by: endedBy, fits }));
  if (scoringOf(ruleset, endedBy) === null) {
    found.push(problem("ending_not_in_ruleset", "ended_by", { ended_by: endedBy }));
  }
  return found;
}

/* --- The score ------------------------------------------------------------------------------------------- */

/** A refusal of the scoring, at its own cell: `seats[1].tiles` of the second who takes part. */
function refused(refusal, ruleset, letters) {
  let where = refusal.where.replace(/^seats\[(\d+)\]/, (_, place) => `seats.${letters[Number(place)]}`);
  where = where.replace(/\[\d+\]$/, "");
  if (where === "seats" || where === "ruleset") where = "";
  const tie = !where && ruleset.lowest_tie === "unresolved";
  return problem(tie ? "lowest_tie_unresolved" : "refused", where, { why: refusal.why });
}

function judgeScore(seats, score) {
  const found = [];
  for (const [letter, seat] of seats) {
    const { win, because, rack_value: value } = score.seats[letter];
    const flat = ["ice_able", "ice_unable", ...MARKS].some((why) => because.includes(why));
    if (win && flat && score.warnings.includes("flat_value_wins")) {
      found.push(look("flat_value_wins", `seats.${letter}.${seat.rack !== null ? "rack" : "face_value"}`, { value }));
    }
    if (because.includes("could_open_overruled")) {
      const worked_out = because.includes("ice_able") ? "no" : "yes";
      found.push(look("could_open_overruled", `seats.${letter}.could_open`, { worked_out }));
    }
  }
  if (score.warnings.includes("all_equal")) found.push(look("all_equal", ""));
  return found;
}
