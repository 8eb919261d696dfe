/* How far the games of a sheet have come. Pure: no page, no network. */

import { completed, isHandedIn, same } from "./game.js";

const WHOLE = ["save", "package"];

/** For each game of `typed`: "typing", or where it stands as it is typed: "here" on this tablet alone, "sent" and not yet
    answered, "recorded" by the server, "refused" by it, "held" for the chief judge.

    `sent` is what was handed in last; `open` the items that are not recorded, oldest first, each with where it `stands`;
    `told` the sheet as the server told it last. */
export function reachedOf({ typed, sent, open, told }) {
  const games = typed.games.length;
  const recorded = completed(told, games);
  const carriers = open.filter((item) => WHOLE.includes(item.act)).map((item) => ({ ...completed(item.body.typed, games), stands: item.stands }));
  return typed.games.map((game, place) => {
    if (!isHandedIn(game, sent.games[place])) return "typing";
    if (same(game, recorded.games[place])) return "recorded";
    // Of those that carry it unchanged up to the newest the first one decides: the server has it with that one.
    const changed = carriers.findLastIndex((one) => !same(game, one.games[place]));
    return carriers[changed + 1]?.stands ?? "recorded";
  });
}
