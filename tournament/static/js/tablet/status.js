/* What a panel says while nothing is typed at its table: not begun, signed, locked, disputed, held, closed, changed
   elsewhere. */

import { callNotes, headElement, press, sheetElement } from "./entry.js";
import { icon, note } from "./icon.js";
import { make } from "./tile.js";
import { fill, gettext, pgettext } from "./words.js";

// Suspended before its start, a session was held back.
const BEFORE = ["planned", "check-in", "seated", "suspended"];
const OVER = ["closed", "void", "postponed"];

/** Which of them: "" where games are typed. */
export function statusOf(view, { anyway = false } = {}) {
  const { table, session, clock } = view;
  const { sheet } = table;
  if (table.locked) return "locked";
  if (table.attention.some((item) => item.state === "held")) return "conflict";
  if (table.attention.some((item) => item.match)) return "attention";
  if (view.signedHere) return "signed_here";
  if (sheet.state === "void") return "void";
  if (view.disputed) return "disputed";
  if (sheet.form === "turns") return OVER.includes(session.state) ? "closed" : "turns_form";
  if (view.handedOut) return "in_hands";
  if (sheet.state === "ready") return "decided";
  if (OVER.includes(session.state)) return "closed";
  if (sheet.form === "paper" && sheet.state !== "open") return "other_form";
  if (view.elsewhere) return "elsewhere";
  if (BEFORE.includes(session.state) && !clock.started_at && !anyway && sheet.state === "open") return "not_started";
  return "";
}

/** The panel of such a table. */
export function statusElements(view, status) {
  return [headElement(view, false), ...callNotes(view), ...SHOWN[status](view)];
}

const sheetButton = (kind = "") => press("sheet", {}, { class: `btn ${kind}`.trim() }, gettext("Show the sheet"));
const agreeButton = () => press("agree", {}, { class: "btn primary" }, icon("pen"), gettext("Agree and sign"));
const rest = (view, ...acts) => [sheetElement(view), make("div", { class: "acts" }, ...acts)];

function lockedParts(view) {
  const { table } = view;
  const code = table.receipt ? `${table.receipt.slice(0, 4)}-${table.receipt.slice(4)}` : "\u2026";
  const said = table.sheet.state === "certified" ? gettext("Certified by the chief judge") : gettext("Only a correction by two people at the desk can change it. The players may write down the receipt code.");
  const receipt = make("div", { class: "receipt" }, make("span", { class: "small quiet" }, gettext("Receipt code")), make("span", { class: "code" }, code));
  const shown = table.sheet.form === "turns" ? [] : rest(view, sheetButton()); // the tablet has no words of it
  return [note("done", gettext("Received and locked"), said), receipt, ...shown];
}

function disputedParts(view) {
  const { table } = view;
  const said = table.sheet.dispute?.reason ?? table.pending.find((item) => item.act === "dispute")?.body.reason ?? "";
  const title = table.sheet.state === "disputed" ? gettext("In dispute") : gettext("Dispute is on its way to the chief judge");
  return [note("stop", said ? fill(gettext("%(what)s: %(reason)s"), { what: title, reason: said }) : title, gettext("The chief judge decides; then all sign.")), ...rest(view, sheetButton())];
}

function attentionParts(view) {
  const { table } = view;
  const item = table.attention.find((one) => one.match);
  const said = note("stop", gettext("The server did not take this"), item.sentence);
  said.append(make("span", { class: "small" }, gettext("Nothing is lost. Compare yours with what stands there, then send yours or put it aside.")));
  return [said, ...rest(view, sheetButton(), press("settle", {}, { class: "btn primary" }, gettext("Compare and choose")))];
}

const heldItem = ({ table }) => table.attention.find((one) => one.state === "held");

