/* A verdict as a person reads it: whether a rack could open, with its sets laid out as tiles, and whether a set is legal,
   with the reasons. */

import { judgeSet } from "../engine/engine.js";
import { make, tileElement, tileName } from "./tile.js";
import { fill, signed } from "./words.js";

/** Show in `element` {kind: "opening", opening, ruleset} (as bestOpening answers) or {kind: "set", judged, tiles}
    (as judgeSet answers). */
export function showVerdict(element, verdict, words) {
  const shown = verdict.kind === "opening" ? ofOpening(verdict, words) : ofSet(verdict, words);
  element.classList.toggle("is-no", !shown.good && !shown.waits);
  element.replaceChildren(
    make("div", { class: "row tight sets" }, ...shown.sets.map((set) => laid(set, words))),
    make("div", {}, make("h2", {}, shown.title), ...shown.lines.map((line) => make("p", {}, line))),
    ...(shown.flat === null ? [] : [make("span", { class: "flat" }, signed(shown.flat))]),
  );
}

function laid(set, words) {
  let jokers = 0;
  const tiles = set.map((name) => {
    if (name === "J") jokers += 1;
    return tileElement(name, words, { size: "m", joker: jokers > 1 ? "k" : "r" });
  });
  return make("span", { class: "set" }, ...tiles);
}

/* --- Could it open? (R25, R26) --------------------------------------------------------------------------- */

function ofOpening({ opening, ruleset }, words) {
  const { best, could_open: able, sets, tiles, rack_value_if_unopened: value } = opening;
  if (!tiles) return { good: false, waits: true, sets: [], title: words.waits, lines: [words.waits_why], flat: null };
  const facts = { minimum: ruleset.opening_minimum, best, value, tiles, dealt: ruleset.dealt_tiles };
  const hasFlat = (able ? ruleset.unopened_able : ruleset.unopened_unable) !== null;
  const sum = fill(words.sum, { parts: sets.flatMap((set) => numbersOf(ruleset, set)).join(" + "), best });
  const lines = able ? [fill(words.able, facts)] : [best ? fill(words.unable_best, { ...facts, sum }) : words.unable_none];
  lines[0] += hasFlat ? fill(able ? words.able_flat : words.unable_flat, facts) : fill(words.no_flat, facts);
  if (tiles < ruleset.dealt_tiles) lines.push(fill(words.under_dealt, facts));
  const title = able ? fill(words.can_open, { sum }) : fill(words.cannot_open, facts);
  return { good: able, sets, title, lines, flat: -value };
}

/** The numbers that a set counts, each joker at the tile it stands for. */
function numbersOf(ruleset, set) {
  const { stands_for: standsFor } = judgeSet(ruleset, set);
  return set.map((name, place) => (name === "J" ? standsFor[place][0] : name).slice(1));
}

/* --- Is it a set? ---------------------------------------------------------------------------------------- */

function ofSet({ judged, tiles }, words) {
  if (!tiles.length) return { good: false, waits: true, sets: [], title: words.set_waits, lines: [words.set_waits_why], flat: null };
  if (!judged.legal) {
    return { good: false, sets: [tiles], title: words.not_legal, lines: judged.because.map((code) => words.because[code]), flat: null };
  }
  const lines = Object.entries(judged.stands_for).map(([place, names]) => {
    const stands = names.map((name) => tileName(name, words)).join(words.or);
    return fill(words.stands_for, { place: Number(place) + 1, tiles: stands });
  });
  const kind = judged.kind === "run" ? words.legal_run : words.legal_group;
  return { good: true, sets: [tiles], title: fill(kind, { value: judged.value }), lines, flat: null };
}
