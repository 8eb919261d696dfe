/* The rules asked: is this a set, may a turn be played so, could this rack open. By the rules of one of several stages, for all
   tiles of their box, without network. What is laid stands in the address after its #. */

import { bestOpening, couldOpen, hasNumbers } from "../engine/engine.js";
import { tileBoard } from "./board.js";
import { showWords, wordsField } from "./letters.js";
import { emptyQuestion, readQuestion, writeQuestion } from "./question.js";
import { beyond, turnBoard } from "./tables.js";
import { showMove, showOpening, showSet } from "./verdict.js";
import { make } from "../tablet/tile.js";
import { book, fill, gettext, pgettext } from "../tablet/words.js";

const SOON = 1000;

/** `rulesets`: [{code, ruleset, examples}], the last by kind the addresses of examples, where there are any; named in the book of each language; `host`: where it stands; `head`: where the choices stand. `more`: further parts
    [{ask, word, element(index)}], shown as they are; `kept`: the name under which this browser keeps what was asked last. Gives
    {draw}, which draws all anew, in another language too. */
export function askRules({ rulesets, host, head, more = () => [], kept = "" }) {
  const asked = { index: 0, question: emptyQuestion(), refused: "" };

  function load() {
    Object.assign(asked, readQuestion(location.hash.slice(1) || lastAsked(kept), rulesets));
    draw();
  }
  const rulesetNow = () => rulesets[asked.index].ruleset;

  /** The parts that these rules can be asked about. */
  function parts() {
    const sets = [{ ask: "set", word: gettext("A set"), draw: drawSet }, { ask: "move", word: pgettext("rules", "A turn"), draw: drawMove }];
    const opening = { ask: "rack", word: pgettext("rules", "Opening"), draw: hasNumbers(rulesetNow()) ? drawRack : drawWords };
    return [...(hasNumbers(rulesetNow()) ? sets : []), opening, ...more(asked.index)];
  }
  function change(changed) {
    Object.assign(asked.question, changed);
    if (asked.refused) {
      asked.refused = "";
      host.querySelector("[data-refused]")?.remove();
    }
    write();
  }
  const write = () => keep(writeQuestion(asked.question, rulesets.length > 1 ? rulesets[asked.index].code : ""), kept);

  /** Another question was put into the address; a link within the page, to its content, is none. */
  function follow() {
    if (location.hash.includes("=")) load();
    else write();
  }
  function draw() {
    const choices = parts();
    const shown = choices.find(({ ask }) => ask === asked.question.ask) ?? choices[0];
    asked.question.ask = shown.ask;
    head.replaceChildren(...(choices.length > 1 ? [segment(choices, shown)] : []), ...(rulesets.length > 1 ? [chooser()] : []));
    const body = make("div", { class: "judge-part", "data-part": shown.ask });
    const refused = asked.refused ? [refusedNote(asked.refused)] : [];
    host.replaceChildren(...refused, body);
    shown.draw(body);
  }
  function segment(choices, shown) {
    const seg = make("div", { class: "seg", role: "group", "aria-label": gettext("What is asked") });
    for (const { ask, word } of choices) {
      const one = make("button", { type: "button", "aria-pressed": String(ask === shown.ask), "data-choose": ask }, word);
      one.addEventListener("click", () => {
        change({ ask });
        draw();
        head.querySelector(`[data-choose="${ask}"]`).focus();
      });
      seg.append(one);
    }
    return seg;
  }
  function chooser() {
    const select = make("select", { class: "input", "data-rules": "", "aria-label": gettext("By which rules") });
    select.append(...book().names.map((name, at) => make("option", { value: String(at) }, name)));
    select.value = String(asked.index);
    select.addEventListener("change", () => chooseRules(Number(select.value)));
    return select;
  }

  /** What lies stays, as far as the other box holds it. */
  function chooseRules(index) {
    const { refused, question } = readQuestion(writeQuestion(asked.question, rulesets[index].code), rulesets);
    asked.index = index;
    change(question);
    asked.refused = refused;
    draw();
    head.querySelector("[data-rules]").focus();
  }

  /* --- The parts --------------------------------------------------------------------------------------- */

  function drawSet(body) {
    const verdict = verdictElement();
    const judge = (set) => showSet(verdict, rulesetNow(), set, rulesets[asked.index].examples);
    tileBoard(heading(body, gettext("Is this set legal?")), { ruleset: rulesetNow(), tiles: asked.question.set, inOrder: true, between: [verdict], onchange: (set) => {
      change({ set });
      judge(set);
    } });
    judge(asked.question.set);
  }
  function drawRack(body) {
    const [verdict, count] = [verdictElement(), make("b", { class: "nb", "data-count": "" })];
    const judge = (rack) => {
      const opening = openingOf(rulesetNow(), rack);
      count.textContent = fill(gettext("%(tiles)s tiles, face value %(value)s"), { tiles: rack.length, value: opening.face_value });
      board.found(opening.could_open ? opening.sets : []);
      showOpening(verdict, rulesetNow(), opening);
    };
    const board = tileBoard(heading(body, gettext("Could this rack open?"), count), { ruleset: rulesetNow(), tiles: asked.question.rack, between: [verdict], onchange: (rack) => {
      change({ rack });
      judge(rack);
    } });
    judge(asked.question.rack);
  }
  function drawWords(body) {
    const verdict = verdictElement();
    const judge = () => showWords(verdict, rulesetNow(), asked.question.rack, asked.question.words);
    const field = wordsField(asked.question.words, (words) => {
      change({ words });
      judge();
    });
    tileBoard(heading(body, gettext("Which words can open?")), { ruleset: rulesetNow(), tiles: asked.question.rack, between: [field, verdict], onchange: (rack) => {
      change({ rack });
      judge();
    } });
    judge();
  }
  function drawMove(body) {
    const verdict = verdictElement();
    const judge = ({ opened, before, after }) => showMove(verdict, rulesetNow(), { opened, before, after, played: beyond(after, before) });
    const { opened, before, after } = asked.question;
    turnBoard(heading(body, gettext("May a turn be played so?")), { ruleset: rulesetNow(), turn: { opened, before, after }, between: [verdict], onchange: (turn) => {
      change(turn);
      judge(turn);
    } });
    judge(asked.question);
  }
  addEventListener("hashchange", follow);
  load();
  return { draw };
}

