/* A turn laid out: the table before it and the table after it, set by set. What lies there in addition came from the rack, so
   nothing is laid twice. A press on the keys adds to the set that is chosen, a press on a tile takes it away. */

import { tileRank } from "./box.js";
import { takenTile, tilePalette, undoButtons } from "./palette.js";
import { choice } from "../tablet/ask.js";
import { make, tileElement, tileName } from "../tablet/tile.js";
import { fill, gettext, pgettext } from "../tablet/words.js";

/** What lies on one table and not on the other, copy by copy. */
export function beyond(sets, others) {
  const rest = others.flat();
  return sets.flat().filter((name) => {
    const at = rest.indexOf(name);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
}

/** Both tables in `element`. `turn` {opened, before, after}; `onchange(turn)` after each press; `between` stands between the
    tables and the keys. */
export function turnBoard(element, { ruleset, turn, onchange, between = [] }) {
  const board = { ruleset, turn, at: { part: turn.before.length ? "after" : "before", set: 0 }, past: [] };
  board.at.set = turn[board.at.part].length;
  const parts = { before: part("before", gettext("The table before the turn")), after: part("after", gettext("The table after the turn")) };
  const palette = tilePalette(ruleset, lay);
  const showButtons = undoButtons(palette.foot, { undo: () => put(board.past.pop()), clear: () => change({ before: [], after: [] }) });
  const opened = choice(
    gettext("Whether the player had opened"),
    [["yes", gettext("Had opened before")], ["no", gettext("Opens with this turn")]],
    turn.opened ? "yes" : "no",
    (value) => change({ opened: value === "yes" }),
  );
  element.classList.add("turn-board");
  element.replaceChildren(opened, parts.before.element, parts.after.element, ...between, ...palette.elements);

  function part(name, title) {
    const sets = make("div", { class: "table-sets" });
    const more = make("div", { class: "row tight to-lay" });
    const holder = make("section", { class: "table-laid", "aria-label": title }, make("h3", {}, title), sets, more);
    holder.dataset.table = name;
    holder.addEventListener("click", (event) => pressed(name, event));
    return { element: holder, sets, more };
  }
  function pressed(name, event) {
    const tile = event.target.closest("[data-take]");
    const still = event.target.closest("[data-still]");
    const rack = event.target.closest("[data-set]");
    if (tile) takeAway(name, Number(rack.dataset.set), Number(tile.dataset.take));
    else if (still) {
      if (board.at.part !== name) board.at = { part: name, set: board.turn[name].length };
      lay(still.dataset.still);
    } else if (event.target.closest("[data-as-before]")) {
      board.at = { part: "after", set: 0 };
      change({ after: board.turn.before.map((set) => [...set]) });
    } else if (rack) choose(name, Number(rack.dataset.set));
  }
  function choose(name, set) {
    board.at = { part: name, set };
    show();
    parts[name].sets.querySelector(`[data-set="${set}"] [data-lay]`)?.focus();
  }
  function lay(name) {
    const { part: where, set } = board.at;
    const sets = [...board.turn[where]];
    sets[set] = [...(sets[set] ?? []), name];
    change({ [where]: sets });
  }
  function takeAway(where, set, place) {
    const sets = board.turn[where].map((names, at) => (at === set ? names.filter((_, of) => of !== place) : names));
    const left = sets.filter((names) => names.length);
    board.at = { part: where, set: left.length < sets.length ? left.length : set };
    change({ [where]: left });
  }
  function change(changed) {
    board.past.push(board.turn);
    put({ ...board.turn, ...changed });
  }
  function put(next) {
    board.turn = next;
    board.at.set = Math.min(board.at.set, next[board.at.part].length);
    [...opened.children].forEach((one, at) => one.setAttribute("aria-pressed", String(next.opened === (at === 0))));
    palette.hush();
    show();
    onchange(next);
  }
  function show() {
    const { before, after } = board.turn;
    palette.show(board.turn[board.at.part].flat());
    showButtons({ canUndo: board.past.length > 0, isEmpty: !before.length && !after.length });
    for (const name of ["before", "after"]) parts[name].sets.replaceChildren(...[...board.turn[name], []].map((names, at) => setRack(board, name, names, at)));
    const still = beyond(before, after);
    const asBefore = make("button", { type: "button", class: "btn", "data-as-before": "" }, gettext("Begin with the table before"));
    const shown = !before.length ? [] : !after.length ? [asBefore] : still.length ? [make("b", { class: "small" }, gettext("Still to lie:")), ...stillTiles(board, still)] : [];
    parts.after.more.replaceChildren(...shown);
  }
  show();
}

/** One set of a table; the last one is empty, and takes what is laid into a new set. */
function setRack(board, part, names, at) {
  const isChosen = board.at.part === part && board.at.set === at;
  const tiles = names.map((name, place) => takenTile(name, place, { size: "s" }));
  const number = { number: at + 1 };
  const word = names.length ? fill(gettext("Lay into set %(number)s"), number) : gettext("Lay a new set");
  const here = make("button", { type: "button", class: "tile gone s", "aria-label": word, "aria-pressed": String(isChosen), "data-lay": "" }, "+");
  const rack = make("div", { class: `rack set-rack${isChosen ? " chosen" : ""}`, role: "group", "aria-label": fill(pgettext("rules", "Set %(number)s"), number) }, ...tiles, here);
  rack.dataset.set = String(at);
  return rack;
}

/** What lay on the table and is not laid yet. */
function stillTiles(board, names) {
  const ranked = [...names].sort((one, other) => tileRank(board.ruleset, one) - tileRank(board.ruleset, other));
  return ranked.map((name) => {
    const element = tileElement(name, { tag: "button", size: "s" });
    element.dataset.still = name;
    element.setAttribute("aria-label", fill(gettext("Lay %(tile)s"), { tile: tileName(name) }));
    return element;
  });
}
