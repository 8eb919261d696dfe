/* Is a turn legal: what lay on the table, what was played from the rack, what lies there now (R17, R18, R86): repeats
   scoring/move. Sets stay as they are: runs in order, groups in any, a mirror set read from either end. */

import { judgeTiles } from "./sets.js";
import { Refusal, readTilesOfBox } from "./tiles.js";

/** One turn judged: {legal, because}, all that speaks against it. Throws a Refusal for what is no tile of the box and for
    an illegal set in `before`. */
export function judgeMove(ruleset, { opened, before, played, after }) {
  const table = before.map((names, place) => readSet(ruleset, names, `before[${place}]`));
  table.forEach(({ judged }, place) => {
    if (!judged.legal) throw new Refusal(`before[${place}]`, `is no legal set (${judged.because.join(", ")})`);
  });
  const own = readTilesOfBox(ruleset, played, "played");
  const result = after.map((names, place) => readSet(ruleset, names, `after[${place}]`));
  const because = [];
  if (!sameTiles([...table.flatMap(namesOf), ...played], result.flatMap(namesOf))) because.push("tiles_do_not_match");
  if (!own.length) because.push("no_own_tile");
  if (result.some(({ judged }) => !judged.legal)) because.push("illegal_set");
  const [gone, fresh] = [withoutUntouched(table, result), withoutUntouched(result, table)];
  if (!opened) because.push(...openingFaults(ruleset, gone, fresh));
  const special = specialFaults(gone, fresh);
  const quiet = !because.length && !special.length;
  if (quiet && ruleset.joker_from_hand && !arePaidFromHand(table, own, result)) because.push("joker_not_from_hand");
  because.push(...special);
  return { legal: !because.length, because };
}

const namesOf = ({ tiles }) => tiles.map((tile) => tile.name);

/** A set on the table: `key` is equal for sets that are the same. */
function readSet(ruleset, names, where) {
  const tiles = readTilesOfBox(ruleset, names, where);
  const judged = judgeTiles(tiles);
  return { tiles, judged, key: [judged.kind, ...inOneOrder(judged, [...names])].join(" ") };
}

/** The names of a set, in an order that does not tell apart what is the same. */
function inOneOrder({ kind, unbalanced }, names) {
  const free = (some) => (kind === "group" ? some.sort() : some);
  if (unbalanced === null) return free(names);
  const mirror = names.indexOf("JM");
  const sides = [free(names.slice(0, mirror).reverse()), free(names.slice(mirror + 1))].map((side) => side.join(" "));
  const [first, second] = sides.sort();
  return [first, "JM", second];
}

/* --- What is the same -------------------------------------------------------------------------------------- */

const sameTiles = (some, others) => [...some].sort().join(" ") === [...others].sort().join(" ");

/** What is left of `items` when each of `others` has taken away one that is equal. */
function without(items, others, keyOf = (item) => item) {
  const still = others.map(keyOf);
  return items.filter((item) => {
    const at = still.indexOf(keyOf(item));
    if (at >= 0) still.splice(at, 1);
    return at < 0;
  });
}

/** The sets of `laid` that are not among `others`; the same set twice is there twice. */
const withoutUntouched = (laid, others) => without(laid, others, ({ key }) => key);

/* --- What speaks against it -------------------------------------------------------------------------------- */

/** An unopened player leaves every set as it is; the rest is the opening, and its value counts. */
function openingFaults(ruleset, gone, fresh) {
  if (gone.length) return ["table_touched_before_opening"];
  const because = [];
  if (fresh.reduce((sum, { judged }) => sum + judged.value, 0) < ruleset.opening_minimum) because.push("opening_below");
  const jokers = fresh.some(({ tiles }) => tiles.some((tile) => !tile.number));
  if (!ruleset.opening_jokers && jokers) because.push("joker_in_opening");
  return because;
}

/** What special jokers forbid (R86); a set that nobody touched is neither gone nor new. */
function specialFaults(gone, fresh) {
  const because = [];
  const unbalanced = ({ judged }) => judged.unbalanced === true;
  if (gone.some((before) => fresh.some((after) => liesWithAnotherJoker(before, after)))) because.push("joker_for_joker");
  if (gone.some(unbalanced) && fresh.some(unbalanced)) because.push("mirror_not_mended");
  return because;
}

/** Whether one joker lies in the place of one of another kind, all else equal: a run in its order, a plain group in any,
    a mirror set from either end. */
function liesWithAnotherJoker(before, after) {
  const [was, now] = [namesOf(before), namesOf(after)];
  if (was.length !== now.length) return false;
  const jokers = (...names) => names.every((name) => name.startsWith("J"));
  const mirrored = before.judged.unbalanced !== null;
  if (before.judged.kind === "group" && !mirrored) {
    const [lost, found] = [without(was, now), without(now, was)];
    return lost.length === 1 && found.length === 1 && jokers(lost[0], found[0]);
  }
  return [now, ...(mirrored ? [[...now].reverse()] : [])].some((way) => {
    const differing = was.flatMap((old, place) => (old === way[place] ? [] : [[old, way[place]]]));
    return differing.length === 1 && jokers(...differing[0]);
  });
}

/* --- The joker is paid from the hand ----------------------------------------------------------------------- */

/** Each joker of the table needs its own answer: a joker of its kind in `result` that may stand for a tile it stood for (its
    place is still there), or such a tile among those played; a double needs both its tiles. A matching, so that no choice is
    missed. */
function arePaidFromHand(table, own, result) {
  const wanted = table.flatMap(jokerPlaces);
  const paid = own.filter((tile) => tile.number).map((tile) => ({ kind: null, stands: [tile.name] }));
  const answers = [...result.flatMap(jokerPlaces), ...paid];
  const taken = new Map();
  const isAnswer = ({ kind, stands }, joker) =>
    (kind === null || kind === joker.kind) && stands.some((name) => joker.stands.includes(name));
  function find(joker, tried) {
    for (const [place, answer] of answers.entries()) {
      if (tried.has(place) || !isAnswer(answer, wanted[joker])) continue;
      tried.add(place);
      if (taken.has(place) && !find(taken.get(place), tried)) continue;
      taken.set(place, joker);
      return true;
    }
    return false;
  }
  return wanted.every((_, joker) => find(joker, new Set()));
}

/** The kind of each joker, with the tiles that it may stand for; of a double one entry for each of its two tiles. */
function jokerPlaces({ tiles, judged }) {
  return Object.entries(judged.stands_for).flatMap(([place, names]) => {
    const kind = tiles[place].name;
    if (kind !== "JD") return [{ kind, stands: names }];
    if (judged.kind === "group") return [{ kind, stands: names }, { kind, stands: names }];
    return [0, 1].map((which) => ({ kind, stands: names.filter((_, at) => at % 2 === which) }));
  });
}
