/* The best opening of a rack, exactly, and whether it breaks the ice (R25/R26): repeats scoring/opening step by step, so
   that it finds the same sets as well. The reasoning why no set is left out stands there: the numbers are walked from
   13 down to 1, and of the numbers above only what lies open in each colour and the jokers left matter. A rack with one of
   Twist's jokers is walked in special.js. */

import { layGroups, groupings } from "./groups.js";
import { SHORTEST } from "./readings.js";
import { bestSpecialTotal } from "./special.js";
import { COLOURS, HIGHEST, Refusal, SPECIAL_JOKERS, checkCopies, faceValue, readTilesOfBox } from "./tiles.js";

const MOST_TILES = 106;
const EDGE = 2;
const BITS = 8;
const MASK = 255;
const WIDTH = 1000;
const NONE = [0, 0, 0, 0];
const NO_GROUPS = [[0, 0]];
const START = "0,0,0,0,0";
const FIRSTS = Array.from({ length: HIGHEST - 2 }, (_, at) => 1 << (at + 1 + EDGE)).reduce((bits, bit) => bits | bit, 0);

/** The best opening: `best` its total, `sets` that reach it (runs ascending, groups R B K O J), `could_open`,
    `face_value`, `tiles`, `rack_value_if_unopened`. `exact` is false where a large rack with Twist's jokers would take too
    long: then `best` can be reached, but perhaps more. Throws a Refusal for what is no rack of the ruleset's set. */
export function bestOpening(ruleset, rack) {
  const read = readRack(ruleset, rack);
  checkCopies(ruleset, [["rack", rack]]);
  const found = read.special ? bestSpecialTotal(read.special) : bestPlainTotal(read);
  const able = found.total >= ruleset.opening_minimum;
  const faces = faceValue(ruleset, rack);
  const flat = able ? ruleset.unopened_able : ruleset.unopened_unable;
  return {
    best: found.total,
    could_open: able,
    sets: found.sets,
    face_value: faces,
    tiles: rack.length,
    rack_value_if_unopened: flat === null ? faces : flat,
    exact: found.exact,
  };
}

/** Whether the rack holds sets worth the ruleset's opening minimum. Stops at the first that are. */
export function couldOpen(ruleset, rack) {
  const { counts, jokers, special } = readRack(ruleset, rack);
  const least = ruleset.opening_minimum;
  if (special) return couldOpenSpecially(special, least);
  return walk(counts, jokers, { enough: least }).total >= least;
}

/** With Twist's jokers; a total that can be reached says yes soon, and only a no needs the greatest. */
function couldOpenSpecially(rack, least) {
  const found = bestSpecialTotal(rack);
  return found.total >= least || (!found.exact && bestSpecialTotal(rack, Infinity).total >= least);
}

/** The tiles that may be in a set, by colour and number, and the jokers that an opening may hold; `special` is the whole
    rack by name where a special joker is among them, else null. */
function readRack(ruleset, rack) {
  if (rack.length > MOST_TILES) throw new Refusal("rack", `${rack.length} tiles are more than ${MOST_TILES}`);
  const tiles = readTilesOfBox(ruleset, rack, "rack");
  if (ruleset.opening_jokers && rack.some((name) => SPECIAL_JOKERS.has(name))) return { special: countByName(rack) };
  const counts = COLOURS.map(() => new Array(HIGHEST + EDGE + 1).fill(0));
  let jokers = 0;
  for (const { colour, number } of tiles) {
    if (number) counts[colour][number + EDGE] += 1;
    else jokers += 1;
  }
  if (!ruleset.opening_jokers) jokers = 0;
  if (jokers < SHORTEST - 1) dropIdle(counts, jokers);
  return { counts, jokers, special: null };
}

