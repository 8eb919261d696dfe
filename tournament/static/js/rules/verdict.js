/* A verdict as a person reads it: whether a rack could open, with its sets laid out as tiles; whether a set is one, with what
   its jokers stand for and its other readings; whether a turn is allowed. The words of codes are the server's (rule_labels). */

import { judgeMove, judgeSet, setReadings } from "../engine/engine.js";
import { laidTiles, make, tileName } from "../tablet/tile.js";
import { fill, gettext, labels, signed } from "../tablet/words.js";

const DOUBLE = "JD";
const TONES = ["done", "wait", "stop"];

/** Into `element`: `tone` done, wait, stop, or "" while something is still to be laid; `badge` its word; `sets` drawn first;
    `title`, `lines` (texts or elements); `worth` the large figure. */
export function showVerdict(element, { tone = "", badge = "", sets = [], title, lines = [], worth = "" }) {
  element.classList.toggle("is-no", tone === "stop");
  for (const one of TONES) element.classList.toggle(one, tone === one);
  element.replaceChildren(
    badge ? make("span", { class: `badge ${tone}` }, badge) : make("div", { class: "row tight sets" }, ...sets.map(drawnSet)),
    make("div", {}, make("h2", {}, title), ...lines.map((line) => (line instanceof Node ? line : make("p", {}, line)))),
    ...(worth === "" ? [] : [make("span", { class: "flat" }, worth)]),
  );
}

const drawnSet = (names) => make("span", { class: "set" }, ...laidTiles(names, { size: "m" }));

const joined = (texts) => texts.join(labels().rules.comma);

const sentenceCase = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/* --- Could it open? (R25, R26) --------------------------------------------------------------------------- */

/** `opening` as bestOpening answers. */
export function showOpening(element, ruleset, opening) {
  const { best, could_open: able, sets, tiles, rack_value_if_unopened: value, exact } = opening;
  if (!tiles) {
    showVerdict(element, { title: gettext("Press the tiles of the rack"), lines: [gettext("The rack as it is at the end of the game, a tile just drawn included.")] });
    return;
  }
  const facts = { minimum: ruleset.opening_minimum, best, value, tiles, dealt: ruleset.dealt_tiles };
  const hasFlat = (able ? ruleset.unopened_able : ruleset.unopened_unable) !== null;
  const sum = fill(gettext("%(parts)s = %(best)s"), { parts: sets.flatMap((set) => numbersOf(ruleset, set)).join(" + "), best });
  const lines = able ? [fill(gettext("%(minimum)s or more. "), facts)] : [best ? fill(gettext("The most is %(sum)s. "), { ...facts, sum }) : gettext("There is no set in it. ")];
  const flat = able ? gettext("Able to open, yet not opened: the whole rack counts −%(value)s.") : gettext("Not able to open: the whole rack counts −%(value)s.");
  lines[0] += fill(hasFlat ? flat : gettext("The rack counts its tiles: −%(value)s."), facts);
  if (!exact) lines.push(gettext("On so large a rack perhaps even more could be laid."));
  if (tiles < ruleset.dealt_tiles) lines.push(fill(gettext("An unopened rack has %(dealt)s tiles or more; here are %(tiles)s."), facts));
  const title = able ? fill(gettext("Could open: %(sum)s"), { sum }) : fill(gettext("Could not open: no sets reach %(minimum)s"), facts);
  showVerdict(element, { tone: able ? "done" : "stop", sets, title, lines, worth: signed(-value) });
}

/** The numbers that a set counts, each joker at the tiles it stands for. */
function numbersOf(ruleset, set) {
  const { stands_for: standsFor } = judgeSet(ruleset, set);
  const stands = (name, place) => (name in labels().rules.jokers ? standsFor[place].slice(0, name === DOUBLE ? 2 : 1) : [name]);
  return set.flatMap(stands).map((name) => name.slice(1));
}

/* --- Is it a set? ---------------------------------------------------------------------------------------- */

/** The set as it was laid, judged, with every way in which it can be read. `examples`: by kind of joker, and `set` of a set
    without one, where the rules show some; none where there is no such page. */
export function showSet(element, ruleset, tiles, examples = {}) {
  if (!tiles.length) {
    showVerdict(element, { title: gettext("Press the tiles of the set"), lines: [gettext("A run from low to high, each joker in its place.")] });
    return;
  }
  const { set_verdicts: verdicts, uneven } = labels().rules;
  const judged = judgeSet(ruleset, tiles);
  if (!judged.legal) {
    const [title, ...lines] = faultTexts(judged, tiles);
    showVerdict(element, { tone: "stop", badge: verdicts.wrong, title, lines: [...lines, ...examplesOf(tiles, examples)] });
    return;
  }
  const [best, ...others] = setReadings(ruleset, tiles);
  const lines = [jokerTexts(tiles, best).join(" "), judged.unbalanced ? uneven : ""].filter(Boolean);
  if (others.length) lines.push(otherReadings(tiles, others));
  lines.push(...examplesOf(tiles, examples));
  const tone = judged.unbalanced ? "wait" : "done";
  showVerdict(element, { tone, badge: verdicts[tone === "wait" ? "uneven" : "valid"], title: worthText(best), lines, worth: String(best.value) });
}

