/* Two short tones and a shake when a table's time is up and when the chief judge has answered; each can be switched off, and
   stays so on this tablet. The tones are made here: no file is loaded. */

import { tableTime } from "./clock.js";
import { switchTexts } from "./texts.js";
import { make } from "./tile.js";

const EVERY = 1000;
const PITCHES = { time: [880, 660, 880], answer: [660, 880] };
const SHAKES = { time: [400, 150, 400, 150, 400], answer: [200, 100, 200] };
const GAP = 0.25; // s

/** `store` and `clock` as ever. Gives {looked(), switches()}: call `looked` after each state. */
export function makeAlerts({ store, clock }) {
  let sound = null;
  let answered = null; // the calls that had an answer when it was looked last
  const left = new Map();

  const isOn = (name) => store.fact(name) !== false;

  // Browsers let a page be heard once somebody has touched it.
  document.addEventListener("pointerdown", () => {
    if (!isOn("sound")) return;
    sound ??= "AudioContext" in window ? new AudioContext() : null;
    if (sound?.state === "suspended") sound.resume();
  });

  function tell(what) {
    document.dispatchEvent(new CustomEvent("alerted", { detail: what }));
    if (isOn("sound") && sound) PITCHES[what].forEach((pitch, at) => tone(pitch, at * GAP));
    if (isOn("vibration")) navigator.vibrate?.(SHAKES[what]);
  }

  function tone(pitch, after) {
    const [source, loud] = [sound.createOscillator(), sound.createGain()];
    const begins = sound.currentTime + after;
    source.frequency.value = pitch;
    loud.gain.setValueAtTime(0.4, begins);
    loud.gain.exponentialRampToValueAtTime(0.001, begins + GAP - 0.03);
    source.connect(loud).connect(sound.destination);
    source.start(begins);
    source.stop(begins + GAP);
  }

  /** Once a second: a table that had time and has none. */
  function tick() {
    const state = store.state();
    if (!state) return;
    for (const table of state.tables) {
      const time = tableTime(state, table, clock.now());
      const now = time.kind === "running" ? time.ms : null;
      const id = `${state.session.number}/${table.number}`;
      if (now === 0 && left.get(id) > 0) tell("time");
      left.set(id, now);
    }
  }
  setInterval(tick, EVERY);

  /** The answers of the newest state: one that was not there before is told. */
  function looked() {
    const found = store.state().tables.flatMap(({ calls }) => calls.filter((call) => call.answer).map(({ id }) => id));
    if (answered && found.some((id) => !answered.has(id))) tell("answer");
    answered = new Set(found);
  }

  /** A button for each, pressed while it is on. */
  function switches() {
    return ["sound", "vibration"].map((name) => {
      const button = make("button", { type: "button", class: "btn", "aria-pressed": String(isOn(name)) }, switchTexts()[isOn(name) ? `${name}_on` : `${name}_off`]);
      button.addEventListener("click", async () => {
        await store.keepFact(name, !isOn(name));
        button.replaceWith(switches()[name === "sound" ? 0 : 1]);
        if (isOn(name)) tell("answer");
      });
      return button;
    });
  }

  return { looked, switches };
}
