/* Sentences that stand under a code, and the common reasons that a person only presses. */

import { fill, gettext, labels, pgettext } from "./words.js";

/** How far a game has come (reached.js). */
export const reachedTexts = () => ({
  typing: gettext("being typed"),
  here: pgettext("panel", "saved here"),
  sent: gettext("sent"),
  recorded: gettext("recorded"),
  refused: pgettext("panel", "not taken"),
  held: pgettext("panel", "held"),
});

/** A cell that is still empty. */
export const lackingTexts = () => ({
  ice: pgettext("missing", "ice"),
  face_value: pgettext("missing", "rack"),
  tiles: pgettext("missing", "tiles"),
});

/** Of a seat, on the sheet as on paper. */
export const columnHeads = () => ({
  wins: pgettext("panel", "Wins"),
  points: pgettext("panel", "Points"),
  tiles: pgettext("panel", "Tiles"),
});

/** What a table has marked for the desk (marks.js). */
export const markTexts = () => ({
  absent: pgettext("mark", "did not come"),
  late: pgettext("mark", "came late"),
  left: pgettext("mark", "left"),
  disqualified: pgettext("mark", "disqualified"),
  miscount: pgettext("mark", "counted wrong"),
});

const markActs = () => Object.fromEntries(Object.entries(labels().marks).map(([name, { act }]) => [name, act]));

/** What a referee notes of a game beside its result. */
export const noteActs = () => ({
  warning: gettext("Verbal warning"),
  call: gettext("Call the chief judge"),
  ...markActs(),
  absent: gettext("Did not come"),
  late: gettext("Came late"),
  left: gettext("Leaves"),
  disqualified: gettext("Disqualified"),
  miscount: gettext("Rack counted wrong"),
  pause: gettext("Toilet break"),
  dispute: pgettext("a note", "Dispute"),
  new_deal: gettext("New deal"),
  exposed_tile: gettext("Exposed tile"),
  turn_forfeited: gettext("Turn forfeited"),
  overtime: gettext("Overtime"),
  drawn_numbers: pgettext("panel", "Drawn numbers"),
});

/** What stands in the outbox. */
export const itemActs = () => ({
  save: gettext("scores"),
  package: gettext("signed scoresheet"),
  dispute: gettext("dispute"),
  call: gettext("call for the chief judge"),
  warning: gettext("warning"),
  incident: gettext("note of a game"),
  pause: gettext("pause"),
  unpause: gettext("end of a pause"),
  overtime: gettext("overtime"),
  withdraw: gettext("note taken back"),
});

/** How an item stands (store.js: standsOf). */
export const itemStates = () => ({
  here: gettext("saved on this tablet"),
  sent: gettext("sent"),
  recorded: gettext("recorded"),
  held: gettext("with the chief judge"),
  desk: gettext("with the desk"),
  aside: gettext("put aside by the desk"),
  refused: gettext("needs attention"),
});

/** Why what waits could not be handed to the desk: "unknown", or no answer. */
export const handOverFault = (failed) =>
  failed === "unknown"
    ? gettext("The server does not know this tablet any more. Ask the desk for a new code: what is here stays, and is handed over afterwards.")
    : gettext("The server did not answer. Try again, or take the file or the codes to the desk.");

/** What the PIN is asked for, or what waits behind it. */
export function whyPin({ stopped, waiting, desk, online }) {
  if (stopped === "pin") return gettext("The server asks for your PIN before it takes what waits.");
  if (waiting) return fill(gettext("Waiting on this tablet to be sent: %(count)s."), { count: waiting });
  if (desk) return fill(gettext("With the desk, not settled yet: %(count)s"), { count: desk });
  return online ? gettext("Everything on this tablet is recorded.") : "";
}

/** Of the switches (alerts.js). */
export const switchTexts = () => ({
  sound_on: gettext("Sound: on"),
  sound_off: gettext("Sound: off"),
  vibration_on: gettext("Vibration: on"),
  vibration_off: gettext("Vibration: off"),
});

/** Of the elements that the server has drawn, by their data-word. */
export const pageTexts = () => ({
  page: gettext("Referee's tablet"),
  ask: gettext("Ask the rules"),
  menu: pgettext("tablet", "Menu"),
  rehearsal: gettext("Rehearsal: for practice alone. Nothing here counts."),
});

/** One press each; any other reason is typed. */
export const REASONS = {
  ice: () => [
    gettext("The chief judge ruled so"),
    gettext("A joker's use was judged otherwise"),
    gettext("The tiles on the rack were changed after the end"),
  ],
  warning: () => [
    gettext("Talking or signals"),
    gettext("Slow play on purpose"),
    gettext("Touching others' tiles"),
    gettext("Disturbing others"),
  ],
  call: () => [
    gettext("Dispute about a move"),
    gettext("Breach of the rules"),
    gettext("Question about the rules"),
    gettext("An entrant is unwell"),
  ],
  disqualified: () => [gettext("Aids were found"), gettext("Third breach"), gettext("The chief judge ruled so")],
  late: () => [gettext("Came before play began"), gettext("Came during this game"), gettext("Came after this game")],
  miscount: () => [
    gettext("All players agree on another count"),
    gettext("The tiles were mixed before they were counted"),
    gettext("Jokers were counted wrong"),
  ],
  take_back: () => [
    gettext("Pressed by mistake"),
    gettext("It was another player"),
    gettext("It turned out otherwise"),
  ],
  dispute: () => [gettext("Refuses to sign"), gettext("A figure is wrong"), gettext("Not agreed how the game ended")],
};
