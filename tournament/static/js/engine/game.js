/* One game's wins, points and tiles (R23-R31): repeats scoring/game. Points are whole twelfths, so that a share among up to
   four is exact; nothing is ever a fraction of a number here.

   A rack: {seat, tiles, face_value, rack, opened, could_open, pushed_over, left}; face_value, rack and could_open may be
   null or left out, opened counts as true where it is. */

import { marked, marksOf, rulingOn } from "./marks.js";
import { couldOpen } from "./opening.js";
import {
  JOKERS,
  Refusal,
  checkCopies,
  checkFace,
  faceValue,
  hasFlatValues,
  hasNumbers,
  readTiles,
  setSize,
  wholeFace,
} from "./tiles.js";

export const SEATS = ["A", "B", "C", "D"];
export const TWELFTHS = 12;
export const ENDINGS = ["rummikub", "time", "pool"];

/** How the ruleset scores a game that nobody finished: "difference", "raw", or null: it does not say. */
export const scoringOf = (ruleset, endedBy) => (endedBy === "pool" ? ruleset.pool_scoring : ruleset.time_up_scoring);

/** Score one game of 2 to 4 seats: {seats: {A: {win, points, tiles, rack_value, because}}, warnings}, points in
    twelfths. They sum to exactly 0. Throws a Refusal, at `seats[i]...` in the order of `racks`, for what cannot be. */
export function scoreGame(ruleset, endedBy, given) {
  const racks = given.map(completed);
  if (!hasNumbers(ruleset)) throw new Refusal("ruleset", "plays with letters, not with numbers");
  if (!ENDINGS.includes(endedBy)) throw new Refusal("ended_by", `must be one of ${ENDINGS.join(", ")}`);
  checkTable(racks);
  racks.forEach((rack, place) => checkRack(ruleset, rack, `seats[${place}]`));
  checkSet(ruleset, racks);
  checkEnding(endedBy, racks);
  const valued = racks.map((rack, place) => valueOf(ruleset, rack, `seats[${place}]`));
  valued.sort((one, other) => (one.seat < other.seat ? -1 : 1));
  const outcome = endedBy === "rummikub" ? wentOut(valued) : nobodyOut(ruleset, endedBy, valued);
  const seats = {};
  for (const { seat, rack, value, because } of valued) {
    seats[seat] = {
      win: outcome.wins.has(seat) ? 1 : 0,
      points: outcome.points.get(seat),
      tiles: rack.tiles,
      rack_value: value,
      because: [...(outcome.because.get(seat) ?? []), ...because],
    };
  }
  return { seats, warnings: warningsOf(ruleset, endedBy, valued, outcome) };
}

const completed = (rack) => ({
  seat: rack.seat,
  tiles: rack.tiles,
  face_value: rack.face_value ?? null,
  rack: rack.rack ?? null,
  opened: rack.opened ?? true,
  could_open: rack.could_open ?? null,
  ...marksOf(rack),
  left: rack.left ?? false,
});

const total = (numbers) => numbers.reduce((sum, number) => sum + number, 0);

/* --- What must hold -------------------------------------------------------------------------------------- */

function checkTable(racks) {
  if (racks.length < 2 || racks.length > SEATS.length) {
    throw new Refusal("seats", `must be 2 to ${SEATS.length} seats`);
  }
  const seen = new Set();
  racks.forEach(({ seat }, place) => {
    if (!SEATS.includes(seat)) throw new Refusal(`seats[${place}].seat`, `must be one of ${SEATS.join(", ")}`);
    if (seen.has(seat)) throw new Refusal(`seats[${place}].seat`, `${seat} is there twice`);
    seen.add(seat);
  });
  if (racks.filter((rack) => !rack.left).length < 2) throw new Refusal("seats", "fewer than two have not left");
}

function checkRack(ruleset, rack, where) {
  const size = setSize(ruleset);
  if (rack.tiles < 0) throw new Refusal(`${where}.tiles`, "must not be below 0");
  if (rack.tiles > size) throw new Refusal(`${where}.tiles`, `${rack.tiles} are more than the set holds (${size})`);
  if (rack.face_value !== null && rack.face_value < 0) throw new Refusal(`${where}.face_value`, "must not be below 0");
  if (rack.rack === null) {
    if (rack.face_value !== null) checkFace(ruleset, rack.face_value, rack.tiles, `${where}.face_value`);
    return;
  }
  readTiles(rack.rack, `${where}.rack`);
  if (rack.rack.length !== rack.tiles) {
    throw new Refusal(`${where}.tiles`, `${rack.tiles}, but the rack has ${rack.rack.length}`);
  }
  const faces = faceValue(ruleset, rack.rack);
  if (rack.face_value !== null && rack.face_value !== faces) {
    throw new Refusal(`${where}.face_value`, `${rack.face_value}, but the tiles of the rack make ${faces}`);
  }
}

/** No more of a tile, of all tiles and of all their faces than the set holds. */
function checkSet(ruleset, racks) {
  const shown = racks.map((rack, place) => [`seats[${place}].rack`, rack.rack]).filter(([, names]) => names !== null);
  checkCopies(ruleset, shown);
  const tiles = total(racks.map((rack) => rack.tiles));
  const size = setSize(ruleset);
  if (tiles > size) throw new Refusal("seats", `${tiles} tiles in all are more than the set holds (${size})`);
  const faces = total(racks.map((rack) => rack.face_value || faceValue(ruleset, rack.rack ?? [])));
  const whole = wholeFace(ruleset);
  if (faces > whole) throw new Refusal("seats", `${faces} in all is more than the set holds (${whole})`);
}

