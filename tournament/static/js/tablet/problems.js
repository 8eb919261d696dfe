/* What is wrong or unusual on a sheet, as sentences beside its cells; and the confirmations of what is unusual, whose keys
   the server makes in the same way. */

import { canonical } from "./game.js";
import { pointsText } from "./quantity.js";
import { sha256 } from "./sha256.js";
import { tileName } from "./tile.js";
import { fill, labels, pgettext } from "./words.js";

// Missing figures are told on the button, not as faults.
const TOLD_ELSEWHERE = new Set(["blank", "ending_missing", "could_open_missing", "games_count"]);
// Somebody decided this, and the sheet says why.
const NEEDS_REASON = new Set(["could_open_overruled", "unopened_under_14", "leaver_played_all", "nothing_played", "ruled"]);
// Only the desk or the chief judge can mend these: the game is recorded all the same.
const OF_OTHERS = new Set(["not_recorded_as_left", "empty_seat_filled", "too_few_players", "lowest_tie_unresolved", "ending_not_in_ruleset", "ruling_not_open"]);
const NO_ENDING = new Set(["nobody_out"]);
const KEY_LENGTH = 8;

/** The key of a confirmation: the code, the place and its figures, so that another figure must be confirmed anew. */
export const problemKey = ({ code, where, facts }) => `${code} ${where} ${sha256(canonical(facts)).slice(0, KEY_LENGTH)}`;

/** {game, letter, cell} of `games[0].seats.C.tiles`; game null for the whole sheet. */
export function placeOf({ where }) {
  const found = /^(?:games\[(\d+)\])?(?:totals)?(?:\.seats)?(?:\.([A-D])(?![a-z]))?(?:\.(\w+))?/.exec(where) ?? [];
  return { game: found[1] === undefined ? null : Number(found[1]), letter: found[2] ?? "", cell: found[3] ?? "" };
}

/** The problems of one game that a person is told, or of the sheet as a whole (`place` null). */
export const told = (problems, place) =>
  problems.filter((one) => placeOf(one).game === place && !TOLD_ELSEWHERE.has(one.code) && !NO_ENDING.has(one.code));

/** What must be mended. */
export const toMend = (problems) => problems.filter((one) => one.weight === "mend");

/** What stands against recording a game: what the table itself can mend. `miscounts`: the seats whose rack is marked as
    counted wrong; of them, and of the table with them, the chief judge decides. */
export const hinders = (problems, miscounts = []) =>
  toMend(problems).filter((one) => {
    const { letter } = placeOf(one);
    return !OF_OTHERS.has(one.code) && !(letter ? miscounts.includes(letter) : miscounts.length);
  });

/** What is unusual and has no reason yet. */
export const toConfirm = (problems, confirmations) =>
  problems.filter((one) => one.weight === "look" && !confirmations[problemKey(one)]?.trim());

/** Whether a tick is not enough. */
export const needsReason = (one) => NEEDS_REASON.has(one.code);

/** Only the confirmations of what is unusual now. */
export function kept(problems, confirmations) {
  const keys = problems.filter((one) => one.weight === "look").map(problemKey);
  return Object.fromEntries(keys.filter((key) => confirmations[key]).map((key) => [key, confirmations[key]]));
}

/** The sentence of one problem. */
export function sentence(one) {
  const { game, letter, cell } = placeOf(one);
  const facts = Object.fromEntries(Object.entries(one.facts).map(([name, value]) => [name, factText(name, value)]));
  const pattern = labels().problems[isGap(one) ? "value_gap" : one.code] ?? labels().problems.refused;
  return fill(pattern, { why: one.code, ...facts, game: (game ?? 0) + 1, seat: letter, cell: labels().cells[cell] ?? cell });
}

/** A value within its bounds that cannot be all the same: saying the bounds would contradict it. */
const isGap = ({ code, facts: { value, least, greatest } }) => code === "value_impossible" && least <= value && value <= greatest;

function factText(name, value) {
  if (Array.isArray(value)) return value.map((part) => factText(name, part)).join(pgettext("between seats", ", "));
  if (name === "points") return pointsText(value);
  if (name === "tile") return tileName(value);
  if (name === "ended_by" || name === "fits") return labels().endings[value] ?? value;
  if (name === "ruling") return labels().rulings[value] ?? value;
  if (name === "worked_out") return labels().yes_no[value] ?? value;
  return String(value);
}
