/* The settings of the turn timer: rules, seats, seconds, hand-over, sound, language; and what the browser can and cannot do. */

import { opensOffline } from "../tablet/kept.js";
import { make } from "../tablet/tile.js";
import { book, fill, gettext, page, pgettext, shownLanguage } from "../tablet/words.js";
import { overtimeSaid } from "./sentences.js";
import { LETTERS } from "./turns.js";

const SECONDS = [30, 45, 60, 90, 120];
const SEATS = [2, 3, 4];

const button = (label, act, pressed = null) => {
  const element = make("button", { type: "button", class: pressed === null ? "btn" : "", ...(pressed === null ? {} : { "aria-pressed": String(pressed) }) }, label);
  element.addEventListener("click", act);
  return element;
};

/** A row of choices under its name: [[label, value], ...]. */
const choice = (name, options, chosen, act) =>
  make("div", { class: "field" }, make("b", {}, name), make("div", { class: "seg", role: "group", "aria-label": name }, ...options.map(([label, value]) => button(label, () => value !== chosen && act(value), value === chosen))));

function rulesChoice(chosen, act) {
  const select = make("select", { class: "input", "data-rules": "" }, ...book().names.map((name, at) => make("option", { value: at, ...(at === chosen ? { selected: "" } : {}) }, name)));
  select.addEventListener("change", () => act(Number(select.value)));
  return make("label", { class: "field" }, make("b", {}, gettext("By which rules")), select);
}

/** The page's own seconds first among the others. */
function secondsOffered(rules, timer) {
  const own = page.rulesets[rules].seconds;
  return [...new Set([...SECONDS, own, timer.seconds])].filter((one) => one !== null).sort((one, other) => one - other);
}

function sheetLink(rules) {
  const address = `${book().sheet}?rules=${page.rulesets[rules].code}`;
  return make("a", { class: "btn", href: address, "data-sheet": "" }, gettext("How to use it (PDF)"));
}

/** Without network, and with the screen on: a clear word of each. */
async function abilities(isAwake) {
  const offline = await opensOffline(location.pathname, page.scope);
  return [
    offline ? gettext("Opens without network.") : gettext("This page needs the network to open: it was not kept on this device."),
    isAwake() ? gettext("The screen stays on while this page is in sight.") : gettext("The screen may go dark: set this device to leave it on."),
  ];
}

/** `held`: {timer(), rules(), sound(), isAwake(), choose(), rulesChosen(), soundChosen(), languageTurned(), newGame()}. Gives
    {open(), draw()}. */
export function makeSettings(dialog, held) {
  const parts = () => [...dialog.querySelectorAll("select, button, a")];

  function draw() {
    const focused = parts().indexOf(document.activeElement);
    const timer = held.timer();
    const [rules, over] = [held.rules(), overtimeSaid(timer, LETTERS)];
    const other = Object.entries(page.books).find(([lang]) => lang !== shownLanguage());
    const said = make("p", { class: "small quiet", "data-abilities": "" });
    abilities(held.isAwake).then((sentences) => said.replaceChildren(sentences.join(shownLanguage() === "en" ? " " : "")));
    dialog.replaceChildren(
      make("h2", {}, gettext("Settings")),
      ...(page.rulesets.length > 1 ? [rulesChoice(rules, held.rulesChosen)] : []),
      choice(gettext("Players at this table"), SEATS.map((one) => [String(one), one]), timer.seats, (seats) => held.choose({ seats })),
      choice(pgettext("timer", "Seconds a turn"), secondsOffered(rules, timer).map((one) => [String(one), one]), timer.seconds, (seconds) => held.choose({ seconds })),
      choice(
        gettext("The next turn begins"),
        [[gettext("when the next player presses"), false], [gettext("with the same press"), true]],
        timer.straight,
        (straight) => held.choose({ straight }),
      ),
      choice(gettext("Sounds"), [[pgettext("sounds", "on"), true], [pgettext("sounds", "off"), false]], held.sound(), held.soundChosen),
      make("p", { class: "small", "data-overtime": "" }, fill(gettext("Out of time in this game: %(turns)s"), { turns: over.length ? over.join("; ") : "–" })),
      make(
        "div",
        { class: "row" },
        button(gettext("New game, A begins"), held.newGame),
        sheetLink(rules),
        ...(other ? [Object.assign(button(other[1].name, () => held.languageTurned(other[0])), { lang: other[0] })] : []),
      ),
      said,
      Object.assign(button(gettext("Close"), () => dialog.close()), { className: "btn primary" }),
    );
    parts()[focused]?.focus();
  }
  return {
    draw: () => dialog.open && draw(),
    open: () => {
      draw();
      dialog.showModal();
    },
  };
}