/** A title above a place of its own. */
function heading(body, title, ...beside) {
  const place = make("div", { class: "judge-part" });
  body.append(make("div", { class: "row head" }, make("h2", { class: "grow" }, title), ...beside), place);
  return place;
}

const verdictElement = () => make("div", { class: "verdict", role: "status" });

function refusedNote(refused) {
  const title = gettext("This question cannot be laid");
  return make("div", { class: "note stop", role: "alert", "data-refused": "" }, make("b", {}, title), make("span", { class: "small" }, refused));
}

/** The best opening; of a large rack with special jokers whether it can open is asked apart, so that a no is one. */
function openingOf(ruleset, rack) {
  const opening = bestOpening(ruleset, rack);
  return opening.exact ? opening : { ...opening, could_open: couldOpen(ruleset, rack) };
}

/* --- What was asked last ----------------------------------------------------------------------------------- */

function lastAsked(name) {
  try {
    return (name && localStorage.getItem(`${name} ${location.pathname}`)) || "";
  } catch {
    return "";
  }
}

let later = 0;

/** In the address; a browser that takes no more changes for now is told again soon. */
function keep(text, name) {
  clearTimeout(later);
  try {
    history.replaceState(null, "", `#${text}`);
    if (name) localStorage.setItem(`${name} ${location.pathname}`, text);
  } catch {
    later = setTimeout(() => keep(text, name), SOON);
  }
}
