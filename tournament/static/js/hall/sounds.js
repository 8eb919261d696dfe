/* The last calls, ten minutes, one minute, the end: each has its tones, made by the browser, and can be switched off. A browser sounds only after
   somebody has pressed something on the page, so that sound is off when the page is opened. */

const KEY = "hall-sounds";
// Hertz and seconds, one after another.
const TONES = {
  call: [[988, 0.2], [784, 0.3]],
  ten: [[660, 0.25], [0, 0.1], [660, 0.25]],
  one: [[880, 0.2], [0, 0.1], [880, 0.2], [0, 0.1], [880, 0.2]],
  end: [[523, 0.5], [659, 0.5], [784, 1.4]],
  told: [[784, 0.15], [988, 0.25]],
};

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

export function makeSounds() {
  const chosen = { call: true, ten: true, one: true, end: true, ...kept() };
  let context = null;

  const isOn = () => context !== null;

  /** On by a press, with a short tone so that the hall hears that it works; off again by another. */
  async function turn() {
    if (context) {
      const ended = context;
      context = null;
      await ended.close();
      return;
    }
    context = new AudioContext();
    await context.resume();
    sound("told");
  }

  function choose(name, wanted) {
    chosen[name] = wanted;
    try {
      localStorage.setItem(KEY, JSON.stringify(chosen));
    } catch {
      // A browser that keeps nothing asks again next time.
    }
  }

  function sound(name) {
    if (!context || chosen[name] === false) return;
    let at = context.currentTime + 0.05;
    for (const [hertz, seconds] of TONES[name]) {
      if (hertz) tone(hertz, at, seconds);
      at += seconds;
    }
  }

  function tone(hertz, at, seconds) {
    const source = context.createOscillator();
    const loudness = context.createGain();
    source.frequency.value = hertz;
    loudness.gain.setValueAtTime(0.0001, at);
    loudness.gain.exponentialRampToValueAtTime(0.6, at + 0.02);
    loudness.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
    source.connect(loudness).connect(context.destination);
    source.start(at);
    source.stop(at + seconds);
  }

  return { chosen, isOn, turn, choose, sound };
}
