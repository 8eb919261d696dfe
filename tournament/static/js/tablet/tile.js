/* A tile as an element: what it shows, and its name for those who do not see it. */

import { fill, gettext, labels } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const FACE_WIDTH = 24;
const NUMBERED = /^([RBKO])(\d+)$/;

/** "red 10", "mirror joker"; a letter as its tile shows it. */
export function tileName(name) {
  const { colours, jokers } = labels().rules;
  const [, colour, number] = NUMBERED.exec(name) ?? [];
  if (colour) return fill(gettext("%(colour)s %(number)s"), { colour: colours[colour], number });
  return jokers[name] ?? name.toUpperCase();
}

/** An element with attributes and children; text goes in as text. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** The tile "R10", a joker ("J", "JD") or a letter (the letter J is "j") as a <span> or a <button>; `joker` is the colour of
    a plain joker's face, r or k. */
export function tileElement(name, { tag = "span", size = "l", joker = "r" } = {}) {
  const { colours, faces } = labels().rules;
  const face = faces[name];
  const [, letter, number] = NUMBERED.exec(name) ?? [];
  const colour = name === "J" ? joker : letter?.toLowerCase() ?? "k";
  const kind = face ? "joker" : letter ? "" : "letter";
  const element = make(tag, { class: ["tile", kind, face && name !== "J" ? "twist" : "", colour, size].filter(Boolean).join(" ") });
  if (tag === "button") element.type = "button";
  if (face) {
    element.append(jokerFace(face));
    if (tag === "span") element.setAttribute("role", "img");
    element.setAttribute("aria-label", tileName(name));
  } else {
    element.append(number ?? tileName(name));
    if (tag === "button") element.setAttribute("aria-label", tileName(name));
    else if (letter) element.append(make("span", { class: "sr" }, ` ${colours[letter]}`));
  }
  return element;
}

/** Tiles side by side; of two plain jokers the second is black. */
export function laidTiles(names, options = {}) {
  let jokers = 0;
  return names.map((name) => {
    if (name === "J") jokers += 1;
    return tileElement(name, { ...options, joker: jokers > 1 ? "k" : "r" });
  });
}

function jokerFace({ height, paths }) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${FACE_WIDTH} ${height}`);
  svg.setAttribute("aria-hidden", "true");
  for (const [style, drawn] of paths) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("class", style);
    path.setAttribute("d", drawn);
    svg.append(path);
  }
  return svg;
}