function countByName(rack) {
  const counts = new Map();
  for (const name of rack) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Drop the tiles that no set can take with no joker or one; they only cost time. Sets of numbers are bits. */
function dropIdle(counts, jokers) {
  const there = counts.map((ofColour) => ofColour.reduce((bits, tiles, place) => (tiles ? bits | (1 << place) : bits), 0));
  const [r, b, k, o] = there;
  const grouped = jokers ? ((r | b) & (k | o)) | (r & b) | (k & o) : (r & b & (k | o)) | ((r | b) & k & o);
  counts.forEach((ofColour, colour) => {
    const [here, next, last] = [there[colour], there[colour] >> 1, there[colour] >> 2];
    const firsts = jokers ? ((here & next) | (here & last) | (next & last)) & FIRSTS : here & next & last;
    const used = grouped | firsts | (firsts << 1) | (firsts << 2);
    ofColour.forEach((_, place) => {
      if (!(used & (1 << place))) ofColour[place] = 0;
    });
  });
}

/* --- The walk -------------------------------------------------------------------------------------------- */

function bestPlainTotal({ counts, jokers }) {
  const { total, last, trail } = bestWalk(counts, jokers);
  return { total, sets: laySets(counts, last, trail), exact: true };
}

function bestWalk(counts, jokers) {
  const first = walk(counts, jokers, { width: WIDTH });
  if (first.whole) return first;
  const second = walk(counts, jokers, { above: first.total });
  return second.total > first.total ? second : first;
}

const bestOf = (states) => {
  let best = null;
  for (const entry of states) if (best === null || entry[1].total > best[1].total) best = entry;
  return best;
};

/** The best total above `above`, with the way to it. With `enough` it stops at the first total that is enough; with
    `width` it follows only so many states at each number, and is `whole` where there were no more. */
function walk(counts, jokers, { enough = null, above = -1, width = null }) {
  const at = Array.from({ length: HIGHEST + 1 }, (_, number) =>
    counts.reduce((sum, ofColour) => sum + ofColour[number + EDGE], 0),
  );
  let rest = at.reduce((sum, tiles, number) => sum + number * tiles, 0);
  const floor = enough === null ? above : enough - 1;
  const nothing = (whole) => ({ total: 0, last: START, trail: [], whole });
  if (rest + jokers * HIGHEST <= floor) return nothing(true);
  let states = new Map([[`0,0,0,0,${jokers}`, { runs: NONE, left: jokers, total: 0 }]]);
  const trail = [];
  let whole = true;
  for (let number = HIGHEST; number > 0; number -= 1) {
    rest -= number * at[number];
    if (!at[number] && !jokers) {
      // Nothing lies here, so nothing was left open above, and all states come to the same.
      const [before, { total }] = bestOf(states);
      const choice = { before, used: NONE, spare: NONE, groupJokers: 0 };
      states = new Map([[START, { runs: NONE, left: 0, total }]]);
      trail.push(new Map([[START, choice]]));
      continue;
    }
    const reached = stepDown(counts, number, states, { enough, floor, rest });
    if (reached.done) return { total: reached.total, last: reached.last, trail: [], whole: false };
    trail.push(reached.choices);
    states = reached.states;
    if (width !== null && states.size > width) {
      whole = false;
      states = new Map([...states].sort((one, other) => other[1].bound - one[1].bound).slice(0, width));
    }
    if (!states.size) return nothing(whole);
  }
  const [last, { total }] = bestOf(states);
  return { total, last, trail, whole };
}

/** All states that the states of the number above lead to at this number, each at its best total. */
function stepDown(counts, number, before, { enough, floor, rest }) {
  const states = new Map();
  const choices = new Map();
  const steps = new Map();
  const coloursThere = counts.filter((ofColour) => ofColour[number + EDGE]).length;
  for (const [from, { runs, left, total }] of before) {
    const grouping = coloursThere + left >= SHORTEST;
    const [forR, forB, forK, forO] = counts.map((ofColour, colour) => {
      const key = `${colour},${runs[colour]},${left}`;
      if (!steps.has(key)) steps.set(key, stepsOf(ofColour, number, runs[colour], left, grouping));
      return steps.get(key);
    });
    for (const a of forR) {
      for (const b of forB) {
        for (const c of forK) {
          for (const d of forO) {
            const gone = a.jokers + b.jokers + c.jokers + d.jokers;
            const free = left - gone - a.owed - b.owed - c.owed - d.owed;
            if (free < 0) continue;
            const spare = [a.spare, b.spare, c.spare, d.spare];
            for (const [groupJokers, grouped] of grouping ? groupings(spare, free) : NO_GROUPS) {
              const value = total + a.gain + b.gain + c.gain + d.gain + number * grouped;
              const kept = left - gone - groupJokers;
              const key = `${a.runs},${b.runs},${c.runs},${d.runs},${kept}`;
              const known = states.get(key);
              if (known && value <= known.total) continue;
              if (enough !== null && value >= enough) return { done: true, total: value, last: key };
              const bound = value - (a.due + b.due + c.due + d.due) + rest + kept * (number - 1);
              if (bound <= floor) continue;
              states.set(key, { runs: [a.runs, b.runs, c.runs, d.runs], left: kept, total: value, bound });
              if (enough === null) {
                choices.set(key, { before: from, used: [a.used, b.used, c.used, d.used], spare, groupJokers });
              }
            }
          }
        }
      }
    }
  }
  return { done: false, states, choices };
}

/** All that one colour can do at one number with runs of length 1, 2 and 3 or more open above it: `used` tiles go into
    runs, `jokers` of them jokers, `spare` stay for groups; `owed` jokers are needed to end what is open then; `due` is
    what `gain` has paid in advance for tiles at numbers below. */
function stepsOf(ofColour, number, runs, left, grouping) {
  const [ones, twos, ends] = [runs & MASK, (runs >> BITS) & MASK, (runs >> (2 * BITS)) & MASK];
  const [there, below, lower] = [ofColour[number + EDGE], ofColour[number + EDGE - 1], ofColour[number + EDGE - 2]];
  const must = ones + twos;
  const least = grouping ? must : Math.max(must, Math.min(there, must + ends));
  let most = there + left;
  if (number < SHORTEST || !there + !below + !lower > left) most = Math.min(most, must + ends);
  const found = [];
  for (let used = least; used <= most; used += 1) {
    const jokers = Math.max(0, used - there);
    const continued = Math.min(used - must, ends);
    const started = used - must - continued;
    const owed = Math.max(0, started + ones - below) + Math.max(0, started - lower);
    if (jokers + owed > left) break;
    const open = started | (ones << BITS) | (Math.min(twos + continued, below + left) << (2 * BITS));
    found.push({
      jokers,
      owed,
      runs: number === 1 ? 0 : open,
      spare: Math.max(0, there - used),
      gain: number * continued + started * SHORTEST * (number - 1),
      used,
      due: (started + ones) * (number - 1) + started * (number - 2),
    });
  }
  return found;
}

/* --- The sets -------------------------------------------------------------------------------------------- */

/** Lay the sets that the choices on the way to `last` stand for. */
function laySets(counts, last, trail) {
  const way = [];
  let state = last;
  for (const choices of [...trail].reverse()) {
    way.unshift(choices.get(state));
    state = way[0].before;
  }
  let runs = COLOURS.map(() => []);
  const [groups, ended] = [[], []];
  way.forEach((choice, place) => {
    const number = HIGHEST - place;
    runs = runs.map((open, colour) => {
      const used = choice.used[colour];
      if (!used && !open.length) return open;
      const there = counts[colour][number + EDGE];
      const names = Array.from({ length: used }, (_, tile) => (tile < there ? `${COLOURS[colour]}${number}` : "J"));
      return continueRuns(open, names, ended);
    });
    if (choice.spare.reduce((sum, tiles) => sum + tiles, 0) + choice.groupJokers >= SHORTEST) {
      groups.push(...layGroups(number, choice.spare, choice.groupJokers));
    }
  });
  ended.push(...runs.flat());
  return [...ended.map((run) => [...run].reverse()), ...groups];
}

/** Unfinished runs come first, then those that may end; what is left over starts a run. */
function continueRuns(open, names, ended) {
  const sorted = [...open].sort((one, other) => one.length - other.length);
  const unfinished = sorted.filter((run) => run.length < SHORTEST);
  const mayEnd = sorted.filter((run) => run.length >= SHORTEST);
  const continued = names.length - unfinished.length;
  ended.push(...mayEnd.slice(Math.max(0, continued)));
  const going = [...unfinished, ...mayEnd.slice(0, continued)];
  while (going.length < names.length) going.push([]);
  return going.map((run, place) => [...run, names[place]]);
}
