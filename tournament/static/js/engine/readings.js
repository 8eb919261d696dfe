/* Every way in which a set with jokers of any kind can be read: as a run, as a group, about its mirror (R80-R84): repeats
   scoring/set_readings. A tile takes one place, a double two. What a set lacks to be of a kind is said in sets.js; here a
   reading is there or it is not. A reading: {kind, value, stands_for}, the last by the place of each joker in the set, a
   double's two tiles one after the other, colour by colour. */

import { COLOURS, HIGHEST } from "./tiles.js";

export const SHORTEST = 3;
const MIRROR_GROUP_SIDE = 3;
const ALL_COLOURS = COLOURS.map((_, colour) => colour);
// By how much the numbers of a mirror set change with each place outwards.
const [FALLING, RISING, STAYING] = [-1, 1, 0];

/** Every reading, best first: the highest value, then the run. None: no legal set. Without any numbered tile a kind is
    read at the highest numbers it can have. */
export function readEveryWay(tiles) {
  if (tiles.length < SHORTEST) return [];
  const mirrored = tiles.some((tile) => tile.name === "JM");
  const found = mirrored ? mirrorReadings(tiles) : [runReading(tiles), groupReading(tiles)];
  const rank = (reading) => (reading.kind === "run" ? 0 : 1);
  return found
    .filter((reading) => reading !== null)
    .sort((one, other) => other.value - one.value || rank(one) - rank(other));
}

/** Whether one side of a legal mirror set goes on by one place more than the other (R83). */
export function isOutOfBalance(tiles) {
  const [left, right] = sides(tiles);
  return widthOf(left) !== widthOf(right);
}

/** How many places a tile takes (R80). */
export const tileWidth = (tile) => (tile.name === "JD" ? 2 : 1);

/** For each tile of a run the colours it may have, colour-change jokers included (R81). Null where the colours of the
    stretches are no run's. A stretch without a numbered tile may be of any colour. */
export function stretchColours(tiles) {
  const known = knownColours(tiles);
  const same = (at) => known[at - 1].size && known[at].size && [...known[at]][0] === [...known[at - 1]][0];
  if (known.some((colours, at) => colours.size > 1 || (at && same(at)))) return null;
  let stretch = 0;
  return tiles.map((tile) => {
    if (tile.name !== "JC") return known[stretch].size ? [...known[stretch]] : ALL_COLOURS;
    stretch += 1;
    const beside = [...known[stretch - 1], ...known[stretch]];
    if (beside.length === 2) return beside.sort((one, other) => one - other);
    return ALL_COLOURS.filter((colour) => !beside.includes(colour));
  });
}

/** The colours of the numbered tiles of each stretch. */
function knownColours(tiles) {
  const known = [new Set()];
  for (const tile of tiles) {
    if (tile.name === "JC") known.push(new Set());
    else if (tile.number) known.at(-1).add(tile.colour);
  }
  return known;
}

/* --- Runs and groups ------------------------------------------------------------------------------------- */

/** Each tile with its place in the set as written, and how many places lie before it (in a side of a mirror set:
    between it and the mirror, which is 0 itself). */
function placed(tiles, firstOffset = 0, places = tiles.map((_, place) => place)) {
  let offset = firstOffset;
  return tiles.map((tile, at) => {
    const one = { place: places[at], tile, offset };
    offset += tileWidth(tile);
    return one;
  });
}

const widthOf = (those) => those.reduce((sum, one) => sum + tileWidth(one.tile), 0);

const namesOf = (colours, numbers) =>
  colours.flatMap((colour) => numbers.map((number) => `${COLOURS[colour]}${number}`));

const countUp = (first, many) => Array.from({ length: many }, (_, at) => first + at);

const total = (numbers) => numbers.reduce((sum, number) => sum + number, 0);

const distinct = (values) => [...new Set(values)];

const numbered = (those) => those.filter((one) => one.tile.number);

const jokersOf = (those) => those.filter((one) => !one.tile.number);

