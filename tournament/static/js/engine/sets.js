/* Is it a run, is it a group, what is it worth, and what do its jokers stand for: repeats scoring/sets. Sets with Twist's
   jokers are read by readings.js (R80-R84). */

import { SHORTEST, isOutOfBalance, readEveryWay, stretchColours, tileWidth } from "./readings.js";
import { COLOURS, HIGHEST, SPECIAL_JOKERS, readTilesOfBox } from "./tiles.js";

const illegal = (...because) => ({ legal: false, kind: null, value: 0, stands_for: {}, because, unbalanced: null });
const legal = (kind, value, stands_for, unbalanced = null) => ({ legal: true, kind, value, stands_for, because: [], unbalanced });

/** One set judged; a run is given in ascending order. Legal: `kind`, `value` and by the place of each joker the tiles
    it may stand for. Illegal: `because`, all that is wrong. Of several readings the highest value counts, then the run.
    `unbalanced` is null without a mirror. Throws a Refusal only for what is no tile of the box. */
export const judgeSet = (ruleset, names, where = "set") => judgeTiles(readTilesOfBox(ruleset, names, where));

/** Every reading of a set, best first (R88); none for what is no legal set. Throws a Refusal as judgeSet does. */
export const setReadings = (ruleset, names, where = "set") => readEveryWay(readTilesOfBox(ruleset, names, where));

/** Judge one set of tiles of any kind. */
export function judgeTiles(tiles) {
  if (tiles.length < SHORTEST) return illegal("too_short");
  if (tiles.some((tile) => SPECIAL_JOKERS.has(tile.name))) return judgeSpecial(tiles);
  const [run, group] = [asRun(tiles), asGroup(tiles)];
  if (run.legal && run.value >= group.value) return run;
  if (group.legal) return group;
  if (isOneNumber(tiles)) return group;
  return isOneColour(tiles) ? run : illegal("mixed");
}

const distinctOf = (tiles, property) => new Set(tiles.filter((tile) => tile.number).map((tile) => tile[property]));
const isOneNumber = (tiles) => distinctOf(tiles, "number").size <= 1;
const isOneColour = (tiles) => distinctOf(tiles, "colour").size === 1;

/** A set with a special joker, by the best of its readings. */
function judgeSpecial(tiles) {
  const [best] = readEveryWay(tiles);
  if (!best) return illegal(...specialFaults(tiles));
  const mirrored = tiles.some((tile) => tile.name === "JM");
  return legal(best.kind, best.value, best.stands_for, mirrored ? isOutOfBalance(tiles) : null);
}

/** What is wrong with an illegal set of three tiles or more: the plain codes, each double as its two places. What only
    mirror or colours break is mixed; a colour-change joker lies in runs alone. */
function specialFaults(tiles) {
  const kinds = new Set(tiles.map((tile) => tile.name));
  if (kinds.has("JM")) return ["mixed"];
  const spread = tiles.flatMap((tile) => new Array(tileWidth(tile)).fill(tile));
  if (!kinds.has("JC") && isOneNumber(tiles)) return asGroup(spread).because;
  const stretched = kinds.has("JC") && stretchColours(tiles) !== null;
  const fault = isOneColour(tiles) || stretched ? wrongWithRun(spread.map((tile) => tile.number)) : null;
  return [fault ?? "mixed"];
}

function asGroup(tiles) {
  const numbers = [...new Set(tiles.filter((tile) => tile.number).map((tile) => tile.number))];
  const colours = tiles.filter((tile) => tile.number).map((tile) => tile.colour);
  if (numbers.length > 1) return illegal("mixed");
  const because = [];
  if (tiles.length > COLOURS.length) because.push("too_long");
  if (new Set(colours).size < colours.length) because.push("colour_twice");
  if (because.length) return illegal(...because);
  const number = numbers[0] ?? HIGHEST;
  const missing = COLOURS.filter((_, colour) => !colours.includes(colour)).map((name) => `${name}${number}`);
  const standsFor = {};
  tiles.forEach((tile, place) => {
    if (!tile.number) standsFor[place] = missing;
  });
  return legal("group", number * tiles.length, standsFor);
}

function asRun(tiles) {
  const colours = [...new Set(tiles.filter((tile) => tile.number).map((tile) => tile.colour))];
  if (colours.length > 1) return illegal("mixed");
  const numbers = tiles.map((tile) => tile.number);
  const wrong = wrongWithRun(numbers);
  if (wrong) return illegal(wrong);
  const lowest = lowestOfRun(numbers);
  const names = colours.length ? colours.map((colour) => COLOURS[colour]) : COLOURS;
  const standsFor = {};
  let value = 0;
  tiles.forEach((tile, place) => {
    value += lowest + place;
    if (!tile.number) standsFor[place] = names.map((name) => `${name}${lowest + place}`);
  });
  return legal("run", value, standsFor);
}

/** The first thing wrong with numbers of one colour, 0 for a joker; null for a run. */
function wrongWithRun(numbers) {
  if (numbers.length > HIGHEST) return "too_long";
  const wrong = faultInPlace(numbers);
  if (wrong === null) return null;
  return faultInPlace(sortedBetweenJokers(numbers)) === null ? "not_in_order" : wrong;
}

function faultInPlace(numbers) {
  const starts = new Set(numbers.map((number, place) => (number ? number - place : null)).filter((at) => at !== null));
  if (starts.size > 1) return "not_consecutive";
  const lowest = lowestOfRun(numbers);
  if (lowest < 1) return "below_1";
  return lowest + numbers.length - 1 > HIGHEST ? "past_13" : null;
}

/** The number at the first place; jokers alone stand as high as they can. */
function lowestOfRun(numbers) {
  const place = numbers.findIndex((number) => number);
  return place >= 0 ? numbers[place] - place : HIGHEST + 1 - numbers.length;
}

/** The numbers ascending, each joker where it is. */
function sortedBetweenJokers(numbers) {
  const ascending = numbers.filter((number) => number).sort((one, other) => one - other);
  return numbers.map((number) => (number ? ascending.shift() : 0));
}
