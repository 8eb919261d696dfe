/* The best total of a rack with Twist's jokers, exactly (R60, R85): repeats scoring/special_opening step by step, so that it
   finds the same sets as well. The reasoning stands there: each set is known by what it loses against prices, the numbers
   are walked from 1 to 13, and of two ways that leave the same tiles the one that has lost less is kept. Where no total
   loses as little as is allowed, more is allowed and the walk made again: the first total found is the greatest.

   A state is what is left of the rack: {words, loss, way}, its counts packed in whole numbers of 30 bits, a field for each
   kind with a bit more than its copies need, so that one subtraction shows whether a set is there.

   A page must answer while somebody waits. Racks of 40 tiles with every joker of the box are done in a blink; the work is
   counted all the same: where it comes to more than MOST_WORK, only the states that have lost least are followed, for a
   total that can be reached, and the answer says that it is not exact. */

import { setsOfRack } from "./columns.js";
import { leastPrices, priceOfRack } from "./prices.js";
import { COLOURS, HIGHEST, TILES } from "./tiles.js";

const WORD_BITS = 30;
const HALF_BITS = 15;
const HALF_MASK = (1 << HALF_BITS) - 1;
const FIRST_LESS = 1; // how many points less than the rack costs a total may be at first
const NARROW_LESS = 8;
const MOST_WORK = 4_000_000; // sets tried on states: about a second
const WIDTH = 100;
const WRITTEN_ORDER = [...COLOURS, "J", "JD"];

/** The greatest total of disjoint sets of a rack, and sets that reach it: {total, sets, exact}. `rack` is a Map of how many
    it has of each tile and joker by name. Where it took more than `mostWork` to be sure that no total is greater, `exact` is
    false. */
export function bestSpecialTotal(rack, mostWork = MOST_WORK) {
  const candidates = setsOfRack(rack);
  const usable = new Set(candidates.flatMap((one) => one.names));
  if (!usable.size) return { total: 0, sets: [], exact: true };
  const held = new Map([...TILES.keys()].filter((name) => usable.has(name)).map((name) => [name, rack.get(name)]));
  const prices = leastPrices(held, candidates);
  const box = packedRack(held, prices, mostWork);
  const sets = candidates.map((one, at) => pricedSet(box, one, at));
  const most = priceOfRack(prices, held);
  const found = leastLoss(box, sets, most);
  const way = found ?? narrowWalk(box, sets);
  const total = Math.floor((most - way.loss) / prices.unit);
  return { total, sets: layOut(box, candidates, way.way), exact: found !== undefined };
}

/** The way that loses least of all; undefined where it takes too much work. */
function leastLoss(box, sets, most) {
  let [found, less] = [undefined, FIRST_LESS];
  while (!found && box.work > 0) {
    found = walkByLoss(box, sets, (most % box.unit) + less * box.unit);
    less = 2 * less + 1;
  }
  return found;
}

/** A way that can be gone, found soon: by sets that lose little, and only of the states that have lost least. */
function narrowWalk(box, sets) {
  const good = sets.filter((one) => one.excess <= NARROW_LESS * box.unit);
  return walkByLoss(box, good, Infinity, WIDTH);
}

/** The kinds of tiles of a rack, jokers last, with what each costs and the field that it has in the words of a state;
    `work` is what may still be done. */
function packedRack(held, { of, unit, excesses }, work) {
  const names = [...held.keys()];
  const copies = [...held.values()];
  const numbers = names.map((name) => TILES.get(name).number);
  const box = { names, copies, numbers, prices: [...of.values()], unit, excesses, fields: fieldsOf(copies), work };
  box.signs = packed(box, box.fields.map(({ mask }, kind) => [kind, mask + 1]));
  box.plainJoker = names.indexOf("J");
  return box;
}

/** For each kind its word, how far up its count lies there, and the mask of the count; the bit above is the sign. */
function fieldsOf(copies) {
  let [word, shift] = [0, 0];
  return copies.map((many) => {
    const bits = 32 - Math.clz32(many);
    if (shift + bits + 1 > WORD_BITS) [word, shift] = [word + 1, 0];
    const field = { word, shift, mask: (1 << bits) - 1 };
    shift += bits + 1;
    return field;
  });
}

function packed(box, counts) {
  const words = new Array(box.fields.at(-1).word + 1).fill(0);
  for (const [kind, many] of counts) words[box.fields[kind].word] += many << box.fields[kind].shift;
  return words;
}

const countIn = ({ fields }, words, kind) => (words[fields[kind].word] >> fields[kind].shift) & fields[kind].mask;

/** States with equal tiles have the same key. */
function keyOf(words) {
  let key = "";
  for (const word of words) key += String.fromCharCode(word & HALF_MASK, word >> HALF_BITS);
  return key;
}