/** The way to the examples of the joker that lies in the set, a special one first, or of sets without one. */
function examplesOf(tiles, examples) {
  const kind = ["JD", "JC", "JM", "J"].find((joker) => tiles.includes(joker)) ?? "set";
  const link = (address) => make("p", { class: "small" }, make("a", { href: address, "data-examples": kind }, gettext("Examples in the rules of play")));
  return examples[kind] ? [link(examples[kind])] : [];
}

/** Why a set is none. What mirror or colours break has one code: the joker that asks for more says what. */
function faultTexts({ because }, tiles) {
  const { set_faults: faults, mixed_with: asking } = labels().rules;
  const joker = Object.keys(asking).find((kind) => tiles.includes(kind));
  return because.map((code) => (code === "mixed" && joker ? asking[joker] : faults[code]));
}

const worthText = ({ kind, value }) => fill(labels().rules.set_worth[kind], { value });

/** What each joker stands for, a sentence each. */
function jokerTexts(tiles, { kind, stands_for: standsFor }) {
  return Object.entries(standsFor).map(([place, names]) => {
    const joker = sentenceCase(tileName(tiles[place]));
    return fill(labels().rules.joker_place, { joker, tiles: standsText(tiles[place], kind, names) });
  });
}

/** The tiles that a joker may stand for; of a double the two of each choice together. */
function standsText(joker, kind, names) {
  const { two_tiles: pair, either_tile: either } = labels().rules;
  let texts = names.map(tileName);
  if (joker === DOUBLE && (kind === "run" || names.length === 2)) {
    texts = texts.flatMap((first, at) => (at % 2 ? [] : [fill(pair, { first, second: texts[at + 1] })]));
  }
  const last = texts.pop();
  return texts.length ? fill(either, { first: joined(texts), second: last }) : last;
}

/** Opened by a press; a value counts only in the best. */
function otherReadings(tiles, readings) {
  const lines = readings.map((reading) => make("li", {}, [worthText(reading), ...jokerTexts(tiles, reading)].join(" ")));
  const title = fill(gettext("It can also be read otherwise: %(count)s"), { count: readings.length });
  return make("details", { class: "small readings" }, make("summary", {}, title), make("ul", {}, ...lines));
}

/* --- May a turn be played so? ----------------------------------------------------------------------------- */

/** The first set of a table that is none, as a sentence; null where all are. */
function wrongSet(ruleset, sets) {
  for (const [place, names] of sets.entries()) {
    const judged = judgeSet(ruleset, names);
    if (!judged.legal) return { place, text: setText(place, judged, names) };
  }
  return null;
}

const setText = (place, judged, names) => fill(gettext("Set %(number)s: %(faults)s"), { number: place + 1, faults: faultTexts(judged, names).join(" ") });

/** A turn: what lay on the table, what lies there after it; `played` is what came from the rack. */
export function showMove(element, ruleset, { opened, before, played, after }) {
  const wrong = wrongSet(ruleset, before);
  if (wrong) {
    showVerdict(element, { title: gettext("The table before is not complete yet"), lines: [wrong.text] });
    return;
  }
  if (!after.length) {
    showVerdict(element, { title: gettext("Lay the table as it is after the turn"), lines: [gettext("What lies there in addition came from the rack.")] });
    return;
  }
  const { legal, because } = judgeMove(ruleset, { opened, before, played, after });
  const { move_verdicts: verdicts, move_faults: faults } = labels().rules;
  const total = valueOf(ruleset, after) - valueOf(ruleset, before);
  const facts = { total, needed: ruleset.opening_minimum };
  const texts = because.flatMap((code) => [fill(faults[code], facts), ...(code === "illegal_set" ? wrongTexts(ruleset, after) : [])]);
  const own = played.length ? fill(gettext("From the rack: %(tiles)s."), { tiles: joined(played.map(tileName)) }) : "";
  const [title, ...lines] = legal ? [own, ...(opened ? [] : [fill(gettext("Opens with %(total)s."), facts)])] : [...texts, own];
  showVerdict(element, { tone: legal ? "done" : "stop", badge: verdicts[legal ? "valid" : "wrong"], title, lines: lines.filter(Boolean) });
}

const valueOf = (ruleset, sets) => sets.reduce((sum, names) => sum + judgeSet(ruleset, names).value, 0);

const wrongTexts = (ruleset, sets) =>
  sets.flatMap((names, place) => {
    const judged = judgeSet(ruleset, names);
    return judged.legal ? [] : [setText(place, judged, names)];
  });
