/* Every set that a rack with Twist's jokers may lay, short enough that longer ones fall apart into these (R80-R85): repeats
   scoring/special_columns, in its order. The reasoning why no set is left out stands there.

   A rack is a Map of how many it has of each tile and joker by name. A set: {names, value, lowest, anyOrder}: its tiles as
   they lie, what it is worth, its lowest number, and whether it is a group without a mirror. A plain joker is written only
   where the rack has no such tile. A set of numbers is a whole number with the bit of each that is in it. */

import { mirrorSets } from "./mirrors.js";
import { SHORTEST } from "./readings.js";
import { COLOURS, HIGHEST } from "./tiles.js";

const LONGEST_RUN = 2 * SHORTEST - 1;
const NUMBERS = (1 << (HIGHEST + 1)) - 2;
const RUN_JOKERS = ["J", "JD", "JC"];
const NO_COLOUR = -1;

/** Every set that the rack may need. Of sets of the same tiles only the one that is worth most. */
export function setsOfRack(rack) {
  const held = (name) => rack.get(name) ?? 0;
  const best = new Map();
  for (const laid of [...groups(held), ...runs(held), ...(held("JM") ? mirrorSets(held) : [])]) {
    const key = [...laid.names].sort().join(" ");
    if (!best.has(key) || laid.value > best.get(key).value) best.set(key, laid);
  }
  return [...best.values()];
}

const countUp = (first, last) => Array.from({ length: last - first + 1 }, (_, at) => first + at);

/* --- Runs ------------------------------------------------------------------------------------------------ */

/** A run is laid upwards. It is empty or ends with a numbered tile: for each of its tiles the letter of its colour or the
    joker, and how many places lie before it; its width; the colour of the last tile; the numbers at which it may begin;
    the jokers that are left by kind; and where it may end at least. */
function* runs(held) {
  const there = COLOURS.map((letter) => bitsOf(countUp(1, HIGHEST).filter((number) => held(`${letter}${number}`))));
  const left = RUN_JOKERS.map((kind) => Math.min(held(kind), LONGEST_RUN));
  const stack = [{ places: [], width: 0, colour: NO_COLOUR, firsts: NUMBERS, left, leastEnd: 0 }];
  while (stack.length) {
    const run = stack.pop();
    for (const gap of gapsOf(LONGEST_RUN - run.places.length, run.left)) {
      const after = gap.places.length ? layGap(run, gap, there) : run;
      if (!after.firsts) continue;
      if (after.places.length >= SHORTEST) yield* beginRuns(after);
      if (after.places.length < LONGEST_RUN) layNextTile(after, gap.counts[2], there, stack);
    }
  }
}

const bitsOf = (numbers) => numbers.reduce((bits, number) => bits | (1 << number), 0);

const gapMemory = new Map();

/** All that may lie beside each other of so many jokers in so many tiles, nothing first: how many of each kind, where each
    lies, how wide they are, and where the run may end that begins with them. */
function gapsOf(room, left) {
  const key = `${room},${left}`;
  if (!gapMemory.has(key)) gapMemory.set(key, waysToTake(left).filter((counts) => sum(counts) <= room).map(gapWith));
  return gapMemory.get(key);
}

const sum = (numbers) => numbers.reduce((all, number) => all + number, 0);

const waysToTake = (left) =>
  left.reduce((ways, many) => ways.flatMap((way) => countUp(0, many).map((taken) => [...way, taken])), [[]]);

function gapWith(counts) {
  const kinds = RUN_JOKERS.flatMap((kind, at) => new Array(counts[at]).fill(kind));
  let width = 0;
  const places = kinds.map((kind) => {
    const place = [kind, width];
    width += kind === "JD" ? 2 : 1;
    return place;
  });
  const narrowest = counts[0] || counts[2] ? 1 : 2;
  return { counts, places, width, leastEnd: kinds.length ? HIGHEST + 1 - narrowest : 0 };
}

/** The run with these jokers at its end. A plain one lies only where the rack has no tile of the colour before. */
function layGap(run, gap, there) {
  let { firsts, leastEnd } = run;
  if (run.colour === NO_COLOUR) {
    leastEnd = gap.leastEnd;
    firsts &= -1 << Math.max(0, leastEnd + 1 - (LONGEST_RUN + run.left[1]));
  } else {
    for (let place = run.width; place < run.width + gap.counts[0]; place += 1) firsts &= ~there[run.colour] >> place;
  }
  const width = run.width + gap.width;
  return {
    places: [...run.places, ...gap.places.map(([kind, before]) => [kind, run.width + before])],
    width,
    colour: run.colour,
    firsts: firsts & (NUMBERS >> (width - 1)),
    left: run.left.map((many, at) => many - gap.counts[at]),
    leastEnd,
  };
}

/** A numbered tile more, of each colour that it may have. */
function layNextTile(run, changes, there, stack) {
  for (const colour of nextColours(run.colour, changes)) {
    const firsts = run.firsts & (there[colour] >> run.width);
    if (!firsts) continue;
    stack.push({ ...run, places: [...run.places, [COLOURS[colour], run.width]], width: run.width + 1, colour, firsts });
  }
}

/** Over one colour change the next tile is of another colour than the last, over more of any. */
function nextColours(colour, changes) {
  const colours = [...COLOURS.keys()];
  if (colour === NO_COLOUR || changes > 1) return colours;
  return colours.filter((other) => (other === colour) === (changes === 0));
}

/** The run at each number at which it may begin, the highest first. */
function* beginRuns({ places, width, firsts, leastEnd }) {
  const least = leastEnd ? Math.max(1, leastEnd + 1 - width) : 1;
  for (let first = HIGHEST; first >= least; first -= 1) {
    if (!((firsts >> first) & 1)) continue;
    const names = places.map(([name, before]) => (name[0] === "J" ? name : `${name}${first + before}`));
    yield { names, value: first * width + (width * (width - 1)) / 2, lowest: first, anyOrder: false };
  }
}

/* --- Groups ---------------------------------------------------------------------------------------------- */

/** Plain groups and those with a double, which has two of the four places. */
function* groups(held) {
  for (const number of countUp(1, HIGHEST)) {
    const there = COLOURS.map((letter) => `${letter}${number}`).filter((name) => held(name));
    for (const names of combinations(there)) {
      if (!names.length && number < HIGHEST) continue;
      for (let jokers = 0; jokers <= Math.min(held("J"), COLOURS.length - names.length); jokers += 1) {
        const tiles = names.length + jokers;
        const laid = [...names, ...new Array(jokers).fill("J")];
        const group = { value: number * tiles, lowest: number, anyOrder: true };
        if (tiles >= SHORTEST) yield { ...group, names: laid };
        if (tiles === COLOURS.length - 2 && held("JD")) {
          yield { ...group, names: [...laid, "JD"], value: number * COLOURS.length };
        }
      }
    }
  }
}

/** Every choice among the names, the smaller ones first, each in their order. */
function combinations(names) {
  let some = [{ chosen: [], from: 0 }];
  const found = [[]];
  while (some.length) {
    some = some.flatMap(({ chosen, from }) =>
      countUp(from, names.length - 1).map((at) => ({ chosen: [...chosen, names[at]], from: at + 1 })),
    );
    found.push(...some.map(({ chosen }) => chosen));
  }
  return found;
}
