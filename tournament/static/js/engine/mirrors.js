/* The mirror sets that a rack with Twist's jokers may lay, in the form of columns.js (R82, R83): repeats
   scoring/mirror_columns, in its order. The reasoning why no set is left out stands there. */

import { SHORTEST } from "./readings.js";
import { COLOURS, HIGHEST } from "./tiles.js";

const GROUP_TILES = 2 * SHORTEST - 2; // so many beside the mirror of a group; of more, one side has three
const GROUP_SIDE = 3;
const LONGEST_SIDE = 3;
const MORE_FOR_A_DOUBLE = 2;

const countUp = (first, last) => Array.from({ length: last - first + 1 }, (_, at) => first + at);

const sum = (numbers) => numbers.reduce((all, number) => all + number, 0);

export function* mirrorSets(held) {
  for (const number of countUp(1, HIGHEST)) yield* mirrorGroups(held, number);
  for (const letter of COLOURS) for (const step of [-1, 1]) yield* mirrorRuns(held, letter, step);
}

/* --- Groups ---------------------------------------------------------------------------------------------- */

/** About a mirror of this number: each tile up to twice, once a side; then jokers, then doubles. */
function* mirrorGroups(held, number) {
  for (const copies of copiesLaid(held, number)) {
    const named = (many) => COLOURS.filter((_, at) => copies[at] === many).map((letter) => `${letter}${number}`);
    const [once, twice] = [named(1), named(2)];
    for (const jokers of countUp(0, Math.min(GROUP_TILES, held("J")))) {
      for (const doubles of countUp(0, Math.min(2, held("JD")))) {
        const tiles = sum(copies) + jokers + doubles;
        if (tiles > GROUP_TILES) continue;
        const sides = partGroup(twice, [...once, ...new Array(jokers).fill("J")], doubles, tiles + doubles);
        if (sides === null) continue;
        const names = [...sides[0], "JM", ...sides[1]];
        yield { names, value: number * (tiles + doubles + 1), lowest: number, anyOrder: false };
      }
    }
  }
}

/** How many of each colour may be laid, none to two, in every way. */
const copiesLaid = (held, number) =>
  COLOURS.reduce(
    (ways, letter) => ways.flatMap((way) => countUp(0, Math.min(2, held(`${letter}${number}`))).map((many) => [...way, many])),
    [[]],
  );

/** The tiles of both sides, none shorter by more than a place; null where they cannot be. */
function partGroup(twice, once, doubles, width) {
  const left = Math.floor((width + 1) / 2);
  const room = [left - (doubles > 0 ? 2 : 0), width - left - (doubles > 1 ? 2 : 0)];
  if (left > GROUP_SIDE || width < 2 || Math.min(...room) < twice.length) return null;
  if (doubles === 1 && room[1] === 0) return null;
  const parted = room[0] - twice.length;
  const sides = [[...twice, ...once.slice(0, parted)], [...twice, ...once.slice(parted)]];
  for (let side = 0; side < doubles; side += 1) sides[side].push("JD");
  return sides;
}

/* --- Runs ------------------------------------------------------------------------------------------------ */

/** Numbers that fall or rise away from the mirror by one a place; the right side may be longer by one. */
function* mirrorRuns(held, letter, step) {
  for (const { tiles, short, long } of runShapes(held("JD"))) {
    for (let mirror = HIGHEST; mirror >= 1; mirror -= 1) {
      const last = mirror + step * long;
      if (last < 1 || last > HIGHEST) continue;
      const names = tiles.map(([far, copy]) => {
        if (!far) return "JM";
        const name = `${letter}${mirror + step * far}`;
        if (copy < 0) return "JD";
        return held(name) > copy ? name : "J";
      });
      if (names.filter((name) => name === "J").length > held("J")) continue;
      const value = mirror * (1 + short + long) + (step * (short * (short + 1) + long * (long + 1))) / 2;
      yield { names, value, lowest: Math.min(mirror, last), anyOrder: false };
    }
  }
}

const memory = new Map();

/** The shapes of mirror sets of a run, of whatever numbers: for each tile as it lies how far from the mirror its place is
    and whether the copy is the first of its number, 0, or the second, 1 (-1: a double), the mirror itself in place 0; and
    how many places lie on either side. One shape for all that need the same tiles; none that falls apart. */
function runShapes(doubles) {
  if (!memory.has(doubles)) {
    const found = new Map();
    for (const short of countUp(1, LONGEST_SIDE + MORE_FOR_A_DOUBLE * doubles)) {
      for (const long of [short, short + 1]) {
        for (const [left, right] of sidesWithDoubles(short, long, doubles)) {
          const tiles = layShape(left, right);
          const key = tiles.map(String).sort().join(" ");
          if (!found.has(key)) found.set(key, { tiles, short, long });
        }
      }
    }
    memory.set(doubles, [...found.values()]);
  }
  return memory.get(doubles);
}

function sidesWithDoubles(short, long, doubles) {
  if (long >= HIGHEST) return [];
  const rights = waysToDouble(long, doubles);
  const pairs = waysToDouble(short, doubles).flatMap((left) => rights.map((right) => [left, right]));
  const enough = (sides) => sides.flat().filter((width) => width === 2).length <= doubles;
  return pairs.filter((sides) => enough(sides) && !fallsApart(...sides));
}

/** The tiles of both sides, given by their widths outwards. */
function layShape(left, right) {
  const alone = new Set();
  const laid = (widths) => {
    let next = 1;
    const side = widths.map((width) => {
      const far = next;
      next += width;
      return [far, width === 2 ? -1 : Number(alone.has(far))];
    });
    for (const [far, copy] of side) if (copy >= 0) alone.add(far);
    return side;
  };
  const nearLeft = laid(left);
  return [...nearLeft.reverse(), [0, 0], ...laid(right)];
}

/** Whether both sides can be cut so that three tiles or more, or none, fall off each. */
function fallsApart(left, right) {
  const cut = (rest) => rest === 0 || rest >= SHORTEST;
  return countUp(1, left.length).some((first) =>
    countUp(1, right.length).some(
      (second) =>
        Math.abs(sum(left.slice(0, first)) - sum(right.slice(0, second))) <= 1 &&
        (first < left.length || second < right.length) &&
        cut(left.length - first) &&
        cut(right.length - second),
    ),
  );
}

/** The widths of the tiles of a side that come to so many places with up to so many doubles. */
function waysToDouble(places, doubles) {
  if (places === 0) return [[]];
  const ways = waysToDouble(places - 1, doubles).map((rest) => [1, ...rest]);
  if (doubles && places > 1) ways.push(...waysToDouble(places - 2, doubles - 1).map((rest) => [2, ...rest]));
  return ways;
}
