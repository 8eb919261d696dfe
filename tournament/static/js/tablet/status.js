/* What a panel says while nothing is typed at its table: not begun, signed, locked, disputed, held, closed, changed
   elsewhere. */

import { callNotes, headElement, press, sheetElement } from "./entry.js";
import { icon, note } from "./icon.js";
import { make } from "./tile.js";
import { fill } from "./words.js";

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

const sheetButton = ({ words }, kind = "") => press("sheet", {}, { class: `btn ${kind}`.trim() }, words.show_sheet);
const agreeButton = ({ words }) => press("agree", {}, { class: "btn primary" }, icon("pen"), words.to_agree);
const rest = (view, ...acts) => [sheetElement(view), make("div", { class: "acts" }, ...acts)];

function lockedParts(view) {
  const { words, table } = view;
  const code = table.receipt ? `${table.receipt.slice(0, 4)}-${table.receipt.slice(4)}` : "\u2026";
  const said = table.sheet.state === "certified" ? words.certified_by : words.locked_why;
  const receipt = make("div", { class: "receipt" }, make("span", { class: "small quiet" }, words.receipt), make("span", { class: "code" }, code));
  return [note("done", words.locked, said), receipt, ...rest(view, sheetButton(view))];
}

function disputedParts(view) {
  const { words, table } = view;
  const said = table.sheet.dispute?.reason ?? table.pending.find((item) => item.act === "dispute")?.body.reason ?? "";
  const title = table.sheet.state === "disputed" ? words.disputed : words.disputed_here;
  return [note("stop", said ? fill(words.with_reason, { what: title, reason: said }) : title, words.disputed_why), ...rest(view, sheetButton(view))];
}

function attentionParts(view) {
  const { words, table } = view;
  const item = table.attention.find((one) => one.match);
  const said = note("stop", words.attention, item.sentence);
  said.append(make("span", { class: "small" }, words.attention_do));
  return [said, ...rest(view, sheetButton(view), press("settle", {}, { class: "btn primary" }, words.settle))];
}

const heldItem = ({ table }) => table.attention.find((one) => one.state === "held");

/** Why the desk has it before it: it was made while the tablet was locked, or there is another version. */
export const whyHeld = ({ because }, words) => (because === "locked" ? [words.made_locked, words.made_locked_why] : [words.conflict, words.conflict_why]);

/** What of this table a person at the desk has before them beside that, whichever tablet brought it: until it is settled. */
export function deskNotes({ words, table }) {
  const others = table.desk - table.attention.filter((one) => one.state === "held").length;
  return others > 0 ? [note("wait", fill(words.with_desk, { count: others }), words.with_desk_why)] : [];
}

/** Both versions, game by game, and the person chooses. */
function elsewhereParts(view) {
  const { words } = view;
  const column = (title, one) => make("div", { class: "stack tight" }, make("b", {}, title), sheetElement(one));
  return [
    note("wait", words.elsewhere, words.elsewhere_why),
    column(words.theirs, view.theirs),
    column(words.mine, view),
    make("div", { class: "acts" }, press("theirs", {}, { class: "btn" }, words.take_theirs), press("mine", {}, { class: "btn primary" }, words.keep_mine)),
  ];
}

/** Over for good, void, or put off until there are new times. */
function overNote({ words, session }) {
  if (session.state === "postponed") return note("wait", words.postponed, words.postponed_why);
  if (session.state === "void") return note("stop", words.void_session, words.void_session_why);
  return note("done", words.closed, words.closed_why);
}

const SHOWN = {
  locked: lockedParts,
  conflict: (view) => [note("stop", ...whyHeld(heldItem(view), view.words)), ...rest(view, sheetButton(view))],
  attention: attentionParts,
  signed_here: (view) => [note("wait", view.words.signed_here, view.words.signed_here_why), ...rest(view, sheetButton(view))],
  void: (view) => [note("stop", view.words.void)],
  disputed: disputedParts,
  in_hands: (view) => [note("live", fill(view.words.in_hands, { table: view.table.number })), ...rest(view, agreeButton(view))],
  decided: (view) => [
    note("live", view.table.sheet.dispute ? view.words.decided : view.words.to_agree, view.table.sheet.dispute?.decision ?? ""),
    ...rest(view, agreeButton(view)),
  ],
  closed: (view) => [overNote(view), ...rest(view, sheetButton(view))],
  other_form: (view) => [note("wait", view.words.other_form, view.words.other_form_why)],
  elsewhere: elsewhereParts,
  not_started: (view) => [
    note("wait", view.words.not_started, view.words.not_started_why),
    namesElement(view),
    make("div", { class: "acts" }, press("draw", {}, { class: "btn" }, view.words.drawn), press("anyway", {}, { class: "btn grow" }, view.words.begin_anyway)),
  ],
};

/** Who sits where, as long as there is nothing else to look at. */
function namesElement({ seats, words }) {
  const rows = seats.map(({ letter, name, number, status: standing }) =>
    make("li", { class: "who" }, make("span", { class: "seat" }, letter), make("span", { class: "grow" }, make("b", {}, name), make("span", { class: "no" }, number)), ...(standing === "ok" ? [] : [make("span", { class: "badge" }, words.away)])));
  return make("ul", { class: "stack tight names" }, ...rows);
}
