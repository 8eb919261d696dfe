/* Questions during play, without network: could this rack open, is this set legal, what do the rules say. */

import { bestOpening, judgeSet } from "../engine/engine.js";
import { tileBoard } from "./board.js";
import { showVerdict } from "./verdict.js";
import { readWords } from "./words.js";

const { words, rulesets } = readWords("ice-data");
const part = (name) => document.querySelector(`[data-part="${name}"]`);
const chooser = document.querySelector("[data-rules]");
const KEPT = "tablet ice";
let ruleset = rulesets[0].ruleset;
let played = ""; // by which rules of which page
let rack = null;

const rackCount = part("ice").querySelector("[data-count]");
const rackVerdict = part("ice").querySelector(".verdict");
const setVerdict = part("set").querySelector(".verdict");

/** What was tapped last, for when the page is closed by mistake. */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? {};
  } catch {
    return {};
  }
}

function keep(tiles) {
  try {
    localStorage.setItem(KEPT, JSON.stringify({ played, tiles }));
  } catch {
    // a browser that keeps nothing answers all the same
  }
}

function judgeRack(tiles) {
  keep(tiles);
  const opening = bestOpening(ruleset, tiles);
  rackCount.textContent = words.held.replace("%(tiles)s", tiles.length).replace("%(value)s", opening.face_value);
  rack.found(opening.sets);
  showVerdict(rackVerdict, { kind: "opening", opening, ruleset }, words);
}

function judgeOneSet(tiles) {
  showVerdict(setVerdict, { kind: "set", judged: judgeSet(ruleset, tiles), tiles }, words);
}

/** An empty board of this game's tiles in the place of the one before. */
function freshBoard(name, given) {
  const before = part(name).querySelector("[data-board]");
  const place = before.cloneNode(false);
  before.replaceWith(place);
  return tileBoard(place, { words, copies: ruleset.tiles.numbers, jokers: ruleset.tiles.J, ...given });
}

/* --- By which rules -------------------------------------------------------------------------------------- */

function playBy(index) {
  const { fits, ruleset: chosen } = rulesets[index];
  ruleset = chosen;
  played = `${location.pathname} ${index}`;
  for (const card of document.querySelectorAll("[data-card]")) card.hidden = Number(card.dataset.card) !== index;
  document.querySelector("[data-strange]").hidden = fits;
  for (const choice of choices) choice.disabled = !fits && choice.dataset.choose !== "rules";
  if (!fits) {
    choose("rules");
    return;
  }
  const before = kept();
  const tiles = before.played === played ? before.tiles : [];
  rack = freshBoard("ice", { tiles, onchange: judgeRack });
  freshBoard("set", { inOrder: true, onchange: judgeOneSet });
  judgeRack(tiles);
  judgeOneSet([]);
}

/* --- One part at a time; without this file all stand below one another ------------------------------------ */

const choices = [...document.querySelectorAll("[data-choose]")];

function choose(name) {
  for (const choice of choices) {
    choice.setAttribute("aria-pressed", String(choice.dataset.choose === name));
    part(choice.dataset.choose).hidden = choice.dataset.choose !== name;
  }
}

for (const choice of choices) {
  choice.addEventListener("click", () => {
    choose(choice.dataset.choose);
    history.replaceState(null, "", `#${choice.dataset.choose}`);
  });
}
const wanted = location.hash.slice(1);
choose(choices.some((choice) => choice.dataset.choose === wanted) ? wanted : "ice");
document.querySelector("[data-parts]").hidden = false;
playBy(0);
if (chooser) {
  chooser.hidden = false;
  chooser.addEventListener("change", () => playBy(Number(chooser.value)));
}