function runReading(tiles) {
  const those = placed(tiles);
  const width = widthOf(those);
  const starts = distinct(numbered(those).map((one) => one.tile.number - one.offset));
  const colours = stretchColours(tiles);
  if (starts.length > 1 || colours === null) return null;
  const lowest = starts[0] ?? HIGHEST + 1 - width;
  if (lowest < 1 || lowest + width - 1 > HIGHEST) return null;
  const standsFor = {};
  for (const { place, tile, offset } of jokersOf(those)) {
    standsFor[place] = namesOf(colours[place], countUp(lowest + offset, tileWidth(tile)));
  }
  return { kind: "run", value: total(countUp(lowest, width)), stands_for: standsFor };
}

function groupReading(tiles) {
  const those = placed(tiles);
  const numbers = distinct(numbered(those).map((one) => one.tile.number));
  const missing = missingColours(those);
  const width = widthOf(those);
  if (numbers.length > 1 || missing === null || width > COLOURS.length) return null;
  if (tiles.some((tile) => tile.name === "JC")) return null;
  const number = numbers[0] ?? HIGHEST;
  const standsFor = {};
  for (const { place } of jokersOf(those)) standsFor[place] = namesOf(missing, [number]);
  return { kind: "group", value: number * width, stands_for: standsFor };
}

/** The colours that no numbered tile has; null where two have the same. */
function missingColours(those) {
  const colours = numbered(those).map((one) => one.tile.colour);
  if (distinct(colours).length < colours.length) return null;
  return ALL_COLOURS.filter((colour) => !colours.includes(colour));
}

/* --- Mirror sets ----------------------------------------------------------------------------------------- */

/** What lies left and right of the first mirror, outwards; the place beside the mirror is 1. */
function sides(tiles) {
  const mirror = tiles.findIndex((tile) => tile.name === "JM");
  const left = tiles.slice(0, mirror).reverse();
  const right = tiles.slice(mirror + 1);
  return [
    placed(left, 1, left.map((_, at) => mirror - 1 - at)),
    placed(right, 1, right.map((_, at) => mirror + 1 + at)),
  ];
}

function mirrorReadings(tiles) {
  const [left, right] = sides(tiles);
  const mirrors = tiles.filter((tile) => tile.name === "JM").length;
  const broken = !left.length || !right.length || mirrors > 1 || tiles.some((tile) => tile.name === "JC");
  if (broken || Math.abs(widthOf(left) - widthOf(right)) > 1) return [];
  return [FALLING, RISING, STAYING].map((step) => mirrorReading(left, right, step));
}

function mirrorReading(left, right, step) {
  const longest = Math.max(widthOf(left), widthOf(right));
  const atMirror = distinct(numbered([...left, ...right]).map((one) => one.tile.number - step * one.offset));
  if (atMirror.length > 1) return null;
  const mirror = atMirror[0] ?? HIGHEST - (step === RISING ? longest : 0);
  const inBounds = (number) => number >= 1 && number <= HIGHEST;
  if (!inBounds(mirror) || !inBounds(mirror + step * longest)) return null;
  return step === STAYING ? mirrorGroup(left, right, mirror) : mirrorRun(left, right, mirror, step);
}

function mirrorRun(left, right, mirror, step) {
  const known = distinct(numbered([...left, ...right]).map((one) => one.tile.colour));
  if (known.length > 1) return null;
  const colours = known.length ? known : ALL_COLOURS;
  const standsFor = { [left[0].place + 1]: namesOf(colours, [mirror]) };
  let value = mirror;
  for (const { place, tile, offset } of [...left, ...right]) {
    const numbers = countUp(0, tileWidth(tile)).map((more) => mirror + step * (offset + more));
    value += total(numbers);
    if (!tile.number) standsFor[place] = namesOf(colours, numbers);
  }
  return { kind: "run", value, stands_for: standsFor };
}

/** The mirror stands for a colour that its left side lacks, another joker for one that its own side lacks. */
function mirrorGroup(left, right, number) {
  const lacking = [missingColours(left), missingColours(right)];
  const [width, other] = [widthOf(left), widthOf(right)];
  if (lacking.includes(null) || Math.max(width, other) > MIRROR_GROUP_SIDE) return null;
  const standsFor = { [left[0].place + 1]: namesOf(lacking[0], [number]) };
  [left, right].forEach((side, at) => {
    for (const { place } of jokersOf(side)) standsFor[place] = namesOf(lacking[at], [number]);
  });
  return { kind: "group", value: number * (width + other + 1), stands_for: standsFor };
}
