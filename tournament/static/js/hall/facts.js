/* What stands in the four places of the wall's foot, and in the list of a phone: label and text in both languages. */

import { hongKong } from "../tablet/clock.js";
import { both } from "./words.js";

const NAMED = 4; // tables that a place of the foot has room for
const TICKETS = 9; // tables that play on with digits of their own; hall.css hides others

export const hour = (ms) => hongKong(new Date(ms).toISOString());

/** 3, 7, 12; of many the first, and how many more. */
export function tableNumbers(numbers) {
  const named = numbers.slice(0, NAMED);
  const more = numbers.length - named.length;
  const end = more ? ` +${more}` : "";
  return { zh: named.join("、") + end, en: named.join(", ") + end };
}

/** The moment up to which the digits count. */
function endShown({ phase, session, until, tables }) {
  if (phase === "check_in") return { label: both("be_seated"), text: hour(until) };
  if (phase === "seating" || phase === "late") return { label: both("begins"), text: hour(session.play) };
  if (phase === "play") return { label: both("ends"), text: hour(until) };
  const last = tables.filter((table) => table.end !== null).at(-1);
  return phase === "signing" && last ? { label: both("ends"), text: hour(last.end) } : null;
}

/** Tables with more time: one with its moment, of several which. */
function extraShown({ phase, tables }) {
  const found = phase === "signing" ? tables.slice(TICKETS) : tables;
  if (!found.length) return null;
  const numbers = tableNumbers(found.map((table) => table.number));
  if (found.length > 1) return { label: both("extra"), text: both("table", { tables: numbers }) };
  const [{ end, paused }] = found;
  if (paused || end === null) return { label: both("table", { tables: numbers }), text: both("pause") };
  return { label: both("extended", { tables: numbers }), text: both("by", { time: hour(end) }) };
}

/** Tables that are called: one with what for, of several which. */
function callsShown({ calls }) {
  if (!calls.length) return null;
  const kinds = new Set(calls.map((call) => call.kind));
  const numbers = tableNumbers(calls.map((call) => call.table));
  return { label: both("table", { tables: numbers }), text: both(kinds.size > 1 ? "wait" : calls[0].kind) };
}

/** When the next people come, or that nobody does today. */
function nextShown({ next, session }) {
  if (!next) return { label: both("no_more"), text: both("last_session") };
  const time = hour(next.check_in);
  const isToday = next.day.en === session?.day.en;
  return { label: both("next"), text: isToday ? time : { zh: `${next.date.zh} ${time}`, en: `${next.date.en} ${time}` } };
}

/** What holds for everybody in this phase. */
function ruleShown({ phase }) {
  if (phase === "check_in" || phase === "seating") return { label: both("phones"), text: both("phones_off") };
  if (phase === "play" || phase === "stopped" || phase === "late") return { label: both("questions"), text: both("hand_up") };
  return phase === "signing" ? { label: both("afterwards"), text: both("stay_sign") } : null;
}

/** At most four, what is particular before what always holds. */
export function footOf(shown) {
  const found = [endShown, extraShown, callsShown, nextShown, ruleShown].map((make) => make(shown)).filter(Boolean);
  return found.slice(0, 4);
}
