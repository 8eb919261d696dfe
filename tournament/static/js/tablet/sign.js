/* One field in which a finger signs: pointer events to strokes, drawn as they come. */

import { HEIGHT, WIDTH, isSignature, isTooLong, pathOf } from "./ink.js";

const SVG = "http://www.w3.org/2000/svg";
const CLOSEST = 3; // units; nearer points say nothing and would fill the parcel
const PRESSES = 255;
const LONGEST = 3_600_000;

/** A drawing that is finished, as an <svg>. */
export function inkElement(strokes, label) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "ink");
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label);
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", pathOf(strokes));
  svg.append(path);
  return svg;
}

/** A field to sign in, for the player and the figures in `about`. Gives {element, about, show(label, onchange), busy(),
    drawn(), strokes(), good(), clear()}; `onchange()` comes after each stroke. */
export function signatureField(about) {
  const svg = inkElement([], "");
  svg.classList.add("field");
  const path = svg.firstChild;
  const field = { strokes: [], began: 0, holding: null, onchange: () => {} };
  const show = () => path.setAttribute("d", pathOf(field.strokes));

  function put(event) {
    const stroke = field.strokes.at(-1);
    const point = pointOf(svg, event, field.began);
    const before = stroke.at(-1);
    if (before && Math.hypot(point[0] - before[0], point[1] - before[1]) < CLOSEST) return;
    if (!isTooLong(field.strokes)) stroke.push(point);
  }
  svg.addEventListener("pointerdown", (event) => {
    if (field.holding !== null) return; // a second finger or the ball of the hand
    event.preventDefault();
    field.holding = event.pointerId;
    svg.setPointerCapture(event.pointerId);
    if (!field.strokes.length) field.began = event.timeStamp;
    field.strokes.push([]);
    put(event);
    show();
  });
  svg.addEventListener("pointermove", (event) => {
    if (event.pointerId !== field.holding) return;
    const all = event.getCoalescedEvents?.() ?? [];
    for (const one of all.length ? all : [event]) put(one);
    show();
  });
  const lift = (event) => {
    if (event.pointerId !== field.holding) return;
    field.holding = null;
    field.onchange();
  };
  svg.addEventListener("pointerup", lift);
  svg.addEventListener("pointercancel", lift);
  return {
    element: svg,
    about,
    show: (label, onchange) => {
      svg.setAttribute("aria-label", label);
      field.onchange = onchange;
      onchange();
    },
    busy: () => field.holding !== null,
    drawn: () => field.strokes.length > 0,
    strokes: () => field.strokes.filter((stroke) => stroke.length),
    good: () => isSignature(field.strokes),
    clear: () => {
      field.strokes = [];
      show();
      field.onchange();
    },
  };
}

function pointOf(svg, event, began) {
  const box = svg.getBoundingClientRect();
  const within = (part, whole, most) => Math.min(most, Math.max(0, Math.round((part / whole) * most)));
  const at = Math.min(LONGEST, Math.max(0, Math.round(event.timeStamp - began)));
  const pressed = Math.min(PRESSES, Math.round((event.pressure || 0) * PRESSES));
  return [within(event.clientX - box.left, box.width, WIDTH), within(event.clientY - box.top, box.height, HEIGHT), at, pressed];
}
