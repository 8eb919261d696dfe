/* Every set that a rack with Twist's jokers may lay, short enough that longer ones fall apart into these (R80-R85): repeats
   scoring/special_columns, in its order. The reasoning why no set is left out stands there.

   A rack is a Map of how many it has of each tile and joker by name. A set: {names, value, lowest, anyOrder}: its tiles as
   they lie, what it is worth, its lowest number, and whether it is a group without a mirror. A plain joker is written only
   where the rack has no such tile. */

import { SHORTEST } from "./readings.js";
import { COLOURS, HIGHEST } from "./tiles.js";

// More plain places than these are a run of their own. At an end there may be more of them while the run is short.
const LONGEST_PLAIN_RUN = 5;
const PLAIN_AT_AN_END = 2;
const PLAIN_BETWEEN = 3;
// So many places a side of a mirror; more on both sides are two runs of their own.
const MIRROR_SIDE = 3;
const MORE_FOR_A_DOUBLE = 2;
const MIRROR_GROUP_SIDE = 3;

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

const total = (numbers) => numbers.reduce((sum, number) => sum + number, 0);

const countUp = (first, last) => Array.from({ length: last - first + 1 }, (_, at) => first + at);

/* --- Runs ------------------------------------------------------------------------------------------------ */

/** A run is laid upwards: `number` comes next; `colour` is that of the stretch and `barred` that of the stretch before, -1
    where no numbered tile has told it; `plain` places lie at its end, `head` before its first special joker (-1: it has
    none); `unknown` are the numbers at which jokers lie in a stretch without a colour; then the jokers that are left. */
function* runs(held) {
  const there = COLOURS.map((letter) => countUp(0, HIGHEST).map((number) => held(`${letter}${number}`) > 0));
  const left = { jokers: held("J"), doubles: held("JD"), changes: held("JC") };
  for (let first = 1; first < HIGHEST; first += 1) {
    const stack = [{ names: [], number: first, colour: -1, barred: -1, plain: 0, head: -1, unknown: [], ...left }];
    while (stack.length) {
      const run = stack.pop();
      const tiles = run.names.length;
      const short = tiles <= LONGEST_PLAIN_RUN || Math.max(run.head, run.plain) <= PLAIN_AT_AN_END;
      if (short && tiles >= SHORTEST) {
        yield { names: run.names, value: total(countUp(first, run.number - 1)), lowest: first, anyOrder: false };
      }
      if (run.number > HIGHEST || (tiles >= LONGEST_PLAIN_RUN && run.head > PLAIN_AT_AN_END)) continue;
      if (run.plain < PLAIN_BETWEEN || tiles < LONGEST_PLAIN_RUN) layPlainPlace(there, run, stack);
      if (tiles < LONGEST_PLAIN_RUN || run.head >= 0) laySpecialJoker(run, stack);
    }
  }
}

function layPlainPlace(there, run, stack) {
  const { names, number, colour: known, unknown } = run;
  const next = { ...run, number: number + 1, plain: run.plain + 1, unknown: [] };
  let lacking = false;
  for (const colour of known < 0 ? COLOURS.keys() : [known]) {
    if (colour === run.barred) continue;
    if (!there[colour][number]) lacking = true;
    else if (!unknown.some((before) => there[colour][before])) {
      stack.push({ ...next, names: [...names, `${COLOURS[colour]}${number}`], colour });
    }
  }
  if (lacking && run.jokers) {
    const more = known < 0 ? [...unknown, number] : [];
    stack.push({ ...next, names: [...names, "J"], unknown: more, jokers: run.jokers - 1 });
  }
}

