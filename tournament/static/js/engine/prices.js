/* Prices of tiles and jokers under which no set is worth more than what lies in it: repeats scoring/set_prices step by step.
   A set's excess is what its tiles cost beyond its worth. Any prices give the same total in the end; the better they are,
   the less there is to search. Prices are whole numbers, in twelfths of a point.

   A set: {contents, worth, jokers}: [kind, how many] of each kind of tile in it, its worth in price units, how many of its
   tiles are jokers. A supply: {names, copies, isJoker} of each kind of tile of the rack. */

import { TILES } from "./tiles.js";

export const PRICE_UNIT = 12;
const PLAIN_ROUNDS = 12;
const JOKER_ROUNDS = 24;
const FIRST_STEP = 4 * PRICE_UNIT;
const LAST_STEP = PRICE_UNIT / 2;

/** What the tiles of a set cost beyond its worth. */
export const excessOf = (prices, { contents, worth }) => costOf(prices, contents) - worth;

const costOf = (prices, contents) => contents.reduce((sum, [kind, many]) => sum + prices[kind] * many, 0);

/** What the whole rack costs: no total is more. */
export const priceOfSupply = (supply, prices) =>
  supply.copies.reduce((sum, many, kind) => sum + prices[kind] * many, 0);

/** Each tile that a set without jokers may hold at its face, all others at 0: no such set is worth more. */
export function facePrices(supply, plain) {
  const wanted = new Set(plain.flatMap((one) => one.contents.map(([kind]) => kind)));
  return supply.names.map((name, kind) => (wanted.has(kind) ? TILES.get(name).number * PRICE_UNIT : 0));
}

/** Prices for the sets without jokers, close to the total of `laid`, which are the best of them. What is left over costs
    nothing. A tile that another set wants is made dearer, the others of its own set cheaper. */
export function plainPrices(supply, plain, laid) {
  const used = supply.names.map(() => 0);
  const owners = supply.names.map(() => []);
  for (const { contents } of laid) {
    for (const [kind, many] of contents) {
      used[kind] += many;
      owners[kind].push(contents);
    }
  }
  const scarce = used.map((many, kind) => many === supply.copies[kind]);
  const prices = facePrices(supply, plain).map((price, kind) => (scarce[kind] ? price : 0));
  for (let round = 0; round < PLAIN_ROUNDS; round += 1) if (!shiftTowardsWanted(prices, plain, scarce, owners)) break;
  raiseUntilEnough(prices, plain, supply);
  return prices;
}

/** One round; whether any set was worth more than its tiles. */
function shiftTowardsWanted(prices, sets, scarce, owners) {
  let shifted = false;
  for (const { contents, worth } of sets) {
    const lacking = worth - contents.reduce((sum, [kind]) => sum + prices[kind], 0);
    if (lacking <= 0) continue;
    shifted = true;
    const wanted = contents.map(([kind]) => kind).filter((kind) => scarce[kind]);
    for (const kind of wanted) {
      const share = Math.ceil(lacking / wanted.length);
      prices[kind] += share;
      for (const owner of owners[kind]) makeCheaper(prices, owner, contents, share);
    }
  }
  return shifted;
}

/** The tiles of a set that another set does not want come down by a share between them. */
function makeCheaper(prices, owner, wanting, share) {
  const others = owner
    .map(([kind]) => kind)
    .filter((other) => prices[other] > 0 && wanting.every(([kind]) => kind !== other));
  for (const other of others) prices[other] = Math.max(0, prices[other] - Math.floor(share / others.length));
}

function raiseUntilEnough(prices, sets, supply) {
  for (const one of sets) {
    const lacking = -excessOf(prices, one);
    if (lacking <= 0) continue;
    const kinds = one.contents.map(([kind]) => kind);
    const rarest = kinds.reduce((least, kind) => (supply.copies[kind] < supply.copies[least] ? kind : least));
    prices[rarest] += lacking;
  }
}

/** The same prices, with a price for each kind of joker so that no set is worth more than its tiles, nor a tile more than
    the plain joker that may take its place. `sets` have jokers, fewest first. */
export function withJokerPrices(supply, prices, sets) {
  const found = prices.map((price, kind) => (supply.isJoker[kind] ? 0 : price));
  for (const one of sets) {
    const lacking = -excessOf(found, one);
    if (lacking <= 0) continue;
    const share = Math.ceil(lacking / one.jokers);
    for (const [kind] of one.contents) if (supply.isJoker[kind]) found[kind] += share;
  }
  const plainJoker = supply.names.indexOf("J");
  if (plainJoker >= 0) {
    const ofTiles = found.filter((_, kind) => !supply.isJoker[kind]);
    found[plainJoker] = Math.max(found[plainJoker], ...ofTiles);
  }
  return found;
}

/** Prices under which the rack costs less, by an auction: each joker bids for the tiles of the set that is best for it, and
    tiles that several want become dearer, step by step, until the jokers are content with others. */
export function auctionedPrices(supply, prices, sets) {
  let [trial, best, bestCost, step] = [[...prices], prices, priceOfSupply(supply, prices), FIRST_STEP];
  const alone = sets.filter((one) => one.jokers === 1);
  for (let round = 0; round < JOKER_ROUNDS; round += 1) {
    const bids = bidsOf(supply, trial, alone);
    if (!moveToBids(supply, trial, bids, { least: prices, step })) break;
    trial = withJokerPrices(supply, trial, sets);
    const cost = priceOfSupply(supply, trial);
    if (cost < bestCost) [best, bestCost] = [[...trial], cost];
    else if (round % 4 === 3) step = Math.max(LAST_STEP, Math.floor((step * 2) / 3));
  }
  return best;
}

/** Tiles that are wanted too often become dearer, those that are not wanted cheaper; whether any price moved. */
function moveToBids(supply, trial, bids, { least, step }) {
  let moved = false;
  bids.forEach((wanted, kind) => {
    const copies = supply.copies[kind];
    if (supply.isJoker[kind]) return;
    if (wanted > copies) trial[kind] += Math.floor((step * (wanted - copies)) / wanted);
    else if (wanted < copies && trial[kind] > least[kind]) {
      trial[kind] = Math.max(least[kind], trial[kind] - Math.floor(step / 2));
    } else return;
    moved = true;
  });
  return moved;
}

/** How many of each tile the jokers want, each kind for the set that gains most with one of it. */
function bidsOf(supply, prices, alone) {
  const gains = new Map();
  for (const { contents, worth } of alone) {
    const joker = contents.find(([kind]) => supply.isJoker[kind])[0];
    const gain = worth - costOf(prices, contents.filter(([kind]) => kind !== joker));
    if (!gains.has(joker) || gain > gains.get(joker).gain) gains.set(joker, { gain, contents });
  }
  const bids = supply.names.map(() => 0);
  for (const [joker, { contents }] of gains) {
    for (const [kind, many] of contents) bids[kind] += many * supply.copies[joker];
  }
  return bids;
}