/** Why the desk has it before it: it was made while the tablet was locked, or there is another version. */
export const whyHeld = ({ because }) =>
  because === "locked"
    ? [gettext("This was made while the tablet was locked"), gettext("It is kept whole. The chief judge decides whether it counts.")]
    : [gettext("The desk has another version of this sheet"), gettext("Yours is kept whole. The chief judge compares both and decides.")];

/** What of this table a person at the desk has before them beside that, whichever tablet brought it: until it is settled. */
export function deskNotes({ table }) {
  const others = table.desk - table.attention.filter((one) => one.state === "held").length;
  return others > 0 ? [note("wait", fill(gettext("With the desk, not settled yet: %(count)s"), { count: others }), gettext("It is kept whole and counts once the chief judge has settled it."))] : [];
}

/** Both versions, game by game, and the person chooses. */
function elsewhereParts(view) {
  const column = (title, one) => make("div", { class: "stack tight" }, make("b", {}, title), sheetElement(one));
  return [
    note("wait", gettext("The sheet was changed elsewhere"), gettext("Your figures and the desk's differ. Compare, then choose.")),
    column(gettext("desk"), view.theirs),
    column(gettext("this tablet"), view),
    make("div", { class: "acts" }, press("theirs", {}, { class: "btn" }, gettext("Take the desk's")), press("mine", {}, { class: "btn primary" }, gettext("Keep mine"))),
  ];
}

/** Over for good, void, or put off until there are new times. */
function overNote({ session }) {
  if (session.state === "postponed") return note("wait", gettext("The session is postponed"), gettext("Nothing is entered until it has new times."));
  if (session.state === "void") return note("stop", gettext("The session is void"), gettext("What was signed stays as it is and does not count."));
  return note("done", gettext("The session is closed"), gettext("Nothing more can be entered."));
}

const SHOWN = {
  locked: lockedParts,
  conflict: (view) => [note("stop", ...whyHeld(heldItem(view))), ...rest(view, sheetButton())],
  attention: attentionParts,
  signed_here: (view) => [note("wait", gettext("Signed here, not yet recorded"), gettext("Kept on this tablet; it is sent when the network is there. Nothing to do until then.")), ...rest(view, sheetButton())],
  void: (view) => [note("stop", gettext("This sheet is void"))],
  disputed: disputedParts,
  in_hands: (view) => [note("live", fill(gettext("The players hold this tablet for table %(table)s"), { table: view.table.number })), ...rest(view, agreeButton())],
  decided: (view) => [
    note("live", view.table.sheet.dispute ? gettext("The chief judge has decided") : gettext("Agree and sign"), view.table.sheet.dispute?.decision ?? ""),
    ...rest(view, agreeButton()),
  ],
  closed: (view) => [overNote(view), ...rest(view, sheetButton())],
  other_form: (view) => [note("wait", gettext("This sheet is typed at the desk from the paper"), gettext("It can be read here, not typed."))],
  turns_form: (view) => [note("wait", gettext("This sheet is typed at the desk from the paper"), gettext("Write the words of each turn on the paper. Calls and notes are made here as ever.")), namesElement(view)],
  elsewhere: elsewhereParts,
  not_started: (view) => [
    note("wait", gettext("The session has not begun"), gettext("The desk starts it. Enter results now only if play has begun all the same.")),
    namesElement(view),
    make("div", { class: "acts" }, press("draw", {}, { class: "btn" }, gettext("Drawn numbers…")), press("anyway", {}, { class: "btn grow" }, gettext("Enter results"))),
  ],
};

/** Who sits where, as long as there is nothing else to look at. */
function namesElement({ seats }) {
  const rows = seats.map(({ letter, name, number, status: standing }) =>
    make("li", { class: "who" }, make("span", { class: "seat" }, letter), make("span", { class: "grow" }, make("b", {}, name), make("span", { class: "no" }, number)), ...(standing === "ok" ? [] : [make("span", { class: "badge" }, pgettext("panel", "not playing"))])));
  return make("ul", { class: "stack tight names" }, ...rows);
}