function laySpecialJoker(run, stack) {
  const { names, number, colour } = run;
  const head = run.head < 0 ? run.plain : run.head;
  if (head > PLAIN_AT_AN_END && names.length >= LONGEST_PLAIN_RUN) return;
  const next = { ...run, plain: 0, head };
  if (run.doubles && number < HIGHEST) {
    stack.push({ ...next, names: [...names, "JD"], number: number + 2, doubles: run.doubles - 1 });
  }
  if (run.changes) {
    const fresh = { colour: -1, barred: colour, unknown: [], changes: run.changes - 1 };
    stack.push({ ...next, names: [...names, "JC"], number: number + 1, ...fresh });
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

/* --- Mirror sets ----------------------------------------------------------------------------------------- */

function* mirrorSets(held) {
  for (const number of countUp(1, HIGHEST)) {
    yield* mirrorGroups(held, number);
    for (const step of [-1, 1]) for (const letter of COLOURS) yield* mirrorRuns(held, number, step, letter);
  }
}

/** About a mirror of this number: each tile up to twice, once a side; then jokers, then doubles. */
function* mirrorGroups(held, number) {
  for (const copies of copiesLaid(held, number)) {
    const named = (many) => COLOURS.filter((_, at) => copies[at] === many).map((letter) => `${letter}${number}`);
    const [once, twice] = [named(1), named(2)];
    for (let jokers = 0; jokers <= held("J"); jokers += 1) {
      for (let doubles = 0; doubles <= Math.min(2, held("JD")); doubles += 1) {
        const width = 2 * twice.length + once.length + jokers + 2 * doubles;
        const sides = mirrorGroupSides(twice, [...once, ...new Array(jokers).fill("J")], doubles, width);
        if (sides === null) continue;
        const names = [...sides[0], "JM", ...sides[1]];
        yield { names, value: number * (width + 1), lowest: number, anyOrder: false };
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
function mirrorGroupSides(twice, once, doubles, width) {
  const left = Math.floor((width + 1) / 2);
  const room = [left - (doubles > 0 ? 2 : 0), width - left - (doubles > 1 ? 2 : 0)];
  if (left > MIRROR_GROUP_SIDE || width < 2 || Math.min(...room) < twice.length) return null;
  if (doubles === 1 && room[1] === 0) return null;
  const parted = room[0] - twice.length;
  const sides = [[...twice, ...once.slice(0, parted)], [...twice, ...once.slice(parted)]];
  for (let side = 0; side < doubles; side += 1) sides[side].push("JD");
  return sides;
}

/** Numbers that fall or rise away from the mirror by one a place; the right side may be longer by one. */
function* mirrorRuns(held, mirror, step, letter) {
  const doubles = held("JD");
  for (let short = 1; short <= MIRROR_SIDE + MORE_FOR_A_DOUBLE * doubles; short += 1) {
    let some = false;
    for (const long of [short, short + 1]) {
      const last = mirror + step * long;
      if (last < 1 || last > HIGHEST) break;
      const names = countUp(1, long).map((far) => `${letter}${mirror + step * far}`);
      for (const way of mirrorWays(short, long, doubles)) {
        const lacking = total(way.needs.map((need, at) => Math.max(0, need - held(names[at]))));
        if (lacking > held("J")) continue;
        some = true;
        const [left, right] = [way.left, way.right].map((widths) => laySide(widths, names));
        const value = mirror * (1 + short + long) + (step * (short * (short + 1) + long * (long + 1))) / 2;
        const tiles = layJokers([...left.reverse(), "JM", ...right], held);
        yield { names: tiles, value, lowest: Math.min(mirror, last), anyOrder: false };
      }
    }
    if (!some) return;
  }
}

const memory = new Map();

/** Where doubles may lie on the sides of a mirror: the widths of the tiles outwards, 1 or 2, and how many tiles of each
    number they leave to lay. */
function mirrorWays(short, long, doubles) {
  const key = `${short},${long},${doubles}`;
  if (!memory.has(key)) {
    const pairs = waysToDouble(short, doubles).flatMap((left) => waysToDouble(long, doubles).map((right) => [left, right]));
    const fitting = pairs.filter((pair) => pair.flat().filter((width) => width === 2).length <= doubles);
    memory.set(key, fitting.map(([left, right]) => ({ left, right, needs: needsOf([left, right], long) })));
  }
  return memory.get(key);
}

function needsOf(sides, long) {
  const needs = new Array(long).fill(0);
  for (const widths of sides) {
    let far = 0;
    for (const width of widths) {
      if (width === 1) needs[far] += 1;
      far += width;
    }
  }
  return needs;
}

/** The widths of the tiles of a side that come to so many places with up to so many doubles. */
function waysToDouble(places, doubles) {
  if (places === 0) return [[]];
  const ways = waysToDouble(places - 1, doubles).map((rest) => [1, ...rest]);
  if (doubles && places > 1) ways.push(...waysToDouble(places - 2, doubles - 1).map((rest) => [2, ...rest]));
  return ways;
}

function laySide(widths, names) {
  let far = 0;
  return widths.map((width) => {
    const name = width === 2 ? "JD" : names[far];
    far += width;
    return name;
  });
}

/** The tiles, with a joker in the place of each that the rack has not, or has not twice. */
function layJokers(names, held) {
  const used = new Map();
  return names.map((name) => {
    used.set(name, (used.get(name) ?? 0) + 1);
    return used.get(name) <= held(name) ? name : "J";
  });
}
