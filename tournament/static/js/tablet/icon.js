/* Icons and small parts of the page's own language; a word always stands beside an icon. */

import { make } from "./tile.js";

const SVG = "http://www.w3.org/2000/svg";

/** The icon of a <symbol id="i-name"> that the page has. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#i-${name}`);
  svg.append(use);
  return svg;
}

/** A button that does `act`; `kind` is "primary", "plain", "danger" or "". While it is done it cannot be pressed again. */
export function button(label, act, { kind = "", symbol = "" } = {}) {
  const element = make("button", { type: "button", class: `btn ${kind}`.trim() });
  if (symbol) element.append(icon(symbol));
  element.append(label);
  element.addEventListener("click", async () => {
    if (element.getAttribute("aria-busy") === "true") return;
    element.setAttribute("aria-busy", "true");
    try {
      await act();
    } finally {
      element.removeAttribute("aria-busy");
    }
  });
  return element;
}

/** A message in the page: one bold sentence, one plain one, then what can be done. */
export function note(kind, title, text = "", ...acts) {
  const symbols = { stop: "cross", wait: "warn", live: "info", done: "tick" };
  const element = make("div", { class: `note ${kind}` }, icon(symbols[kind]), make("b", {}, title));
  if (text) element.append(make("span", { class: "small" }, text));
  if (acts.length) element.append(make("div", { class: "row" }, ...acts));
  return element;
}