function checkEnding(endedBy, racks) {
  racks.forEach((rack, place) => {
    if (rack.tiles !== 0) return;
    const where = `seats[${place}].tiles`;
    if (endedBy !== "rummikub") {
      throw new Refusal(where, `0 tiles are left only where somebody went out, not by ${endedBy}`);
    }
    if (!rack.opened) throw new Refusal(where, "0 tiles cannot be unopened");
    for (const name of marked(rack)) throw new Refusal(where, `0 tiles cannot be ${name.replaceAll("_", " ")}`);
    if (rack.left) throw new Refusal(where, "0 tiles cannot be left");
  });
  const out = racks.filter((rack) => rack.tiles === 0).length;
  if (endedBy === "rummikub" && out !== 1) {
    throw new Refusal("seats", `exactly one seat goes out with 0 tiles, here ${out || "none"}`);
  }
}

/* --- R23-R27: what a rack is worth ----------------------------------------------------------------------- */

function valueOf(ruleset, rack, where) {
  const valued = (value, flat, because) => ({ seat: rack.seat, rack, value, flat, because });
  const left = rack.left ? ["left"] : [];
  // R27 before R25/R26: 200 once for a rack both unopened and pushed over.
  const ruling = rulingOn(ruleset, rack);
  if (ruling) return valued(ruling.value, true, [ruling.name, ...left]);
  if (!rack.opened && hasFlatValues(ruleset)) {
    const { able, overruled } = verdictOn(ruleset, rack, where);
    const flat = able ? ruleset.unopened_able : ruleset.unopened_unable;
    const because = [able ? "ice_able" : "ice_unable", ...(overruled ? ["could_open_overruled"] : []), ...left];
    if (flat !== null) {
      facesOf(ruleset, rack, where);
      return valued(flat, true, because);
    }
  }
  const held = rack.rack !== null && rack.rack.some((name) => JOKERS.includes(name));
  return valued(facesOf(ruleset, rack, where), false, held ? [...left, "joker_held"] : left);
}

function facesOf(ruleset, rack, where) {
  if (rack.rack !== null) return faceValue(ruleset, rack.rack);
  if (rack.face_value === null && rack.tiles > 0) throw new Refusal(`${where}.face_value`, "is missing");
  return rack.face_value ?? 0;
}

/** Whether the rack could open, and whether a referee's verdict changed what its tiles say. */
function verdictOn(ruleset, rack, where) {
  if (rack.rack === null) {
    if (rack.could_open === null) {
      throw new Refusal(`${where}.could_open`, "is missing: an unopened rack needs its tiles or the verdict");
    }
    return { able: rack.could_open, overruled: false };
  }
  const able = couldOpen(ruleset, rack.rack);
  return { able: rack.could_open ?? able, overruled: rack.could_open !== null && rack.could_open !== able };
}

/* --- R28: somebody goes out ------------------------------------------------------------------------------ */

function wentOut(valued) {
  const winner = valued.find((one) => one.rack.tiles === 0).seat;
  const points = new Map(valued.map((one) => [one.seat, 0 - one.value * TWELFTHS]));
  points.set(winner, total(valued.map((one) => one.value)) * TWELFTHS);
  return { wins: new Set([winner]), points, because: new Map([[winner, ["went_out"]]]) };
}

/* --- R29-R31: nobody out --------------------------------------------------------------------------------- */

function nobodyOut(ruleset, endedBy, valued) {
  const scoring = scoringOf(ruleset, endedBy);
  if (scoring === null) {
    throw new Refusal("ended_by", `the ruleset does not say how a game ended by ${endedBy} is scored`);
  }
  const playing = valued.filter((one) => !one.rack.left);
  const least = Math.min(...playing.map((one) => one.value));
  const lowest = playing.filter((one) => one.value === least);
  if (lowest.length > 1 && ruleset.lowest_tie === "unresolved") {
    const names = lowest.map((one) => one.seat).join(", ");
    throw new Refusal("seats", `${names} are equal lowest, and the ruleset leaves that unresolved`);
  }
  const base = scoring === "difference" ? least : 0;
  // A leaver below the lowest pays nothing, and is paid nothing.
  const others = valued.filter((one) => !lowest.includes(one));
  const points = new Map(others.map((one) => [one.seat, 0 - Math.max(0, one.value - base) * TWELFTHS]));
  const share = (0 - total([...points.values()])) / lowest.length; // whole: twelfths among up to four
  for (const one of lowest) points.set(one.seat, share);
  const fewest = Math.min(...lowest.map((one) => one.rack.tiles));
  const wins = new Set(lowest.filter((one) => one.rack.tiles === fewest).map((one) => one.seat));
  const because = new Map(
    lowest.map(({ seat }) => {
      const among = lowest.length > 1 ? [wins.has(seat) ? "fewest_tiles" : "more_tiles", "shared"] : [];
      return [seat, ["lowest_rack", ...among]];
    }),
  );
  return { wins, points, because };
}

function warningsOf(ruleset, endedBy, valued, outcome) {
  const warnings = [];
  if (valued.some(({ rack }) => !rack.opened && rack.tiles < ruleset.dealt_tiles)) warnings.push("unopened_under_14");
  if (valued.some((one) => one.flat && outcome.wins.has(one.seat))) warnings.push("flat_value_wins");
  if (endedBy !== "rummikub" && new Set(valued.map((one) => one.value)).size === 1) warnings.push("all_equal");
  return warnings;
}
