/* A rack, tapped tile by tile: its value, and for one that never opened the verdict with its sets laid out. */

import { bestOpening, faceValue } from "../engine/engine.js";
import { openDialog, reasonParts } from "./ask.js";
import { tileBoard } from "../rules/board.js";
import { showOpening } from "../rules/verdict.js";
import { numberTile } from "./entry.js";
import { icon } from "./icon.js";
import { REASONS } from "./texts.js";
import { make } from "./tile.js";
import { fill, gettext, labels, pgettext, signed } from "./words.js";

/** The screen of one seat's rack. `opened`: whether it broke the ice. `taps`: tiles that were tapped before the page was
    closed; `keep({letter, place, opened, tiles})` after each tap. `done(null)` gives up, else
    `done({tiles, opened, could_open, reason})`. */
export function rackScreen({ view, letter, opened, taps = null, keep = () => {}, done }) {
  const { ruleset, table, place, seats } = view;
  const screen = { opened, tiles: [], ruled: null, reason: "" };
  const { name, number } = seats.find((one) => one.letter === letter);
  const facts = { table: table.number, seat: letter, game: place + 1 };
  const title = make("h1");
  const count = make("b", { class: "nb" });
  const holder = make("div", { class: "judge-part" });
  const verdict = make("div", { class: "verdict", "aria-live": "polite" });
  const other = wide("plain", () => setOpened(!screen.opened));
  const overrule = wide("plain", () => askOverrule());
  const use = wide("big primary", () => done({ ...screen }));
  const back = wide("", () => done(null));
  back.append(icon("left"), fill(gettext("Back to table %(table)s"), facts));
  const element = make(
    "section", { class: "judge" },
    make("div", { class: "row keep" }, back, numberTile(table.number, "s"), make("div", { class: "grow" }, title, make("p", { class: "small quiet" }, fill(gettext("The rack at the end of game %(game)s, a tile just drawn included. A press adds a tile."), facts))), count),
    holder, verdict,
    make("div", { class: "row keep judge-foot" }, other, overrule, make("span", { class: "grow" }), use),
  );
  const seat = view.typed.games[place].seats[letter];
  screen.tiles = taps ?? (seat.rack ? seat.rack.split(" ") : []);
  const board = tileBoard(holder, { ruleset, tiles: screen.tiles, onchange: take });

  function take(tiles) {
    screen.tiles = tiles;
    screen.ruled = null;
    screen.reason = "";
    keep({ letter, place, opened: screen.opened, tiles });
    show();
  }
  function setOpened(now) {
    screen.opened = now;
    screen.ruled = null;
    keep({ letter, place, opened: now, tiles: screen.tiles });
    show();
  }
  function show() {
    const value = faceValue(ruleset, screen.tiles);
    title.replaceChildren(`${fill(screen.opened ? gettext("Rack: table %(table)s, seat %(seat)s") : gettext("Ice: table %(table)s, seat %(seat)s"), facts)} ${name} `, make("span", { class: "no" }, number));
    count.textContent = fill(gettext("%(tiles)s tiles, face value %(value)s"), { tiles: screen.tiles.length, value });
    other.textContent = screen.opened ? gettext("Had not opened") : gettext("Had opened");
    const judged = !screen.opened && hasFlat(ruleset);
    verdict.hidden = !judged;
    overrule.hidden = !judged || !screen.tiles.length;
    use.setAttribute("aria-disabled", String(!screen.tiles.length));
    if (!screen.tiles.length) use.textContent = fill(gettext("Tap the tiles of %(seat)s first"), facts);
    if (judged) showIce();
    else {
      board.found([]);
      if (screen.tiles.length) use.textContent = fill(gettext("Use %(value)s, back to table %(table)s"), { ...facts, value });
    }
  }
  function showIce() {
    const opening = bestOpening(ruleset, screen.tiles);
    board.found(opening.could_open ? opening.sets : []);
    showOpening(verdict, ruleset, opening);
    const able = screen.ruled ?? opening.could_open;
    const flat = able ? ruleset.unopened_able : ruleset.unopened_unable;
    if (screen.ruled !== null) {
      verdict.querySelectorAll("p").forEach((line) => line.remove());
      verdict.querySelector("h2").after(make("p", { class: "c-orange strong" }, fill(gettext("Ruled otherwise: %(reason)s"), { reason: screen.reason })));
      verdict.querySelector(".flat").textContent = signed(-flat);
    }
    if (screen.tiles.length) use.textContent = fill(gettext("Use %(value)s, back to table %(table)s"), { ...facts, value: signed(-(flat ?? opening.rack_value_if_unopened)) });
  }
  function askOverrule() {
    const { could_open: able } = bestOpening(ruleset, screen.tiles);
    const flat = able ? ruleset.unopened_unable : ruleset.unopened_able;
    const word = fill(able ? gettext("Rule that it could not open: %(value)s") : gettext("Rule that it could open: %(value)s"), { value: signed(-flat) });
    const rule = (reason) => {
      screen.ruled = !able;
      screen.reason = reason;
      dialog.close();
      show();
    };
    const parts = [make("p", { class: "strong" }, word), make("p", { class: "small quiet" }, gettext("The reason is noted with your name and the time.")), ...reasonParts(REASONS.ice(), word, rule)];
    const asked = fill(gettext("The tiles say %(worked_out)s. Rule otherwise?"), { worked_out: labels().yes_no[able ? "yes" : "no"] });
    const dialog = openDialog(element, asked, parts, { closing: pgettext("panel", "Cancel") });
  }
  overrule.textContent = gettext("Rule otherwise…");
  show();
  return { element };

  function wide(kind, act) {
    const made = make("button", { type: "button", class: `btn ${kind}`.trim() });
    made.addEventListener("click", () => made.getAttribute("aria-disabled") !== "true" && act());
    return made;
  }
}

const hasFlat = (ruleset) => ruleset.unopened_able !== null || ruleset.unopened_unable !== null;
