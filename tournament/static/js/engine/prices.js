/* Prices of tiles and jokers under which no set is worth more than what lies in it, and the rack costs least: repeats
   scoring/set_prices step by step. A set's excess is what its tiles cost beyond its worth. Any prices give the same total
   in the end; the better they are, the less there is to search.

   The best prices are the dual solution of a linear programme: lay as much of each set, in parts too, as is worth most. It
   is solved by the simplex method in whole numbers: everything is held times `unit`, the determinant of the basis, and each
   division leaves no rest. */

import { JOKERS } from "./tiles.js";

const COPY = 1024; // and a little more, of no two tiles by as much, so that no step leads back
const MOST_STEPS = 2000;
const WEIGHT = 120; // the set that gains most for a tile goes first, a joker counting as two
const TILE_WEIGHT = 20;

/** Prices for the tiles held, a Map of how many there are by name, all of which are in some of the sets: {of, unit,
    excesses}: what each costs by name, in parts of a point, `unit` of them being one, and the excess of each set. */
export function leastPrices(held, sets) {
  const programme = programmeFor(held, sets);
  for (let steps = 0; steps < MOST_STEPS; steps += 1) if (!step(programme)) break;
  const { unit, losses } = programme;
  const of = new Map([...held.keys()].map((name, row) => [name, Math.max(0, losses[row] / TILE_WEIGHT)]));
  const found = excessesOf(of, unit, sets);
  return { of, unit, excesses: mend(of, found, sets) ? excessesOf(of, unit, sets) : found };
}

const excessesOf = (of, unit, sets) =>
  sets.map(({ names, value }) => names.reduce((sum, name) => sum + of.get(name), 0) - value * unit);

/** Raise the prices where a set is worth more than its tiles, or a tile more than the plain joker that may take its place;
    whether one was raised. The best prices need it nowhere. */
function mend(of, found, sets) {
  let raised = false;
  sets.forEach(({ names }, at) => {
    if (found[at] >= 0) return;
    of.set(names.at(-1), of.get(names.at(-1)) - found[at]);
    raised = true;
  });
  const dearest = Math.max(...[...of].filter(([name]) => name === "J" || !JOKERS.includes(name)).map(([, price]) => price));
  if (!of.has("J") || dearest === of.get("J")) return raised;
  of.set("J", dearest);
  return true;
}

/** What the whole rack costs: no total is more. */
export const priceOfRack = ({ of }, held) => [...held].reduce((sum, [name, many]) => sum + of.get(name) * many, 0);

/** A row is a kind of tile. A column leaves a tile over, lays a set, or replaces a tile by a plain joker: {rows: [row, how
    many] of each tile in it, weight}. `inverse` has the columns of the inverse of the basis, `amounts` how much is laid of
    what is in the basis, `losses` for each column what its tiles cost beyond its worth, times its weight; all times `unit`.
    `table` has for each row how many of its tile lie in each column, times its weight. */
function programmeFor(held, sets) {
  const names = [...held.keys()];
  const row = new Map(names.map((name, at) => [name, at]));
  const replaced = held.has("J") ? names.filter((name) => !JOKERS.includes(name)) : [];
  const columns = [
    ...names.map((_, at) => ({ rows: [[at, 1]], weight: TILE_WEIGHT })),
    ...sets.map((one) => ({ rows: one.names.map((name) => [row.get(name), 1]), weight: weightOf(one) })),
    ...replaced.map((name) => ({ rows: [[row.get("J"), 1], [row.get(name), -1]], weight: TILE_WEIGHT })),
  ];
  const table = names.map(() => new Float64Array(columns.length));
  columns.forEach(({ rows, weight }, at) => {
    for (const [in_row, many] of rows) table[in_row][at] += many * weight;
  });
  const losses = new Float64Array(columns.length);
  sets.forEach(({ value }, at) => {
    losses[names.length + at] = -value * columns[names.length + at].weight;
  });
  const inverse = names.map((_, at) => Float64Array.from(names, (__, other) => Number(at === other)));
  const amounts = [...held.values()].map((many, at) => many * COPY + ((at * 37) % 101));
  return { unit: 1, columns, table, losses, inverse, amounts };
}

const weightOf = ({ names }) => Math.floor(WEIGHT / (names.length + names.filter((name) => JOKERS.includes(name)).length));

/** Take the column that gains most into the basis; whether one gains anything. */
function step(programme) {
  const { losses, columns, inverse } = programme;
  let entering = 0;
  for (let at = 1; at < losses.length; at += 1) if (losses[at] < losses[entering]) entering = at;
  if (losses[entering] >= 0) return false;
  const entries = new Float64Array(inverse.length);
  for (const [row, many] of columns[entering].rows) inverse[row].forEach((entry, at) => (entries[at] += many * entry));
  const leaving = leavingRow(programme, entries);
  if (leaving < 0) return false;
  exchange(programme, losses[entering] / columns[entering].weight, entries, leaving);
  return true;
}

/** The row whose amount is used up first; -1 where none is. */
function leavingRow({ amounts }, entries) {
  let leaving = -1;
  entries.forEach((entry, row) => {
    if (entry <= 0) return;
    if (leaving < 0 || amounts[row] * entries[leaving] < amounts[leaving] * entry) leaving = row;
  });
  return leaving;
}

function exchange(programme, loss, entries, leaving) {
  const { unit, table, losses, inverse, amounts } = programme;
  const pivot = entries[leaving];
  const amount = amounts[leaving];
  programme.amounts = amounts.map((had, row) => (row === leaving ? had : (had * pivot - entries[row] * amount) / unit));
  const inColumns = new Float64Array(losses.length);
  inverse.forEach((vector, row) => {
    const factor = vector[leaving];
    for (let at = 0; at < vector.length; at += 1) {
      if (at !== leaving) vector[at] = (vector[at] * pivot - factor * entries[at]) / unit;
    }
    if (!factor) return;
    for (let at = 0; at < inColumns.length; at += 1) inColumns[at] += factor * table[row][at];
  });
  for (let at = 0; at < losses.length; at += 1) losses[at] = (losses[at] * pivot - loss * inColumns[at]) / unit;
  programme.unit = pivot;
}
