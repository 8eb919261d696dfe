/* A tile as an element: what it shows, and its name for those who do not see it. */

import { fill } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const FACE = "M8.6 8.4v1.6M15.4 8.4v1.6M6.8 13.6c1.4 5 9 5 10.4 0";

/** "red 10", "joker". */
export const tileName = (name, words) =>
  name === "J" ? words.joker : fill(words.tile, { colour: words.colours[name[0]], number: name.slice(1) });

/** An element with attributes and children; text goes in as text. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** The tile "R10" or "J" as a <span> or a <button>; `joker` is the colour of a joker's face, r or k. */
export function tileElement(name, words, { tag = "span", size = "l", joker = "r" } = {}) {
  const isJoker = name === "J";
  const colour = isJoker ? joker : name[0].toLowerCase();
  const element = make(tag, { class: ["tile", isJoker ? "joker" : "", colour, size].filter(Boolean).join(" ") });
  if (tag === "button") element.type = "button";
  if (isJoker) {
    element.append(jokerFace());
    if (tag === "span") element.setAttribute("role", "img");
    element.setAttribute("aria-label", words.joker);
  } else {
    element.append(name.slice(1));
    if (tag === "button") element.setAttribute("aria-label", tileName(name, words));
    else element.append(make("span", { class: "sr" }, ` ${words.colours[name[0]]}`));
  }
  return element;
}

function jokerFace() {
  const svg = document.createElementNS(SVG, "svg");
  const circle = document.createElementNS(SVG, "circle");
  const face = document.createElementNS(SVG, "path");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  for (const [name, value] of [["cx", 12], ["cy", 12], ["r", 10]]) circle.setAttribute(name, value);
  face.setAttribute("d", FACE);
  svg.append(circle, face);
  return svg;
}
