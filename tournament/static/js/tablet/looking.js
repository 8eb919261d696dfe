/* What a table's panel looks at when it is drawn: the store's table, the draft in hand, marks, and what the rules say of it. */

import { bestOpening, checkSheet } from "../engine/engine.js";
import * as game from "./game.js";
import { marked, marksOf } from "./marks.js";
import { reachedOf } from "./reached.js";
import { shownLanguage } from "./words.js";

const hours = new Intl.DateTimeFormat("en-GB", { timeZone: "Asia/Hong_Kong", hour: "2-digit", minute: "2-digit" });

/** All that is drawn, from the store and from what the panel itself remembers. */
export function look(panel) {
  const { api } = panel;
  const table = api.table();
  const state = api.state();
  const sent = game.completed(table.typed, table.games);
  const draft = usable(table, sent, table.games);
  const typed = draft ? game.completed(draft.typed, table.games) : sent;
  const marks = marksOf(table);
  const seats = table.seats.map((seat) => ({ ...marked(seat, marks), number: numberOf(seat.number), name: nameOf(seat) }));
  const place = panel.place ?? game.placeToPlay(typed, sent);
  const ruleset = api.ruleset();
  const view = {
    table, typed, sent, seats, marks, place, ruleset,
    online: api.network?.().online ?? true,
    reached: reachedOf({ typed, sent, open: table.open, told: table.sheet.typed }),
    session: state.session,
    clock: state.clock,
    referee: state.referee,
    cell: panel.cell,
    more: panel.more,
    canUndo: panel.past.length > 0,
    confirmations: draft?.confirmations ?? table.confirmations,
    signatures: draft?.signatures ?? table.signedHere?.body.signatures ?? table.ink,
    voided: Boolean(draft?.voided),
    handedOut: table.handedOut,
    signedHere: table.signedHere,
    disputed: isDisputed(table),
    elsewhere: Boolean(draft?.from) && !table.pending.length && !game.same(game.completed(draft.from, table.games), sent) && !game.same(typed, sent),
    checked: checkedOf(panel, ruleset, seats, typed),
    now: () => api.now(),
    clockText: (moment) => hours.format(new Date(moment)),
  };
  view.ices = icesOf(ruleset, typed.games[place]);
  view.theirs = view.elsewhere ? { ...view, typed: sent, reached: sent.games.map(() => "recorded"), checked: checkSheet(ruleset, game.entryOf(seats, sent)) } : null;
  return view;
}

/** The draft, as long as its figures may still be handed in: another decision of the chief judge ends it. */
function usable({ draft, sheet }, sent, games) {
  const open = sheet.state === "open" || sheet.state === "draft";
  return draft && (open || game.same(game.completed(draft.typed, games), sent)) ? draft : null;
}

/** A dispute that is taken back before it has come is none. */
function isDisputed({ sheet, pending }) {
  const away = pending.filter((item) => item.act === "withdraw").map(({ body }) => body.item);
  return sheet.state === "disputed" || pending.some((item) => item.act === "dispute" && !away.includes(item.key));
}

const numberOf = (number) => String(number).padStart(4, "0");
const nameOf = (seat) => (shownLanguage().startsWith("zh") ? seat.name_zh || seat.name_en : seat.name_en || seat.name_zh);

/** The sheet judged; once for each sheet. */
function checkedOf(panel, ruleset, seats, typed) {
  const key = JSON.stringify([typed, seats.map(({ letter, status }) => [letter, status])]);
  if (panel.memory.key !== key) panel.memory = { key, checked: checkSheet(ruleset, game.entryOf(seats, typed)) };
  return panel.memory.checked;
}

/** For each seat that did not open and is judged: {able, best}; best null where only the verdict is known. */
function icesOf(ruleset, { seats }) {
  const judged = Object.entries(seats).filter(([, seat]) => !seat.opened && (seat.rack || seat.could_open !== null));
  return Object.fromEntries(judged.map(([letter, seat]) => {
    const opening = seat.rack ? bestOpening(ruleset, seat.rack.split(" ")) : null;
    return [letter, { able: seat.could_open ?? opening.could_open, best: opening?.could_open ? opening.best : null }];
  }));
}
