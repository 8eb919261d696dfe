/* The keys of a panel: digits for the rack value, then one press for the tile count, which moves to the next seat. */

import { marked } from "../engine/engine.js";
import { icon } from "./icon.js";
import { make } from "./tile.js";
import { fill, gettext, pgettext } from "./words.js";

const DIGITS = [1, 2, 3, 4, 5, "erase", 6, 7, 8, 9, 0, "tiles"];
const FEW = 15;
const MANY = 30;

function key(act, figure, label, ...children) {
  const element = make("button", { type: "button", class: `key${act === "rack" || act === "counts" ? " word" : ""}`, "data-act": act }, ...children);
  if (figure !== null) element.dataset.figure = String(figure);
  if (label) element.setAttribute("aria-label", label);
  return element;
}

/** The keys for the cell in hand. */
export function keysElement({ cell, typed, place, more }) {
  const { letter } = cell;
  const flat = !typed.games[place].seats[letter].opened || marked(typed.games[place].seats[letter]).length > 0;
  const keys = make("div", { class: "keys" });
  if (!flat) keys.append(digitKeys(letter));
  keys.append(countKeys(letter, more));
  return keys;
}

function digitKeys(letter) {
  const group = make("div", { class: "digits", role: "group", "aria-label": fill(gettext("Keys for the rack value of %(seat)s"), { seat: letter }) }, caption(pgettext("panel", "Rack"), letter));
  for (const figure of DIGITS) {
    if (figure === "erase") group.append(key("erase", null, gettext("Erase"), icon("del")));
    else if (figure === "tiles") group.append(key("rack", null, "", pgettext("panel", "Tap tiles")));
    else group.append(key("digit", figure, "", String(figure)));
  }
  return group;
}

function countKeys(letter, more) {
  const group = make("div", { class: "counts", role: "group", "aria-label": fill(gettext("Keys for the tiles of %(seat)s"), { seat: letter }) }, caption(pgettext("panel", "Tiles"), letter));
  const [from, to] = more ? [FEW + 1, MANY] : [1, FEW];
  for (let tiles = from; tiles <= to; tiles += 1) group.append(key("count", tiles, "", String(tiles)));
  group.append(key("counts", null, more ? gettext("1 to 15") : gettext("16 and more"), more ? `1\u2013${FEW}` : `${FEW + 1}+`));
  return group;
}

const caption = (word, letter) => make("p", { "aria-hidden": "true" }, `${word} ${letter}`);
