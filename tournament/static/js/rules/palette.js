/* The tiles of a box as keys: a press lays one more, with the count of those that lie; of one whose copies all lie it says so. */

import { boxJokers, boxRows, refusalText, refuseTile } from "./box.js";
import { make, tileElement, tileName } from "../tablet/tile.js";
import { fill, gettext, labels } from "../tablet/words.js";

/** The keys of a ruleset's tiles. `onlay(name)` for each press that lays a tile. Gives {elements, foot, show(laid)}: the keys
    to be placed one below the other, the row of jokers that takes more buttons, and what is to be counted. */
export function tilePalette(ruleset, onlay) {
  const keys = new Map();
  const said = make("p", { class: "small said", role: "status" });
  const grid = make("div", { class: "board", role: "group", "aria-label": gettext("Board of tiles") });
  const foot = make("div", { class: "row board-foot" });
  let laid = [];

  function key(name) {
    const element = tileElement(name, { tag: "button", size: name.startsWith("J") ? "l" : "" });
    element.dataset.add = name;
    keys.set(name, element);
    return element;
  }
  for (const { colour, names } of boxRows(ruleset)) {
    grid.classList.toggle("letters", !colour);
    if (colour) grid.append(make("b", { "aria-hidden": "true" }, labels().rules.colours[colour]));
    grid.append(...names.map(key));
  }
  const kinds = boxJokers(ruleset);
  foot.append(...kinds.map((kind) => make("span", { class: "kind" }, key(kind), kindText(kind, kinds))));

  function press(event) {
    const name = event.target.closest("[data-add]")?.dataset.add;
    if (!name) return;
    const refused = refuseTile(ruleset, laid, name);
    said.textContent = refused ? refusalText(refused) : "";
    if (!refused) onlay(name);
  }
  grid.addEventListener("click", press);
  foot.addEventListener("click", press);

  function show(tiles) {
    laid = tiles;
    for (const [name, element] of keys) showCount(element, name, tiles);
  }
  function showCount(element, name, tiles) {
    const count = tiles.filter((tile) => tile === name).length;
    element.classList.toggle("none", !count);
    element.setAttribute("aria-disabled", String(refuseTile(ruleset, tiles, name) !== null));
    element.setAttribute("aria-label", fill(gettext("%(tile)s, %(count)s pressed"), { tile: tileName(name), count }));
    element.querySelector("i")?.remove();
    if (count) element.append(make("i", { "aria-hidden": "true" }, String(count)));
  }
  return { elements: [grid, foot, said], foot, show, hush: () => said.replaceChildren() };
}

/** What stands beside a joker: its kind and what it does, where there are several. */
function kindText(kind, kinds) {
  const { joker_titles: titles, joker_uses: uses, jokers } = labels().rules;
  if (kinds.length === 1) return make("b", { "aria-hidden": "true" }, jokers[kind]);
  return make("span", { "aria-hidden": "true" }, titles[kind], make("small", {}, uses[kind]));
}

/** One back and all away, at the end of the row of jokers: `undo`, `clear`. Gives show({canUndo, isEmpty}). */
export function undoButtons(foot, { undo, clear }) {
  const back = act("undo", gettext("One back"), undo);
  const away = act("clear", gettext("Clear"), clear);
  foot.append(make("span", { class: "push" }), back, away);
  return ({ canUndo, isEmpty }) => {
    back.setAttribute("aria-disabled", String(!canUndo));
    away.setAttribute("aria-disabled", String(isEmpty));
  };
}

function act(name, word, doIt) {
  const element = make("button", { type: "button", class: "btn", "data-act": name }, word);
  element.addEventListener("click", () => element.getAttribute("aria-disabled") !== "true" && doIt());
  return element;
}

/** A tile that lies, as a button that takes it away. */
export function takenTile(name, place, options) {
  const element = tileElement(name, { tag: "button", ...options });
  element.dataset.take = String(place);
  element.setAttribute("aria-label", fill(gettext("Take away %(tile)s"), { tile: tileName(name) }));
  return element;
}
