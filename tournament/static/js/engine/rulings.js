/* What the rules leave open about one game, and the chief judge's ruling on it for this game alone (R29-R31). Repeats
   scoring/rulings. */

import { scoringOf } from "./game.js";
import { problem } from "./racks.js";

const SCORINGS = ["difference", "raw"];
const TIE = "fewest_tiles";
const FIELDS = { pool: "pool_scoring", time: "time_up_scoring" };

/** The rulings that a game that ended so may need; none where the rules decide every such game. */
export function rulingsLeftOpen(ruleset, endedBy) {
  if (!(endedBy in FIELDS)) return [];
  const scorings = scoringOf(ruleset, endedBy) === null ? SCORINGS : [];
  if (ruleset.lowest_tie !== "unresolved") return scorings;
  return scorings.length ? [...scorings, ...scorings.map((name) => `${name},${TIE}`)] : [TIE];
}

/** The rules for this game: exactly the fields that they leave open are as ruled. */
export function applyRuling(ruleset, endedBy, ruling) {
  if (!rulingsLeftOpen(ruleset, endedBy).includes(ruling)) return ruleset;
  const fields = ruling.split(",").map((part) => [part === TIE ? "lowest_tie" : FIELDS[endedBy], part]);
  return { ...ruleset, ...Object.fromEntries(fields) };
}

/** A ruling that is given: to be confirmed, or of something that is not open. `tied`: the seats that share the lowest
    rack; null where it cannot be said. */
export function judgeRuling(ruleset, endedBy, ruling, tied) {
  if (!ruling || !endedBy) return [];
  const parts = ruling.split(",");
  const possible = rulingsLeftOpen(ruleset, endedBy).includes(ruling);
  const ofTie = parts.includes(TIE);
  if (possible && (!ofTie || tied === null || tied.length)) {
    return [problem("ruled", "ruling", { ruling, seats: ofTie ? (tied ?? []) : [] }, "look")];
  }
  return [problem("ruling_not_open", "ruling", { ruling, fits: [possible && parts[0] !== TIE ? parts[0] : ""] })];
}

/** The problems of a game; what the rules leave open asks for a ruling, with those that would do. */
export function askForRuling(ruleset, endedBy, ruling, found) {
  const possible = rulingsLeftOpen(ruleset, endedBy);
  const fits = {
    ending_not_in_ruleset: possible.filter((one) => !one.includes(TIE)),
    lowest_tie_unresolved: possible.filter((one) => one.includes(TIE) && one.startsWith(ruling)),
  };
  return found.map((one) => (one.code in fits ? { ...one, where: "ruling", facts: { ...one.facts, fits: fits[one.code] } } : one));
}