function pricedSet(box, { names, lowest }, at) {
  const counts = new Map();
  for (const name of names) {
    const kind = box.names.indexOf(name);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const contents = [...counts];
  return { contents, excess: box.excesses[at], packed: packed(box, contents), lowest, at };
}

/* --- The walk -------------------------------------------------------------------------------------------- */

/** The way that loses least, undefined where each loses more than `allowed` or no work is left. With `width` it follows
    only about so many states, those that have lost least, whatever work is left. */
function walkByLoss(box, sets, allowed, width = Infinity) {
  const walked = sets.filter((one) => one.excess <= allowed);
  const words = packed(box, box.copies.entries());
  let states = new Map([[keyOf(words), { words, loss: 0, way: null }]]);
  for (let number = 1; number <= HIGHEST; number += 1) {
    for (const one of walked) {
      if (one.lowest === number) layInAllStates(box, one, allowed, states);
      if (box.work <= 0 && width === Infinity) return undefined;
      if (states.size > 2 * width) states = leastLost(states, width);
    }
    states = loseTheRest(box, number, allowed, states);
  }
  states = loseTheRest(box, 0, allowed, states);
  return states.get(keyOf(words.map(() => 0)));
}

const leastLost = (states, width) =>
  new Map([...states].sort(([, one], [, other]) => one.loss - other.loss).slice(0, width));

/** Lay the set wherever it can be, as often as it can be. */
function layInAllStates(box, set, allowed, states) {
  const most = allowed - set.excess;
  let todo = [...states.values()].filter((state) => state.loss <= most);
  while (todo.length) {
    const again = [];
    box.work -= todo.length;
    for (const state of todo) {
      const after = layInState(box, set, state);
      if (after === null || after.loss > allowed) continue;
      const key = keyOf(after.words);
      const known = states.get(key);
      if (known && known.loss <= after.loss) continue;
      states.set(key, after);
      if (after.loss <= most) again.push(after);
    }
    todo = again;
  }
}

/** The state once the set is laid, plain jokers in the places of tiles that are gone; null where it cannot be. */
function layInState(box, set, { words, loss, way }) {
  if (isThere(words, set.packed, box.signs)) {
    const after = words.map((word, at) => word - set.packed[at]);
    return { words: after, loss: loss + set.excess, way: { before: way, laid: set.at, replaced: [] } };
  }
  const { plainJoker, prices } = box;
  const jokers = plainJoker >= 0 ? countIn(box, words, plainJoker) : 0;
  if (!jokers) return null;
  const replaced = goneFrom(box, words, set.contents);
  const own = set.contents.find(([kind]) => kind === plainJoker)?.[1] ?? 0;
  if (own + replaced.length > jokers || replaced.some((kind) => !box.numbers[kind])) return null;
  const given = packed(box, [...replaced.map((kind) => [kind, 1]), [plainJoker, -replaced.length]]);
  const more = replaced.reduce((sum, kind) => sum + prices[plainJoker] - prices[kind], 0);
  return {
    words: words.map((word, at) => word - set.packed[at] + given[at]),
    loss: loss + set.excess + more,
    way: { before: way, laid: set.at, replaced },
  };
}

function isThere(words, wanted, signs) {
  for (let at = 0; at < words.length; at += 1) {
    if ((((words[at] | signs[at]) - wanted[at]) & signs[at]) !== signs[at]) return false;
  }
  return true;
}

/** The tiles of a set that the state has not, once for each that is lacking. */
function goneFrom(box, words, contents) {
  const found = [];
  for (const [kind, many] of contents) {
    for (let lacking = many - countIn(box, words, kind); lacking > 0; lacking -= 1) found.push(kind);
  }
  return found;
}

/** What is left of a number (0: of the jokers) goes into no set any more. */
function loseTheRest(box, number, allowed, states) {
  const kinds = [...box.numbers.keys()].filter((kind) => box.numbers[kind] === number);
  if (!kinds.length) return states;
  const kept = packed(box, kinds.map((kind) => [kind, box.fields[kind].mask])).map((mask) => ~mask);
  const after = new Map();
  for (const state of states.values()) {
    const cost = kinds.reduce((sum, kind) => sum + countIn(box, state.words, kind) * box.prices[kind], 0);
    const loss = state.loss + cost;
    if (loss > allowed) continue;
    const words = state.words.map((word, at) => word & kept[at]);
    const key = keyOf(words);
    const known = after.get(key);
    if (!known || known.loss > loss) after.set(key, { words, loss, way: state.way });
  }
  return after;
}

/** The sets on the way, runs first, each with the jokers that took a tile's place. */
function layOut(box, candidates, last) {
  const [ordered, any] = [[], []];
  for (let way = last; way !== null; way = way.before) {
    const { names, anyOrder } = candidates[way.laid];
    const laid = [...names];
    for (const kind of way.replaced) laid[laid.indexOf(box.names[kind])] = "J";
    if (anyOrder) laid.sort((one, other) => writtenRank(one) - writtenRank(other));
    (anyOrder ? any : ordered).push(laid);
  }
  return [...ordered, ...any];
}

const writtenRank = (name) => WRITTEN_ORDER.indexOf(name[0] === "J" ? name : name[0]);
