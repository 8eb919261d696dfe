/* A question as an address carries it after its #, so that it is there again when the page is loaded anew, and can be sent to
   somebody: ask=move&before=R1.R2.R3_B4.K4.O4&after=... What cannot be taken is refused with its place. */

import { refusalText, refuseTile } from "./box.js";
import { fill, gettext } from "../tablet/words.js";

const [TILE, SET] = [".", "_"];
const MOST_WORDS = 20000;
const MOST_TILES = 200;

export const emptyQuestion = () => ({ ask: "", set: [], rack: [], before: [], after: [], opened: true, words: "" });

/** The question as text; `by` is the code of its ruleset. */
export function writeQuestion({ ask, set, rack, before, after, opened, words }, by) {
  const parts = {
    by,
    ask,
    set: set.join(TILE),
    rack: rack.join(TILE),
    before: before.map((names) => names.join(TILE)).join(SET),
    after: after.map((names) => names.join(TILE)).join(SET),
    opened: opened ? "" : "no",
    words,
  };
  return new URLSearchParams(Object.entries(parts).filter(([, value]) => value)).toString();
}

/** {index, question, refused}: by which of the rulesets; `refused` is a sentence with the first place that cannot be taken, and
    then nothing of its part is laid. */
export function readQuestion(text, rulesets) {
  const given = new URLSearchParams(text);
  const index = Math.max(0, rulesets.findIndex(({ code }) => code === given.get("by")));
  const { ruleset } = rulesets[index];
  const question = { ...emptyQuestion(), ask: given.get("ask") ?? "", opened: given.get("opened") !== "no", words: (given.get("words") ?? "").slice(0, MOST_WORDS) };
  const refusals = [];
  for (const part of ["set", "rack", "before", "after"]) {
    const sets = (given.get(part) ?? "").split(SET).filter(Boolean).map((one) => one.split(TILE).slice(0, MOST_TILES));
    const refused = refusedOf(ruleset, sets);
    if (refused) refusals.push(placeText(part, refused));
    else question[part] = part === "set" || part === "rack" ? sets.flat() : sets;
  }
  return { index, question, refused: refusals.join(" ") };
}

/** The first tile that the box has not, or has not so often; null where all can lie. */
function refusedOf(ruleset, sets) {
  const laid = [];
  for (const [set, names] of sets.entries()) {
    for (const [tile, name] of names.entries()) {
      const refused = refuseTile(ruleset, laid, name);
      if (refused) return { set, tile, refused };
      laid.push(name);
    }
  }
  return null;
}

function placeText(part, { set, tile, refused }) {
  const places = {
    set: gettext("The set, tile %(tile)s: %(why)s"),
    rack: gettext("The rack, tile %(tile)s: %(why)s"),
    before: gettext("The table before, set %(set)s, tile %(tile)s: %(why)s"),
    after: gettext("The table after, set %(set)s, tile %(tile)s: %(why)s"),
  };
  return fill(places[part], { set: set + 1, tile: tile + 1, why: refusalText(refused) });
}
