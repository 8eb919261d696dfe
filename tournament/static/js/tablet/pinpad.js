/* Who are you, and your PIN: names to press and digit keys of our own, so that no system keyboard covers anything. */

import { button, icon } from "./icon.js";
import { make } from "./tile.js";
import { fill, gettext } from "./words.js";

const LONGEST = 8;
const SHORTEST = 4;
const SECOND = 1000;
// Up to here one waits it out; a longer wait the desk may have ended, so that one may try.
const WAITED_OUT = 60 * SECOND;

/** 0:05, 14:59. */
function countdown(left) {
  const seconds = Math.ceil(left / SECOND);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** `people` [{id, name}]; `first` the one that is most likely, or null; `submit(person, pin)` answers {ok, sentence},
 * and `until` where this referee waits after wrong PINs: that is counted down here, and the keys come back by themselves;
 * `title`, `why`: what stands above; `giveUp()` if one may leave. Answers a function that tells {person, pin} as they are
 * now; given as `typed` to keys that take the place of these, digits stay while that person is there. */
export function pinPad(element, { people, first, title, why = "", submit, giveUp = null, typed = null }) {
  const before = typed?.pin && people.find((one) => one.id === typed.person?.id);
  let person = before || people.find((one) => first && one.id === first.id) || (people.length === 1 ? people[0] : null);
  let pin = before ? typed.pin : "";
  let said = "";
  // By referee: {until, closed, sentence}. Another referee does not wait.
  const waits = new Map();
  let ticking = null;

  const waiting = () => {
    const found = person && waits.get(person.id);
    return found && found.until > Date.now() ? found : null;
  };

  /** The seconds change in place; when they are over the pad is as it was. */
  function tick() {
    const timer = element.querySelector(".pin [role=timer]");
    const found = waiting();
    if (timer && found) timer.textContent = countdown(found.until - Date.now());
    else {
      clearInterval(ticking);
      ticking = null;
      if (timer) draw();
    }
  }

  function wait({ until, sentence }) {
    waits.set(person.id, { until, closed: until - Date.now() <= WAITED_OUT, sentence });
    ticking ??= setInterval(tick, SECOND / 4);
  }

  const pressed = (digit) => {
    if (waiting()?.closed) return;
    if (pin.length < LONGEST) pin += digit;
    said = "";
    draw();
  };

  async function send() {
    const typed = pin;
    pin = "";
    const answer = await submit(person, typed);
    if (answer.ok) return; // another screen stands here now
    said = answer.until ? "" : answer.sentence || "";
    if (answer.until) wait(answer);
    draw();
  }

  function key(label, act, name = "") {
    const attributes = { type: "button", class: "key", ...(name ? { "aria-label": name } : {}) };
    const made = make("button", attributes, label);
    made.addEventListener("click", act);
    return made;
  }

  function drawPeople() {
    const names = people.map((one) =>
      button(one.name, () => {
        person = one;
        draw();
      }),
    );
    return [make("h2", {}, gettext("Who are you?")), make("div", { class: "people" }, ...names)];
  }

  function drawKeys() {
    const dots = Array.from({ length: Math.max(SHORTEST, pin.length) }, (_, index) =>
      make("i", index < pin.length ? { class: "is-on" } : {}),
    );
    const label = fill(gettext("%(count)s digits typed"), { count: pin.length });
    const keys = [..."123456789"].map((digit) => key(digit, () => pressed(digit)));
    const erase = key(icon("left"), () => {
      pin = pin.slice(0, -1);
      draw();
    }, gettext("Delete"));
    const open = button(gettext("Open"), send, { kind: "primary" });
    const found = waiting();
    const pad = [...keys, erase, key("0", () => pressed("0")), open];
    open.disabled = pin.length < SHORTEST;
    if (found?.closed) for (const one of pad) one.disabled = true;
    if (found) ticking ??= setInterval(tick, SECOND / 4);
    const other = button(gettext("I am somebody else"), () => {
      person = null;
      pin = "";
      draw();
    }, { kind: "plain" });
    return [
      make("h2", {}, fill(gettext("PIN of %(name)s"), { name: person.name })),
      make("div", { class: "pin-dots", role: "img", "aria-label": label }, ...dots),
      make("p", { class: "fault", role: "alert" }, found ? found.sentence : said),
      ...(found ? [make("p", { class: "quiet", role: "timer" }, countdown(found.until - Date.now()))] : []),
      make("div", { class: "pin-keys" }, ...pad),
      ...(people.length > 1 ? [other] : []),
    ];
  }

  function draw() {
    const head = [...(title ? [make("h1", {}, title)] : []), ...(why ? [make("p", { class: "quiet" }, why)] : [])];
    const body = person ? drawKeys() : drawPeople();
    const leave = giveUp ? [button(gettext("Not now"), giveUp, { kind: "plain" })] : [];
    element.replaceChildren(make("div", { class: person ? "alone pin" : "alone" }, ...head, ...body, ...leave));
  }

  element.onkeydown = (event) => {
    if (person && /^\d$/.test(event.key)) pressed(event.key);
    if (person && event.key === "Enter" && pin.length >= SHORTEST) send();
  };
  draw();
  return () => ({ person, pin });
}
