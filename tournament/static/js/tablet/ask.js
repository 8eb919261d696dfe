/* Dialogs of a panel. They hang below the panels, so that whatever hides those (the PIN) hides a dialog with them. */

import { make } from "./tile.js";
import { pgettext } from "./words.js";

let last = 0;

/** Open a dialog with these parts over `host`; `close` is its way out. Gives the element. */
export function openDialog(host, title, parts, { closing = pgettext("panel", "Close") } = {}) {
  last += 1;
  const id = `dialog-${last}`;
  const dialog = make("dialog", { class: "dialog panel-dialog", "aria-labelledby": id }, make("h2", { id }, title), ...parts);
  const foot = make("div", { class: "row" }, action(closing, () => dialog.close(), "plain"));
  dialog.append(foot);
  dialog.addEventListener("close", () => dialog.remove());
  host.append(dialog);
  dialog.showModal();
  return dialog;
}

/** A button that does one thing, once: a second press while it is done is none. */
export function action(word, act, kind = "") {
  const element = make("button", { type: "button", class: `btn ${kind}`.trim() }, word);
  element.addEventListener("click", async () => {
    if (element.getAttribute("aria-disabled") === "true" || element.getAttribute("aria-busy") === "true") return;
    element.setAttribute("aria-busy", "true");
    try {
      await act();
    } finally {
      element.removeAttribute("aria-busy");
    }
  });
  return element;
}

/** One press for each common reason, and a field for any other. `give(reason)` is called with what was chosen. */
export function reasonParts(reasons, word, give, kind = "primary") {
  const quick = make("div", { class: "reasons" }, ...reasons.map((reason) => action(reason, () => give(reason))));
  const input = make("input", { class: "input", type: "text", maxlength: "500", "aria-label": pgettext("panel", "Reason"), placeholder: pgettext("panel", "Reason") });
  const own = action(word, () => input.value.trim() && give(input.value.trim()), kind);
  const ready = () => own.setAttribute("aria-disabled", String(!input.value.trim()));
  input.addEventListener("input", ready);
  ready();
  return [quick, make("div", { class: "row keep" }, input, own)];
}

/** Choose one of several: `onchoose(value)`. Gives the element. */
export function choice(label, options, chosen, onchoose) {
  const group = make("div", { class: "seg choice", role: "group", "aria-label": label });
  for (const [value, ...shown] of options) {
    const one = make("button", { type: "button", "aria-pressed": String(value === chosen) }, ...shown);
    one.addEventListener("click", () => {
      for (const other of group.children) other.setAttribute("aria-pressed", String(other === one));
      onchoose(value);
    });
    group.append(one);
  }
  return group;
}
