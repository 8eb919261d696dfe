/* The board of tiles on which a rack or a set is pressed: 13 by 4 with the jokers, the rack above, one back, all away.
   A press on the board adds a tile while the box has a copy left, a press in the rack takes it away. */

import { COLOURS } from "../engine/engine.js";
import { make, tileElement, tileName } from "./tile.js";
import { fill } from "./words.js";

const HIGHEST = 13;

/** A board in `element`. `tiles`: names pressed already; `onchange(tiles)`: after each press; `words`: the page's words;
    `copies` of each number and `jokers` of the box; `inOrder`: the rack keeps the order of pressing (a set), else it is
    sorted. Gives {tiles(), put(tiles), found(sets)}; `found` rings those sets in the rack. */
export function tileBoard(element, { tiles = [], onchange = () => {}, words, copies = 2, jokers = 2, inOrder = false }) {
  const board = { element, words, copies, jokers, inOrder, tiles: [...tiles], past: [], sets: [] };
  build(board);
  const change = (next) => {
    board.past.push(board.tiles);
    board.tiles = next;
    board.sets = [];
    show(board);
    onchange([...board.tiles]);
  };
  element.addEventListener("click", (event) => {
    const pressed = event.target.closest("button");
    if (!pressed || pressed.getAttribute("aria-disabled") === "true") return;
    if (pressed.dataset.add) change([...board.tiles, pressed.dataset.add]);
    else if (pressed.dataset.take) change(without(board.tiles, Number(pressed.dataset.take)));
    else if (pressed.dataset.act === "clear") change([]);
    else if (pressed.dataset.act === "undo") {
      board.tiles = board.past.pop();
      board.sets = [];
      show(board);
      onchange([...board.tiles]);
    }
  });
  show(board);
  return {
    tiles: () => [...board.tiles],
    put: (next) => change([...next]),
    found: (sets) => {
      board.sets = sets;
      showRack(board);
    },
  };
}

const without = (tiles, place) => tiles.filter((_, at) => at !== place);

/* --- Built once ------------------------------------------------------------------------------------------ */

function build(board) {
  const { element, words } = board;
  board.rack = make("div", { class: "rack", role: "group", "aria-label": words.rack });
  board.keys = new Map();
  const grid = make("div", { class: "board", role: "group", "aria-label": words.board });
  for (const colour of COLOURS) {
    grid.append(make("b", { "aria-hidden": "true" }, words.colours[colour]));
    for (let number = 1; number <= HIGHEST; number += 1) grid.append(key(board, `${colour}${number}`));
  }
  const row = make("div", { class: "row board-foot" }, make("b", { class: "small", "aria-hidden": "true" }, words.joker));
  board.jokerKeys = Array.from({ length: board.jokers }, (_, at) => key(board, "J", at % 2 ? "k" : "r"));
  board.undo = act("undo", words.undo);
  board.clear = act("clear", words.clear);
  row.append(...board.jokerKeys, make("span", { class: "push" }), board.undo, board.clear);
  element.replaceChildren(board.rack, grid, row);
}

function key(board, name, joker = "r") {
  const made = tileElement(name, board.words, { tag: "button", size: name === "J" ? "l" : "", joker });
  made.dataset.add = name;
  if (name !== "J") board.keys.set(name, made);
  return made;
}

const act = (name, word) => make("button", { type: "button", class: "btn", "data-act": name }, word);

/* --- Shown after each press ------------------------------------------------------------------------------ */

function show(board) {
  for (const [name, element] of board.keys) showCount(board, name, element);
  const held = board.tiles.filter((name) => name === "J").length;
  board.jokerKeys.forEach((element, place) => {
    element.classList.toggle("none", place >= held);
    element.setAttribute("aria-disabled", String(place < held));
    element.setAttribute("aria-label", fill(board.words.count, { tile: board.words.joker, count: place < held ? 1 : 0 }));
  });
  board.undo.setAttribute("aria-disabled", String(!board.past.length));
  board.clear.setAttribute("aria-disabled", String(!board.tiles.length));
  showRack(board);
}

function showCount(board, name, element) {
  const count = board.tiles.filter((tile) => tile === name).length;
  element.classList.toggle("none", !count);
  element.setAttribute("aria-disabled", String(count >= board.copies));
  element.setAttribute("aria-label", fill(board.words.count, { tile: tileName(name, board.words), count }));
  element.querySelector("i")?.remove();
  if (count) element.append(make("i", { "aria-hidden": "true" }, String(count)));
}

/** The sets that count first, ringed, then the rest by colour and number, jokers last; or all as they were pressed. */
function showRack(board) {
  const places = board.tiles.map((name, place) => ({ name, place }));
  const pick = (name) => places.splice(places.findIndex((one) => one.name === name), 1)[0];
  const sets = board.sets.map((set) => make("span", { class: "set found" }, ...set.map((name) => taken(board, pick(name)))));
  if (!board.inOrder) places.sort((one, other) => rankOf(one.name) - rankOf(other.name) || one.place - other.place);
  const rest = places.map((one) => taken(board, one));
  const empty = board.tiles.length ? [] : [make("p", { class: "quiet" }, board.words.empty)];
  board.rack.classList.toggle("is-long", board.tiles.length > 17);
  board.rack.replaceChildren(...sets, ...rest, ...empty);
}

const rankOf = (name) => (name === "J" ? 99 : COLOURS.indexOf(name[0]) * 20 + Number(name.slice(1)));

function taken(board, { name, place }) {
  const isSecond = name === "J" && board.tiles.indexOf("J") !== place;
  const element = tileElement(name, board.words, { tag: "button", joker: isSecond ? "k" : "r" });
  element.dataset.take = String(place);
  element.setAttribute("aria-label", fill(board.words.take, { tile: tileName(name, board.words) }));
  return element;
}
