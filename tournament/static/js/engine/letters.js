/* Words of letters: what a turn is worth, and which words of a list can open (R58): repeats scoring/words. Spelling is not
   judged. A turn: {words: [{letters, from_rack_only}], rack_emptied}. Letters are counted in code points, case aside. */

import { Refusal, jokerCount } from "./tiles.js";

const LEAST_LETTERS = 3;
// On a rack J is a joker; the letter J, of which a box may have one too, is written j there.
const JOKER_ON_RACK = "J";
const JOKER = "";

const total = (numbers) => numbers.reduce((sum, number) => sum + number, 0);

/** What turns and the jokers that are left come to: {turns, total}. */
export function scoreWordTurns(ruleset, turns, jokersLeft) {
  const values = turns.map((turn, place) => scoreWordTurn(turn, `turns[${place}]`));
  return { turns: values, total: total(values) - jokerCost(ruleset, jokersLeft) };
}

/** A point a letter of every word from the rack alone, and of the longest of the others; doubled where the rack was emptied.
    Throws a Refusal for a word that is too short or there twice. */
export function scoreWordTurn({ words, rack_emptied: emptied }, where = "turn") {
  const seen = new Set();
  words.forEach(({ letters }, place) => {
    const at = `${where}.words[${place}].letters`;
    if (lengthOf(letters) < LEAST_LETTERS) throw new Refusal(at, `has fewer than ${LEAST_LETTERS} letters`);
    if (seen.has(folded(letters))) throw new Refusal(at, "is there twice in one turn");
    seen.add(folded(letters));
  });
  const lengths = (own) => words.filter((word) => word.from_rack_only === own).map((word) => lengthOf(word.letters));
  return (total(lengths(true)) + Math.max(0, ...lengths(false))) * (emptied ? 2 : 1);
}

/** What the jokers that are left cost. Throws a Refusal for more than the box holds. */
export function jokerCost(ruleset, jokersLeft) {
  const most = jokerCount(ruleset);
  if (jokersLeft < 0 || jokersLeft > most) throw new Refusal("jokers_left", `must be from 0 to ${most}`);
  return jokersLeft * ruleset.joker_value;
}

/** Which words of the list the rack can open with, longest first, then by the alphabet, each as it is written where it
    stands first: {could_open, words, jokers}, the last by word. Throws a Refusal for a tile that is no letter of the box or no
    copy of which is left, and for a word with another character. */
export function openingWords(ruleset, rack, words) {
  const held = heldLetters(ruleset, rack);
  const jokers = ruleset.opening_jokers ? (held.get(JOKER) ?? 0) : 0;
  const least = Math.max(ruleset.opening_minimum, LEAST_LETTERS);
  const found = new Map();
  words.forEach((word, place) => {
    const letters = [...word].map((character) => boxLetter(ruleset, character, `words[${place}]`));
    const needed = jokersFor(letters, held);
    const key = letters.join("");
    if (letters.length >= least && needed <= jokers && !found.has(key)) found.set(key, { letters, word, needed });
  });
  const order = [...found.values()].sort(
    (one, other) => other.letters.length - one.letters.length || alphabetically(one.letters, other.letters),
  );
  const needs = Object.fromEntries(order.map(({ word, needed }) => [word, needed]));
  return { could_open: order.length > 0, words: order.map(({ word }) => word), jokers: needs };
}

/** How many letters the rack has not. */
function jokersFor(letters, held) {
  const counts = countOf(letters);
  return total([...counts].map(([letter, many]) => Math.max(0, many - (held.get(letter) ?? 0))));
}

function heldLetters(ruleset, rack) {
  const held = new Map();
  rack.forEach((name, place) => {
    const where = `rack[${place}]`;
    const tile = name === JOKER_ON_RACK ? JOKER : readLetter(ruleset, name, where);
    const copies = tile === JOKER ? jokerCount(ruleset) : ruleset.tiles.letters[tile];
    held.set(tile, (held.get(tile) ?? 0) + 1);
    if (held.get(tile) > copies) {
      throw new Refusal(where, `${name} is there more often than the set holds it (${copies})`);
    }
  });
  return held;
}

function readLetter(ruleset, name, where) {
  if (lengthOf(name) !== 1) throw new Refusal(where, "is no letter of the set");
  return boxLetter(ruleset, name, where);
}

/** The letter as the box has it, case aside. Throws a Refusal where it has none such. */
function boxLetter(ruleset, character, where) {
  const forms = [character, character.toUpperCase(), character.toLowerCase()];
  const letter = forms.find((form) => Object.hasOwn(ruleset.tiles.letters, form));
  if (letter === undefined) throw new Refusal(where, `${character} is no letter of the set`);
  return letter;
}

function countOf(letters) {
  const counts = new Map();
  for (const letter of letters) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return counts;
}

const lengthOf = (text) => [...text].length;

/** By code points, as scoring sorts. */
function alphabetically(one, other) {
  const at = one.findIndex((letter, place) => letter !== other[place]);
  return at < 0 ? 0 : one[at].codePointAt(0) - other[at].codePointAt(0);
}

/** Equal for words that differ in case alone. Character by character, as a sigma at the end of a word is a small letter of its
    own; there and back, as some letters have two capitals; the dotless i is no i. */
const folded = (text) =>
  [...text].map((one) => (one === "ı" ? one : one.toLowerCase().toUpperCase().toLowerCase())).join("");
