/* The hall's clock as a page: it asks the server every few seconds, counts on alone when nobody answers, and says so. */

import { spoken } from "../tablet/clock.js";
import { footOf, hour } from "./facts.js";
import { colourOf, marksPassed, shownAt, stepsOf } from "./phases.js";
import { makeServerTime } from "./server_time.js";
import { makeSounds } from "./sounds.js";
import { both, own, said } from "./words.js";

const ASK_WALL = 2000;
const ASK_HAND = 5000; // many phones, and nobody at the table looks at seconds
const ANSWER_WITHIN = 4000;
const ALONE_AFTER = 10_000;
const TICK = 200;

export const time = makeServerTime();
const sounds = makeSounds();
const at = (name) => document.querySelector(`[data-${name}]`);
const places = Object.fromEntries(
  ["heading", "network", "moment", "phases", "digits", "say", "then", "tickets", "facts", "sounds", "told"].map((name) => [name, at(name)]),
);
const wide = matchMedia("(min-width: 900px)");
let facts = { sessions: [] };
let heardAt = -Infinity;
let counted = { phase: "", until: null, ms: null };
const drawn = {};

/** An element with a class and content: texts, nodes, or a text in both languages. */
function element(name, className, ...content) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...content.flatMap((one) => (one.zh === undefined ? [one] : said(one))));
  return made;
}

/** Draws a place anew only where what it shows has changed: nothing flickers, nothing is read aloud twice. */
function draw(name, value, make) {
  const now = JSON.stringify(value);
  if (drawn[name] === now) return;
  drawn[name] = now;
  make();
}

/** 28:14 on tiles of a colour. */
function tiles(place, ms, colour) {
  const text = spoken(Math.max(0, ms));
  draw(place.dataset.digits ?? place.dataset.table, [text, colour], () => {
    const shown = [...text].map((sign) =>
      sign === ":" ? element("span", "colon", element("i"), element("i")) : element("span", `tile ${colour}`, sign),
    );
    place.replaceChildren(...shown);
    place.classList.toggle("long", text.length > 5);
    place.setAttribute("aria-label", own(both("left", { time: text })));
  });
}

function drawHeading({ session, next, phase }) {
  const name = session?.name ?? (phase === "ahead" ? next.name : null);
  if (name) draw("heading", name, () => places.heading.replaceChildren(...said(name)));
}

function drawPhases({ session, phase }) {
  const steps = session ? stepsOf(session, phase) : [];
  draw("phases", steps, () => {
    places.phases.hidden = !steps.length;
    places.phases.replaceChildren(...steps.map((step) => {
      const made = element("li", step.now ? "is-now" : step.done ? "is-done" : "");
      made.append(element("b", "", both(step.name)), element("span", "", step.at === null ? "" : hour(step.at)));
      if (step.now) made.setAttribute("aria-current", "step");
      return made;
    }));
  });
}

/** The largest sentence and what follows from it. */
function drawSentence(shown) {
  const { sentence, next, phase, session } = shown;
  const values = next ? { name: next.name, day: next.day, time: hour(next.check_in) } : {};
  if (phase === "check_in") values.time = hour(session.seating);
  draw("say", [sentence, values], () => {
    places.say.replaceChildren(...said(both(`${sentence}_say`, values)));
    places.say.classList.toggle("big", shown.ms === null);
  });
  const then = { ten: "soon", five: "soon", one: "soon", call_ten: "call", call_five: "call" }[sentence] ?? sentence;
  const has = !["check_in", "seating", "play", "closed"].includes(then);
  draw("then", [then, values, phase], () => {
    places.then.hidden = !has;
    places.then.replaceChildren(...(has ? said(both(`${then}_then`, values)) : []));
  });
}

function tableTile(number) {
  return element("span", `tile ${"rbko"[(number - 1) % 4]}`, String(number));
}

/** Once all others have ended: each table that plays on, by its own clock. */
function drawTickets({ phase, tables }) {
  const found = phase === "signing" ? tables : [];
  draw("tickets", found.map((table) => [table.number, table.paused]), () => {
    places.tickets.replaceChildren(...found.map((table) => {
      const digits = element("div", "digits");
      digits.dataset.table = `table ${table.number}`;
      delete drawn[digits.dataset.table];
      digits.setAttribute("role", "timer");
      const sentence = both(table.paused ? "paused" : "plays_on", { tables: table.number });
      return element("li", "ticket", tableTile(table.number), element("b", "say", sentence), digits);
    }));
    places.tickets.hidden = !found.length;
    places.tickets.classList.toggle("many", found.length > 1);
  });
  for (const table of found) tiles(places.tickets.querySelector(`[data-table="table ${table.number}"]`), table.ms, colourOf(table.ms));
}

function drawFoot(shown) {
  const found = footOf(shown);
  draw("facts", found, () => {
    places.facts.replaceChildren(...found.map(({ label, text }) => element("div", "", element("span", "", label), element("b", "", text))));
  });
}

/** Lines in both languages; on the wall as many as there is room for, the latest first. */
function drawTold({ announcements }) {
  const lines = announcements.map(({ zh, en }) => ({ zh, en })).reverse();
  draw("told", lines, () => {
    places.told.hidden = !lines.length;
    places.told.replaceChildren(...lines.map((line) => element("li", "", line)));
  });
}

