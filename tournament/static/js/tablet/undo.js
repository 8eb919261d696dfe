/* Five seconds in which what was noted can be undone: a strip below everything, with one button. */

import { action } from "./ask.js";
import { icon } from "./icon.js";
import { make } from "./tile.js";

/** As long an item stays on the tablet before it is first sent. */
export const UNDO = 5000;

const shown = new Set();

/** Show the strip in `host`, below those that are there; `said()` is its text, `undo()` is called at most once. */
export function showUndo(host, said, words, undo) {
  let strips = host.querySelector(".undo-strips");
  if (!strips) {
    strips = make("div", { class: "undo-strips" });
    host.append(strips);
  }
  const back = action(words.undo, async () => {
    clearTimeout(timer);
    await undo();
    end();
  }, "big");
  const text = make("span", { class: "grow" });
  const strip = make("div", { class: "undo-strip", role: "status" }, text, back);
  const draw = () => {
    text.textContent = said();
    back.replaceChildren(icon("undo"), words.undo);
  };
  const end = () => {
    shown.delete(draw);
    strip.remove();
  };
  const timer = setTimeout(end, UNDO);
  shown.add(draw);
  draw();
  strips.append(strip);
}

/** The words were switched. */
export function redrawUndo() {
  for (const draw of shown) draw();
}
