/* Points as they are read: whole twelfths to sign, whole part and fraction. */

import { TWELFTHS } from "../engine/engine.js";
import { make } from "./tile.js";

const MINUS = "\u2212";

/** The parts of a number of twelfths: {sign, whole, over, under}; `over` 0 where it is whole. */
export function partsOf(twelfths) {
  const size = Math.abs(twelfths);
  const over = size % TWELFTHS;
  const by = over ? greatestDivisor(over, TWELFTHS) : TWELFTHS;
  const sign = twelfths < 0 ? MINUS : twelfths > 0 ? "+" : "";
  return { sign, whole: (size - over) / TWELFTHS, over: over / by, under: TWELFTHS / by };
}

function greatestDivisor(one, other) {
  return other ? greatestDivisor(other, one % other) : one;
}

/** "+11 1/2". */
export function pointsText(twelfths) {
  const { sign, whole, over, under } = partsOf(twelfths);
  const fraction = over ? `${over}/${under}` : "";
  return `${sign}${[whole || !over ? String(whole) : "", fraction].filter(Boolean).join(" ")}`;
}

/** The same as an element whose fraction has its own column; `signed` false leaves out a plus. */
export function pointsElement(twelfths, { signed = true } = {}) {
  const { sign, whole, over, under } = partsOf(twelfths);
  const shown = signed || sign === MINUS ? sign : "";
  const fraction = make("span", { class: "fr" });
  if (over) fraction.append(" ", make("sup", {}, String(over)), "/", make("sub", {}, String(under)));
  return make("span", { class: "q" }, `${shown}${whole || !over ? whole : ""}`, fraction);
}