/** In the hand: tables with a time of their own, and when the next session begins. */
function drawHand({ session, next, tables, calls }) {
  const list = document.querySelector('[data-hand="now"]');
  const rows = tables.map(({ number, later, paused, end }) => ({ number, later, paused, end }));
  draw("hand", [rows, calls], () => {
    list.hidden = !rows.length && !calls.length;
    list.querySelector("[data-title]").replaceChildren(...said(both("now_title")));
    list.querySelector("ul").replaceChildren(...rows.map(({ number, later, paused, end }) => {
      const minutes = Math.round((later ?? 0) / 60_000);
      const what = paused || !minutes ? both("paused", { tables: number }) : both("added", { minutes });
      const until = end === null ? [] : [element("b", "nb", both("by", { time: hour(end) }))];
      return element("li", "", tableTile(number), element("b", "", what), ...until);
    }), ...calls.map(({ table, kind, at: since }) => {
      const called = element("span", "small quiet nb", hour(since));
      return element("li", "", tableTile(table), element("b", "", both(kind)), called);
    }));
  });
  const card = document.querySelector('[data-hand="next"]');
  draw("hand next", [next, session?.day], () => {
    card.hidden = !next || !session;
    if (!next) return;
    card.querySelector("[data-name]").replaceChildren(...said(next.name));
    const values = { time: hour(next.check_in), day: next.day };
    card.querySelector("[data-when]").replaceChildren(...said(both("ahead_then", values)));
  });
}

function drawBar({ session }, now) {
  const alone = performance.now() - heardAt > ALONE_AFTER;
  draw("network", alone, () => {
    places.network.hidden = false;
    places.network.querySelector('[data-icon="on"]').hidden = alone;
    places.network.querySelector('[data-icon="off"]').hidden = !alone;
    const says = places.network.querySelector("[data-says]");
    says.replaceChildren(...said(both(alone ? "clock_alone" : "clock_set")));
    says.classList.toggle("c-orange", alone);
  });
  const moment = session ? both("at", { day: session.day, time: hour(now) }) : { zh: hour(now), en: hour(now) };
  draw("moment", moment, () => places.moment.replaceChildren(...said(moment)));
}

/** Sounds where a mark was passed under our eyes, of one count. */
function sound({ phase, until, ms }) {
  const ended = phase === "signing" && counted.phase === "play";
  if (ended) marksPassed("play", counted.ms, 0).forEach(sounds.sound);
  if (until === counted.until) marksPassed(phase, counted.ms, ms).forEach(sounds.sound);
  counted = { phase, until, ms };
}

function tick() {
  const now = time.now();
  const shown = shownAt(facts, now);
  drawHeading(shown);
  drawPhases(shown);
  places.digits.hidden = shown.ms === null;
  if (shown.ms !== null) tiles(places.digits, shown.ms, colourOf(shown.ms));
  drawSentence(shown);
  drawTickets(shown);
  drawTold(shown);
  drawFoot(shown);
  drawHand(shown);
  drawBar(shown, now);
  sound(shown);
}

/** An answer of the server, with when it was asked for and when it had come. */
function take({ now, ...told }, asked, came) {
  facts = told;
  heardAt = came;
  time.hear(now, asked, came);
}

async function ask() {
  const asked = performance.now();
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN);
    const answer = await fetch(document.body.dataset.from, { credentials: "omit", cache: "no-store", signal });
    if (!answer.ok) return;
    const content = await answer.json();
    take(content, asked, performance.now());
    tick();
  } catch {
    // Nobody answers: the clock goes on, and the page says so.
  }
}

function askAgain() {
  const every = wide.matches ? ASK_WALL : ASK_HAND;
  setTimeout(async () => {
    if (!document.hidden) await ask();
    askAgain();
  }, every * (0.8 + Math.random() * 0.4));
}

function drawSounds() {
  const on = sounds.isOn();
  places.sounds.querySelector("[data-says]").replaceChildren(...said(both(on ? "sound_on" : "sound_off")));
  const all = places.sounds.querySelector('[data-sound="all"]');
  all.replaceChildren(...said(both(on ? "turn_off" : "turn_on")));
  all.setAttribute("aria-pressed", on);
}

function prepareSounds() {
  places.sounds.querySelector('[data-sound="all"]').addEventListener("click", async () => {
    await sounds.turn();
    drawSounds();
  });
  for (const name of ["call", "ten", "one", "end"]) {
    const box = places.sounds.querySelector(`[data-sound="${name}"]`);
    box.checked = sounds.chosen[name];
    box.nextElementSibling.replaceChildren(...said(both(name)));
    box.addEventListener("change", () => sounds.choose(name, box.checked));
  }
  places.sounds.querySelector('[data-sound="note"]').replaceChildren(...said(both("sound_note")));
  drawSounds();
}

/** The page's own answer came some time ago: by how much is known from the browser's table of what it loaded. */
function takeFirst() {
  const [loaded] = performance.getEntriesByType?.("navigation") ?? [];
  const came = loaded?.responseStart || performance.now();
  take(JSON.parse(document.getElementById("hall-facts").content.textContent), loaded?.requestStart || came, came);
}

takeFirst();
prepareSounds();
tick();
setInterval(tick, TICK);
document.addEventListener("visibilitychange", () => document.hidden || ask());
ask();
askAgain();
