/* Questions during play, without network: could this rack open, is this set legal, what do the rules say. */

import { bestOpening, judgeSet } from "../engine/engine.js";
import { tileBoard } from "./board.js";
import { showVerdict } from "./verdict.js";
import { readWords } from "./words.js";

const { words, ruleset } = readWords("ice-data");
const copies = { copies: ruleset.tiles.numbers, jokers: ruleset.tiles.J };
const part = (name) => document.querySelector(`[data-part="${name}"]`);

const rackCount = part("ice").querySelector("[data-count]");
const rackVerdict = part("ice").querySelector(".verdict");
const setVerdict = part("set").querySelector(".verdict");

function judgeRack(tiles) {
  const opening = bestOpening(ruleset, tiles);
  rackCount.textContent = words.held.replace("%(tiles)s", tiles.length).replace("%(value)s", opening.face_value);
  rack.found(opening.sets);
  showVerdict(rackVerdict, { kind: "opening", opening, ruleset }, words);
}

function judgeOneSet(tiles) {
  showVerdict(setVerdict, { kind: "set", judged: judgeSet(ruleset, tiles), tiles }, words);
}

const rack = tileBoard(part("ice").querySelector("[data-board]"), { words, ...copies, onchange: judgeRack });
tileBoard(part("set").querySelector("[data-board]"), { words, ...copies, inOrder: true, onchange: judgeOneSet });
judgeRack([]);
judgeOneSet([]);

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
