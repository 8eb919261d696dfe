/* The turn timer as a page: a joker to press, the seats, the time. It asks nobody anything. The time is that of performance.now,
   which goes only forward; it is kept in the browser at every act and every second, so that a reload loses nothing. */

import { keepPages } from "../tablet/kept.js";
import { make } from "../tablet/tile.js";
import { fill, gettext, page, showLanguage, shownLanguage } from "../tablet/words.js";
import { makeAwake } from "./awake.js";
import { figuresOf, stateSaid } from "./sentences.js";
import { makeSettings } from "./settings.js";
import { makeSounds } from "./sounds.js";
import * as turns from "./turns.js";

const DRAWN_EVERY = 100;
const KEPT_EVERY = 1000;
const BOUNCE = 400; // ms in which a second press is the same finger
const SLEPT = 2000; // ms by which the wall clock went on and the other did not
const KEY = `turn timer ${page.slug}`;
const LANGUAGE = "turn timer language";
const one = (name) => document.querySelector(`[data-${name}]`);
const now = () => performance.now();

/** What the browser keeps; nothing where it keeps nothing. */
const recall = (name) => {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
};
const store = (name, value) => {
  try {
    localStorage.setItem(name, value);
  } catch {
    // a browser that keeps nothing: the timer runs all the same
  }
};

/** What was chosen beside the timer, where it was chosen for the rules as they are now. */
function readOptions() {
  try {
    const { code, own, sound } = JSON.parse(recall(`${KEY} options`));
    const at = page.rulesets.findIndex((one) => one.code === code);
    return { at: Math.max(0, at), sound: sound !== false, isSame: at >= 0 && own === JSON.stringify(page.rulesets[at]) };
  } catch {
    return { at: 0, sound: true, isSame: false };
  }
}

const ofRules = (at) => ({ seats: page.rulesets[at].seats, seconds: page.rulesets[at].seconds });
const options = readOptions();
const kept = options.isSame ? turns.readKept(recall(KEY)) : null;
let rules = options.at;
let { sound } = options;
let timer = kept ? turns.reopened(kept, now()) : turns.newTimer(ofRules(rules));
let shown = ""; // the state that was drawn last, for the sounds
let keptAt = 0;
let pressedAt = -BOUNCE;
let isAwake = "wakeLock" in navigator;
let hiddenAt = null; // both clocks, when the page went out of sight

const sounds = makeSounds(() => sound);
const awake = makeAwake((is) => {
  isAwake = is;
  draw();
  settings.draw();
});

function keep() {
  store(KEY, JSON.stringify(turns.settled(timer, now())));
  store(`${KEY} options`, JSON.stringify({ code: page.rulesets[rules].code, own: JSON.stringify(page.rulesets[rules]), sound }));
  keptAt = now();
}

function act(next) {
  timer = next;
  shown = "";
  keep();
  draw();
  settings.draw();
}

const seatButtons = () =>
  turns.LETTERS.slice(0, timer.seats).map((letter, at) => {
    const label = fill(gettext("Seat %(letter)s"), { letter });
    const element = make("button", { type: "button", "aria-label": label, ...(at === timer.at ? { "aria-current": "true" } : {}) }, letter);
    element.addEventListener("click", () => act(turns.seatTurn(timer, now(), at)));
    return element;
  });

function drawSeats() {
  const drawn = `${timer.seats} ${timer.at} ${shownLanguage()}`;
  if (one("seats").dataset.drawn === drawn) return;
  one("seats").dataset.drawn = drawn;
  one("seats").dataset.seats = timer.seats;
  one("seats").setAttribute("aria-label", gettext("Whose turn it is"));
  one("seats").replaceChildren(...seatButtons());
}

/** Only what differs is written: a screen reader hears a head once. */
function write(name, text) {
  if (one(name).textContent !== text) one(name).textContent = text;
}

