/* What a game came to, in a sentence; who starts the next. */

import { startersNext } from "../engine/engine.js";
import { SEATS, isHandedIn, isUntouched, playing } from "./game.js";
import { pointsText } from "./quantity.js";
import { fill, gettext, pgettext } from "./words.js";

/** "B wins this game", how equally low racks share; "" while that is not known. */
export function outcomeOf({ checked, place, typed }) {
  const { seats } = checked.games[place];
  const letters = Object.keys(seats);
  const winners = letters.filter((letter) => seats[letter].win === 1);
  if (!winners.length) {
    const out = letters.find((letter) => typed.games[place].ended_by === "rummikub" && typed.games[place].seats[letter].tiles === "0");
    return out ? fill(gettext("%(seat)s wins this game"), { seat: out }) : "";
  }
  const sharing = letters.filter((letter) => seats[letter].because.includes("shared"));
  if (!sharing.length) return fill(gettext("%(seat)s wins this game"), { seat: winners.join(pgettext("between seats", ", ")) });
  const points = pointsText(sharing.reduce((sum, letter) => sum + seats[letter].points, 0)).replace("+", "");
  const pattern = winners.length === 1 ? gettext("%(seats)s, equally low, share %(points)s; %(seat)s has fewer tiles and wins.") : gettext("%(seats)s, equally low in value and tiles, share %(points)s and all win.");
  return fill(pattern, { seats: sharing.join(pgettext("between seats", ", ")), seat: winners[0], points });
}

/** Who starts the game in hand, or the one after it once it is complete: {game (1-based), letters, after}; letters [] where
    all draw; null where there is no such game. `after`: who follows, clockwise. */
export function startersOf({ typed, sent, seats, checked, place }) {
  const game = typed.games[place];
  const open = isUntouched(game) || !game.ended_by;
  const next = open ? place : place + 1;
  if (next >= typed.games.length || (!open && isHandedIn(game, sent.games[place]) === false && !hasWinner(checked.games[place]))) return null;
  if (typed.games[next].starter) return { game: next + 1, letters: [typed.games[next].starter], after: [] };
  const players = playing(seats, typed, next);
  const letters = startersNext(checked.games.slice(0, next)).filter((letter) => players.includes(letter));
  const after = letters.length === 1 ? clockwise(players, letters[0]) : [];
  return { game: next + 1, letters, after };
}

const hasWinner = (game) => Object.values(game.seats).some((seat) => seat.win === 1);

/** Those after `letter`, round the table. */
function clockwise(players, letter) {
  const from = SEATS.indexOf(letter) + 1;
  return [...SEATS.slice(from), ...SEATS.slice(0, from)].filter((one) => one !== letter && players.includes(one));
}
