/* Groups of one number: the most tiles that spare tiles and jokers make, and how they are dealt. Part of opening.js. */

import { SHORTEST } from "./readings.js";
import { COLOURS } from "./tiles.js";

const memory = new Map();

/** [jokers used, tiles grouped, jokers included]: each joker only where it adds to the tiles. */
export function groupings(spare, jokers) {
  const key = `${spare},${jokers}`;
  if (!memory.has(key)) {
    const found = [[0, grouped(spare, 0).tiles]];
    for (let used = 1; used <= jokers; used += 1) {
      const { tiles } = grouped(spare, used);
      if (tiles > found.at(-1)[1]) found.push([used, tiles]);
    }
    memory.set(key, found);
  }
  return memory.get(key);
}

/** The number of groups that take the most tiles of one number, and these tiles. A colour is once in a group. */
function grouped(spare, jokers) {
  let best = { groups: 0, tiles: 0 };
  for (let groups = 1; groups <= Math.max(...spare) + jokers; groups += 1) {
    const fitting = spare.reduce((sum, there) => sum + Math.min(there, groups), 0) + jokers;
    const tiles = Math.min(COLOURS.length * groups, fitting);
    if (tiles >= SHORTEST * groups && tiles > best.tiles) best = { groups, tiles };
  }
  return best;
}

/** Deal the tiles of one number round the groups, colour by colour, then the jokers: no group gets a colour twice. */
export function layGroups(number, spare, jokers) {
  const { groups: count, tiles } = grouped(spare, jokers);
  const groups = Array.from({ length: count }, () => []);
  const names = spare.flatMap((there, colour) => new Array(Math.min(there, count)).fill(`${COLOURS[colour]}${number}`));
  const dealt = [...names.slice(0, tiles - jokers), ...new Array(count ? jokers : 0).fill("J")];
  dealt.forEach((name, place) => groups[place % count].push(name));
  return groups;
}
