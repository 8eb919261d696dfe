/* Five seconds in which what was noted can be undone: a strip below everything, with one button. */

import { action } from "./ask.js";
import { icon } from "./icon.js";
import { make } from "./tile.js";

/** As long an item stays on the tablet before it is first sent. */
export const UNDO = 5000;

/** Show the strip in `host`, below those that are there; `undo()` is called at most once. */
export function showUndo(host, said, words, undo) {
  let strips = host.querySelector(".undo-strips");
  if (!strips) {
    strips = make("div", { class: "undo-strips" });
    host.append(strips);
  }
  const back = action(words.undo, async () => {
    clearTimeout(timer);
    await undo();
    strip.remove();
  }, "big");
  back.prepend(icon("undo"));
  const strip = make("div", { class: "undo-strip", role: "status" }, make("span", { class: "grow" }, said), back);
  const timer = setTimeout(() => strip.remove(), UNDO);
  strips.append(strip);
}
