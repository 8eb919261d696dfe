/* The box of a ruleset: which tiles it holds, how many of each, and whether one more can be laid. A tile is called as the
   rules call it: B4, a joker J, JD, JC or JM, a letter by itself; the letter J is j. */

import { COLOURS, HIGHEST, JOKERS, TILES, copiesOf, hasNumbers } from "../engine/engine.js";
import { tileName } from "../tablet/tile.js";
import { fill, gettext } from "../tablet/words.js";

const LETTER_J = "j";
const lettersOf = (ruleset) => Object.keys(ruleset.tiles.letters ?? {});

/** How many of this tile the box holds; 0 for what is no tile of it. */
function copiesInBox(ruleset, name) {
  if (TILES.has(name)) return copiesOf(ruleset, name);
  return ruleset.tiles.letters?.[name === LETTER_J ? "J" : name] ?? 0;
}

/** The tiles of the box by rows: a row a colour, or all letters in one; jokers apart. */
export function boxRows(ruleset) {
  const ofColour = (colour) => Array.from({ length: HIGHEST }, (_, at) => `${colour}${at + 1}`);
  if (hasNumbers(ruleset)) return COLOURS.map((colour) => ({ colour, names: ofColour(colour) }));
  return [{ colour: "", names: lettersOf(ruleset).map((letter) => (letter === "J" ? LETTER_J : letter)) }];
}

/** The kinds of jokers in the box. */
export const boxJokers = (ruleset) => JOKERS.filter((kind) => copiesOf(ruleset, kind));

/** Where a tile stands on a rack that is in no order of its own: by colour and number or letter, jokers last. */
export function tileRank(ruleset, name) {
  const names = [...boxRows(ruleset).flatMap((row) => row.names), ...JOKERS];
  return names.indexOf(name);
}

/** Why one more such tile cannot lie beside those: null, or a code with its facts (refusalText says it in words). */
export function refuseTile(ruleset, laid, name) {
  const copies = copiesInBox(ruleset, name);
  if (!copies) return { code: "not_in_box", name };
  return laid.filter((one) => one === name).length < copies ? null : { code: "all_laid", name, copies };
}

/** Such a refusal as a sentence. */
export function refusalText({ code, name, copies }) {
  if (code === "all_laid") return fill(gettext("%(tile)s: the box has only %(copies)s, and they are laid already."), { tile: tileName(name), copies });
  return fill(gettext("%(tile)s is not in the box of these rules."), { tile: tileName(name) });
}
