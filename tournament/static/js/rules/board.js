/* The board on which a rack or a set is pressed: what lies above, the keys of the box, one back, all away. A press on the
   board adds a tile while the box has a copy left, a press in the rack takes it away. */

import { tileRank } from "./box.js";
import { takenTile, tilePalette, undoButtons } from "./palette.js";
import { make } from "../tablet/tile.js";
import { gettext } from "../tablet/words.js";

const LONG_RACK = 17;

/** A board in `element`. `ruleset`: whose box; `tiles`: names pressed already; `onchange(tiles)`: after each press;
    `inOrder`: the rack keeps the order of pressing (a set), else it is sorted; `between`: elements to stand between the rack
    and the keys. Gives {tiles(), found(sets)}; `found` rings those sets in the rack. */
export function tileBoard(element, { ruleset, tiles = [], onchange = () => {}, inOrder = false, between = [] }) {
  const board = { ruleset, inOrder, tiles: [...tiles], past: [], sets: [] };
  board.rack = make("div", { class: "rack", role: "group", "aria-label": gettext("Rack") });
  const palette = tilePalette(ruleset, (name) => change([...board.tiles, name]));
  const showButtons = undoButtons(palette.foot, { undo: () => put(board.past.pop()), clear: () => change([]) });
  element.replaceChildren(board.rack, ...between, ...palette.elements);

  board.rack.addEventListener("click", (event) => {
    const taken = event.target.closest("[data-take]");
    if (taken) change(without(board.tiles, Number(taken.dataset.take)));
  });

  function change(next) {
    board.past.push(board.tiles);
    put(next);
  }
  function put(next) {
    board.tiles = next;
    board.sets = [];
    show();
    onchange([...board.tiles]);
  }
  function show() {
    palette.hush();
    palette.show(board.tiles);
    showButtons({ canUndo: board.past.length > 0, isEmpty: !board.tiles.length });
    showRack(board);
  }
  show();
  return {
    tiles: () => [...board.tiles],
    found: (sets) => {
      board.sets = sets;
      showRack(board);
    },
  };
}

const without = (tiles, place) => tiles.filter((_, at) => at !== place);

/** The sets that count first, ringed, then the rest by colour and number, jokers last; or all as they were pressed. */
function showRack(board) {
  const places = board.tiles.map((name, place) => ({ name, place }));
  const pick = (name) => places.splice(places.findIndex((one) => one.name === name), 1)[0];
  const sets = board.sets.map((set) => make("span", { class: "set found" }, ...set.map((name) => taken(board, pick(name)))));
  const rank = ({ name }) => tileRank(board.ruleset, name);
  if (!board.inOrder) places.sort((one, other) => rank(one) - rank(other) || one.place - other.place);
  const rest = places.map((one) => taken(board, one));
  const empty = board.tiles.length ? [] : [make("p", { class: "quiet" }, gettext("Nothing pressed yet."))];
  board.rack.classList.toggle("is-long", board.tiles.length > LONG_RACK);
  board.rack.replaceChildren(...sets, ...rest, ...empty);
}

function taken(board, { name, place }) {
  const isSecond = name === "J" && board.tiles.indexOf("J") !== place;
  return takenTile(name, place, { joker: isSecond ? "k" : "r" });
}
