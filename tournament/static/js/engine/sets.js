/* Is it a run, is it a group, what is it worth, and what do its jokers stand for: repeats scoring/sets. */

import { COLOURS, HIGHEST, Refusal, SPECIAL_JOKERS, hasNumbers, readTiles } from "./tiles.js";

export const SHORTEST = 3;

const illegal = (...because) => ({ legal: false, kind: null, value: 0, stands_for: {}, because });
const legal = (kind, value, stands_for) => ({ legal: true, kind, value, stands_for, because: [] });

/** Tiles of a set or a rack whose sets are asked for. Throws a Refusal for Twist's special jokers and for letters. */
export function readPlainTiles(ruleset, names, where) {
  if (!hasNumbers(ruleset)) throw new Refusal("ruleset", "plays with letters, not with numbers");
  const tiles = readTiles(names, where);
  const special = tiles.findIndex((tile) => SPECIAL_JOKERS.has(tile.name));
  if (special >= 0) throw new Refusal(`${where}[${special}]`, `${names[special]} is not there yet`);
  return tiles;
}

/** One set judged; a run is given in ascending order. Legal: `kind`, `value` and by the place of each joker the tiles
    it may stand for. Illegal: `because`, all that is wrong. Both readings possible: the higher value, then the run. */
export function judgeSet(ruleset, names, where = "set") {
  const tiles = readPlainTiles(ruleset, names, where);
  if (tiles.length < SHORTEST) return illegal("too_short");
  const [run, group] = [asRun(tiles), asGroup(tiles)];
  if (run.legal && run.value >= group.value) return run;
  if (group.legal) return group;
  const numbered = tiles.filter((tile) => tile.number);
  if (new Set(numbered.map((tile) => tile.number)).size <= 1) return group;
  if (new Set(numbered.map((tile) => tile.colour)).size === 1) return run;
  return illegal("mixed");
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
