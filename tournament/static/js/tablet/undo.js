/* Five seconds in which what was noted can be undone: a strip below everything, with one button. */

import { action } from "./ask.js";
import { icon } from "./icon.js";
import { make } from "./tile.js";
import { pgettext } from "./words.js";

/** As long an item stays on the tablet before it is first sent. */
export const UNDO = 5000;

const shown = new Set();

/** Show the strip in `host`, below those that are there; `said()` is its text, `undo()` is called at most once. */
export function showUndo(host, said, undo) {
  let strips = host.querySelector(".undo-strips");
  if (!strips) {
    strips = make("div", { class: "undo-strips" });
    host.append(strips);
  }
  const back = action(pgettext("panel", "Undo"), async () => {
    clearTimeout(timer);
    await undo();
    end();
  }, "big");
  const text = make("span", { class: "grow" });
  const strip = make("div", { class: "undo-strip", role: "status" }, text, back);
  const draw = () => {
    text.textContent = said();
    back.replaceChildren(icon("undo"), pgettext("panel", "Undo"));
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

/** The language was switched. */
export function redrawUndo() {
  for (const draw of shown) draw();
}
