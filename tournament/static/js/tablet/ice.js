/* The rules asked on a tablet, without network: a set, a turn, an opening, and the rules as a card in both languages. */

import { makeLanguage } from "./language.js";
import { askRules } from "../rules/ask.js";
import { gettext, page } from "./words.js";

const cards = document.querySelector("[data-cards]");
const card = (index) => [...cards.children].filter((one) => Number(one.dataset.card) === index);
const drawCards = (index) => (body) => {
  body.classList.add("rules");
  body.append(...card(index).map((one) => one.cloneNode(true)));
};

cards.hidden = true;
const asked = askRules({
  rulesets: page.rulesets,
  host: document.querySelector("[data-ask]"),
  head: document.querySelector("[data-ask-head]"),
  more: (index) => [{ ask: "rules", word: gettext("Rules"), draw: drawCards(index) }],
  kept: "rules asked",
});
makeLanguage({ onswitch: asked.draw }).resume();
