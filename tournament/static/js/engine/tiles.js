/* Tiles, racks and what they are worth by their faces (R23/R24): repeats scoring/tiles and scoring/holdings.
   Every number is a whole number; what cannot be taken is a Refusal with its place. A ruleset is the object that the
   server hands over: the fields of scoring/ruleset by their names. */

export const COLOURS = ["R", "B", "K", "O"]; // red, blue, black, orange, in the order in which groups are written
export const HIGHEST = 13;
export const JOKERS = ["J", "JD", "JC", "JM"]; // plain, and of Twist: double, colour-change, mirror
export const SPECIAL_JOKERS = new Set(["JD", "JC", "JM"]);

/** Input that cannot be taken: `where` is its place ("seats[1].face_value"), `why` a plain sentence. */
export class Refusal extends Error {
  constructor(where, why) {
    super(where ? `${where}: ${why}` : why);
    this.where = where;
    this.why = why;
  }
}

/** Every tile by its name: `colour` a place in COLOURS, `number` 1 to 13; a joker has -1 and 0. */
export const TILES = new Map([
  ...COLOURS.flatMap((letter, colour) =>
    Array.from({ length: HIGHEST }, (_, place) => [
      `${letter}${place + 1}`,
      { name: `${letter}${place + 1}`, colour, number: place + 1 },
    ]),
  ),
  ...JOKERS.map((name) => [name, { name, colour: -1, number: 0 }]),
]);

/** The tiles of names in their order. Throws a Refusal at the first that is none. */
export function readTiles(names, where) {
  return names.map((name, place) => {
    if (typeof name !== "string") throw new Refusal(`${where}[${place}]`, "must be a text");
    const tile = TILES.get(name);
    if (!tile) throw new Refusal(`${where}[${place}]`, "is no tile");
    return tile;
  });
}

/** Whether the ruleset plays with numbered tiles, so that sets, openings and rack values mean something. */
export const hasNumbers = (ruleset) => ruleset.tiles.numbers > 0;

/** Whether an unopened rack is worth a flat value, so that the verdict "could open" matters (R25, R26). */
export const hasFlatValues = (ruleset) => ruleset.unopened_unable !== null || ruleset.unopened_able !== null;

/** Jokers of every kind. */
export const jokerCount = (ruleset) => JOKERS.reduce((sum, name) => sum + (ruleset.tiles[name] ?? 0), 0);

/** Tiles in all. */
export function setSize(ruleset) {
  const letters = Object.values(ruleset.tiles.letters ?? {}).reduce((sum, copies) => sum + copies, 0);
  return 52 * ruleset.tiles.numbers + jokerCount(ruleset) + letters;
}

/** Tiles of a set or a rack whose sets are asked for. Throws a Refusal for a ruleset that plays with letters, and at the
    first that is no tile or a special joker that the ruleset's box does not hold. */
export function readTilesOfBox(ruleset, names, where) {
  if (!hasNumbers(ruleset)) throw new Refusal("ruleset", "plays with letters, not with numbers");
  const tiles = readTiles(names, where);
  const strange = tiles.findIndex(({ name }) => SPECIAL_JOKERS.has(name) && !ruleset.tiles[name]);
  if (strange >= 0) {
    throw new Refusal(`${where}[${strange}]`, `${names[strange]} is not in the box of this ruleset`);
  }
  return tiles;
}

/** How many copies of a tile the box holds. */
export const copiesOf = (ruleset, name) => (JOKERS.includes(name) ? (ruleset.tiles[name] ?? 0) : ruleset.tiles.numbers);

/** Throws a Refusal at the first tile, over all racks [where, names], that the box has no copy left of. */
export function checkCopies(ruleset, racks) {
  const seen = new Map();
  for (const [where, names] of racks) {
    names.forEach((name, place) => {
      const copies = copiesOf(ruleset, name);
      seen.set(name, (seen.get(name) ?? 0) + 1);
      if (seen.get(name) > copies) {
        throw new Refusal(`${where}[${place}]`, `${name} is there more often than the set holds it (${copies})`);
      }
    });
  }
}

/** Sum of the faces, each joker of any kind at the ruleset's joker value (R23/R24). */
export const faceValue = (ruleset, names) =>
  names.reduce((sum, name) => sum + (TILES.get(name).number || ruleset.joker_value), 0);

/* --- What so many tiles can be worth --------------------------------------------------------------------- */

const memory = new Map();

/** For each number of jokers held: [jokers, least, greatest] face value of so many tiles. With a fixed number of
    jokers every value between occurs: some numbered tile can be exchanged for one that is greater by 1. */
function spansOf(ruleset, tiles) {
  const jokers = jokerCount(ruleset);
  const key = `${ruleset.tiles.numbers} ${jokers} ${ruleset.joker_value} ${tiles}`;
  if (!memory.has(key)) memory.set(key, workOutSpans(ruleset.tiles.numbers, jokers, ruleset.joker_value, tiles));
  return memory.get(key);
}

function workOutSpans(copies, jokers, jokerValue, tiles) {
  const faces = [];
  for (let number = 1; number <= HIGHEST; number += 1) {
    for (let copy = 0; copy < COLOURS.length * copies; copy += 1) faces.push(number);
  }
  const sum = (from, to) => faces.slice(from, to).reduce((total, face) => total + face, 0);
  const found = [];
  for (let held = Math.max(0, tiles - faces.length); held <= Math.min(jokers, tiles); held += 1) {
    const [numbered, worth] = [tiles - held, held * jokerValue];
    found.push([held, worth + sum(0, numbered), worth + sum(faces.length - numbered, faces.length)]);
  }
  return found;
}

/** The fewest jokers with which so many tiles have that face value; null where none do. */
export function jokersNeeded(ruleset, value, tiles) {
  const span = spansOf(ruleset, tiles).find(([, least, most]) => least <= value && value <= most);
  return span ? span[0] : null;
}

/** The least and the greatest face value of so many tiles; [0, 0] where the set has not so many. */
export function faceBounds(ruleset, tiles) {
  const spans = spansOf(ruleset, tiles);
  if (!spans.length) return [0, 0];
  return [Math.min(...spans.map((span) => span[1])), Math.max(...spans.map((span) => span[2]))];
}

/** What all tiles of the set are worth together. */
export const wholeFace = (ruleset) => faceBounds(ruleset, 52 * ruleset.tiles.numbers + jokerCount(ruleset))[1];

/** Throws a Refusal where no `tiles` tiles are worth `value`: outside the bounds, or in a gap between them. */
export function checkFace(ruleset, value, tiles, where) {
  if (!spansOf(ruleset, tiles).length) {
    throw new Refusal("tiles", `${tiles} are more than the set holds (${setSize(ruleset)})`);
  }
  if (jokersNeeded(ruleset, value, tiles) !== null) return;
  const [least, most] = faceBounds(ruleset, tiles);
  const noun = tiles === 1 ? "tile" : "tiles";
  if (value > most) throw new Refusal(where, `${value} is more than ${tiles} ${noun} can hold (${most})`);
  if (value < least) throw new Refusal(where, `${value} is less than ${tiles} ${noun} can hold (${least})`);
  throw new Refusal(where, `${value} cannot be the value of ${tiles} ${noun}`);
}

/** Whether one set has tiles for all these racks [value, tiles] taken as one. */
export function canLieTogether(ruleset, racks) {
  const value = racks.reduce((sum, rack) => sum + rack[0], 0);
  const tiles = racks.reduce((sum, rack) => sum + rack[1], 0);
  return jokersNeeded(ruleset, value, tiles) !== null;
}
