/* Tones made here, no file: at ten seconds, and when the time is over. */

const TONES = { warn: [[660, 0], [660, 0.3]], over: [[880, 0], [660, 0.25], [880, 0.5], [660, 0.75]] };
const LENGTH = 0.22; // s

/** `isOn()`: whether sounds are wanted now. */
export function makeSounds(isOn) {
  let audio = null;

  // Browsers let a page be heard once somebody has touched it.
  document.addEventListener("pointerdown", () => {
    if (!isOn()) return;
    audio ??= "AudioContext" in window ? new AudioContext() : null;
    if (audio?.state === "suspended") audio.resume();
  });

  function tone(pitch, after) {
    const [source, loudness] = [audio.createOscillator(), audio.createGain()];
    const begins = audio.currentTime + after;
    source.frequency.value = pitch;
    loudness.gain.setValueAtTime(0.5, begins);
    loudness.gain.exponentialRampToValueAtTime(0.001, begins + LENGTH);
    source.connect(loudness).connect(audio.destination);
    source.start(begins);
    source.stop(begins + LENGTH);
  }

  /** `name`: warn or over. */
  return function sound(name) {
    document.dispatchEvent(new CustomEvent("sounded", { detail: isOn() ? name : "" }));
    if (isOn() && audio) for (const [pitch, after] of TONES[name]) tone(pitch, after);
  };
}
