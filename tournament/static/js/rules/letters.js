/* A rack of letters and a list of words: which of them can open, each with how many jokers it needs. Spelling is nobody's
   business here: whoever brings the list answers for it. */

import { openingWords } from "../engine/engine.js";
import { showVerdict } from "./verdict.js";
import { make } from "../tablet/tile.js";
import { fill, gettext } from "../tablet/words.js";

const APART = /[\s,;.、，。；]+/u;
const MOST_SHOWN = 200;

/** The field of words: typed, pasted, or read from a file of this device. `onchange(text)`. */
export function wordsField(text, onchange) {
  const input = make("textarea", { class: "input words", rows: "3", maxlength: "20000", spellcheck: "false", autocapitalize: "characters", autocomplete: "off" });
  input.value = text;
  input.addEventListener("input", () => onchange(input.value));
  const file = make("input", { type: "file", accept: ".txt,.csv,text/plain", class: "input" });
  file.addEventListener("change", async () => {
    if (!file.files.length) return;
    input.value = (await file.files[0].text()).slice(0, input.maxLength);
    onchange(input.value);
  });
  return make(
    "div", { class: "stack tight" },
    make("label", { class: "stack tight" }, make("b", {}, gettext("Words to be checked")), input),
    make("label", { class: "small quiet" }, gettext("Or a list of words from a file on this device:"), " ", file),
  );
}

/** Which words of the text the rack can open with. */
export function showWords(element, ruleset, rack, text) {
  const words = text.split(APART).filter(Boolean);
  if (!rack.length || !words.length) {
    const title = rack.length ? gettext("Write the words to be checked") : gettext("Press the letters of the rack");
    showVerdict(element, { title, lines: [fill(gettext("A first word has %(minimum)s letters or more."), { minimum: ruleset.opening_minimum })] });
    return;
  }
  const strange = words.flatMap((word, place) => strangeText(ruleset, word, place) ?? []);
  const known = words.filter((word, place) => strangeText(ruleset, word, place) === null);
  const { could_open: able, words: found, jokers } = openingWords(ruleset, rack, known);
  const lines = found.slice(0, MOST_SHOWN).map((word) => make("li", {}, wordText(word, jokers[word])));
  const others = known.length - found.length;
  showVerdict(element, {
    tone: able ? "done" : "stop",
    title: able ? fill(gettext("Could open: %(count)s of %(words)s words"), { count: found.length, words: words.length }) : gettext("Could not open with any of these words"),
    lines: [
      ...(lines.length ? [make("ol", { class: "found-words" }, ...lines)] : []),
      ...(others ? [restText(ruleset, others)] : []),
      ...strange,
    ],
  });
}

function wordText(word, jokers) {
  const facts = { word: word.toUpperCase(), letters: [...word].length, jokers };
  return fill(jokers ? gettext("%(word)s: %(letters)s letters, %(jokers)s of them by jokers") : gettext("%(word)s: %(letters)s letters"), facts);
}

const restText = (ruleset, count) =>
  fill(gettext("Not with %(count)s: shorter than %(minimum)s letters, or letters are missing on the rack."), { count, minimum: ruleset.opening_minimum });

/** A word with a character that the box has not; null for one of its letters alone. */
function strangeText(ruleset, word, place) {
  const strange = [...word].find((one) => ![one.toUpperCase(), one.toLowerCase(), one].some((form) => form in ruleset.tiles.letters));
  if (strange === undefined) return null;
  return fill(gettext("Word %(number)s, %(word)s: %(letter)s is no letter of the box."), { number: place + 1, word, letter: strange });
}