const BUTTONS = {
  pause: () => gettext("Pause"),
  resume: () => gettext("Go on"),
  intime: () => gettext("Was in time"),
  undo: () => gettext("Undo"),
  hand: () => gettext("Raise hand"),
  settings: () => (timer.seconds === null ? gettext("Settings") : fill(gettext("%(seconds)s s, settings"), { seconds: timer.seconds })),
};
const OFFERED = { over: ["pause", "intime", "hand"], held: ["resume", "undo", "hand"], unset: ["undo", "settings"] };

function drawButtons(state) {
  const offered = OFFERED[state] ?? ["pause", "undo", "settings"];
  for (const [name, word] of Object.entries(BUTTONS)) {
    one(name).hidden = !offered.includes(name);
    write(`word-${name}`, word());
  }
  one("undo").disabled = !turns.canUndo(timer);
}

function draw() {
  const seen = turns.look(timer, now());
  const said = stateSaid(seen, timer, rules);
  const [figures, unit] = figuresOf(seen);
  const { state } = seen;
  document.body.dataset.state = state;
  drawSeats();
  drawButtons(state);
  write("figures", figures);
  write("unit", unit);
  write("head", said.head);
  write("rule", said.rule);
  one("press").setAttribute("aria-label", said.act);
  one("now").setAttribute("stroke-dasharray", `${state === "over" || seen.share === 1 ? 101 : seen.share * 100} 101`);
  one("dark").hidden = isAwake;
  write("dark", gettext("This browser lets the screen go dark: set this device to leave it on."));
  if (shown !== state && ["running", "warn"].includes(shown) && ["warn", "over"].includes(state)) sounds(state);
  shown = state;
  if (state !== "ready" && now() - keptAt > KEPT_EVERY) keep();
}

const settings = makeSettings(one("dialog"), {
  timer: () => timer,
  rules: () => rules,
  sound: () => sound,
  isAwake: () => isAwake,
  choose: (choice) => act(turns.choose(timer, now(), choice)),
  rulesChosen: (at) => {
    rules = at;
    act(turns.choose(timer, now(), ofRules(at)));
  },
  soundChosen: (is) => {
    sound = is;
    act(timer);
  },
  newGame: () => {
    act(turns.newGame(timer, now()));
    one("dialog").close();
  },
  languageTurned: (lang) => {
    speak(lang);
    act(timer);
  },
});

function speak(lang) {
  showLanguage(lang);
  document.title = page.books[lang].title;
  store(LANGUAGE, lang);
}

function pressed() {
  if (timer.seconds === null) settings.open();
  else if (now() - pressedAt > BOUNCE) act(turns.press(timer, now()));
  pressedAt = now();
}

const ACTS = {
  press: pressed,
  resume: () => act(turns.press(timer, now())),
  pause: () => act(turns.hold(timer, now(), "break")),
  hand: () => act(turns.hold(timer, now(), "hand")),
  intime: () => act(turns.passInTime(timer, now())),
  undo: () => act(turns.undo(timer, now())),
  settings: () => settings.open(),
};
for (const [name, does] of Object.entries(ACTS)) {
  one(name).addEventListener("click", () => {
    awake.keep();
    does();
  });
}

/** A page out of sight goes on counting: its clock does too. Where a device has slept that clock may have stood still, which the
    wall clock tells; how long is not believed, since that one may have been set: the table is asked, in a pause. */
function seenAgain() {
  const [slept, counted] = [Date.now() - hiddenAt.wall, now() - hiddenAt.counted];
  if (slept - counted > SLEPT && ["running", "warn", "over"].includes(turns.look(timer, now()).state)) act(turns.hold(timer, now(), "slept"));
  draw();
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    hiddenAt = { wall: Date.now(), counted: now() };
    keep();
  } else if (hiddenAt) seenAgain();
});
addEventListener("pagehide", keep);

const wished = recall(LANGUAGE);
if (wished in page.books) speak(wished);
draw();
setInterval(draw, DRAWN_EVERY);
keepPages(page.worker, [location.pathname], page.scope).catch(console.error);
