/* The sheet as the paper shows it: a column of wins, points and tiles for each seat, a row a game, the totals. */

import { lengthOf } from "./entry.js";
import { pointsElement } from "./quantity.js";
import { columnHeads } from "./texts.js";
import { make } from "./tile.js";
import { fill, gettext, labels, pgettext } from "./words.js";

const COLUMNS = ["wins", "points", "tiles"];

/** The table of a sheet. `seats`: with letter, number, name; `checked`: as checkSheet answers. */
export function paperElement(seats, checked) {
  const head = make("tr", {}, make("th", { scope: "row", rowspan: "2" }, pgettext("panel", "Name")));
  const columns = make("tr");
  for (const { letter, number, name } of seats) {
    const who = make("th", { scope: "colgroup", colspan: "3", class: `a name ${lengthOf(name)}`.trim(), "data-seat": letter }, `${letter} ${name} `, make("span", { class: "no" }, number));
    head.append(who);
    columns.append(...COLUMNS.map((column, at) => make("th", { scope: "col", class: at ? "" : "a", "data-seat": letter }, columnHeads()[column])));
  }
  const body = make("tbody", {}, ...checked.games.map((game, place) => gameRow(seats, game, place)), totalRow(seats, checked));
  const table = make("table", { class: "paper" }, make("thead", {}, head, columns), body);
  return make("div", { class: "sheet", tabindex: "0", role: "group", "aria-label": gettext("Scoresheet as on paper") }, table);
}

function gameRow(seats, game, place) {
  const row = make("tr", {}, make("th", { scope: "row" }, fill(gettext("Game %(game)s"), { game: place + 1 })));
  for (const { letter } of seats) {
    const seat = game.seats[letter];
    if (game.ended_by === "not_played" || !seat || seat.absent) row.append(empty(letter, game, seat));
    else row.append(...cells(letter, seat.win, seat.points, seat.tiles, seat.win === 1));
  }
  return row;
}

function empty(letter, game, seat) {
  const said = game.ended_by === "not_played" ? labels().endings.not_played : seat?.absent || game.ended_by ? pgettext("panel", "not playing") : "";
  return make("td", { class: "a quiet small", colspan: "3", "data-seat": letter }, said);
}

function totalRow(seats, checked) {
  const row = make("tr", { class: "total" }, make("th", { scope: "row" }, pgettext("panel", "Total")));
  for (const { letter } of seats) {
    const total = checked.totals[letter] ?? { wins: null, points: null, tiles: null };
    row.append(...cells(letter, total.wins, total.points, total.tiles, total.wins > 0));
  }
  return row;
}

function cells(letter, wins, points, tiles, won) {
  const shown = (figure) => (figure === null ? "" : String(figure));
  const mark = won ? " won" : "";
  const sum = make("td", { class: mark.trim(), "data-seat": letter });
  if (points !== null) sum.append(pointsElement(points));
  return [make("td", { class: `a${mark}`, "data-seat": letter }, shown(wins)), sum, make("td", { "data-seat": letter }, shown(tiles))];
}
