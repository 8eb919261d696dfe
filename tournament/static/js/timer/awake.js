/* Keeps the screen awake by the Screen Wake Lock; says whether it does. A browser gives the lock back whenever the page is out
   of sight, so it is asked for again each time that the page is seen. */

/** `onchange(isAwake)`: false where the browser has no such lock (an old one, or plain http) or refuses it (battery saver). */
export function makeAwake(onchange) {
  let lock = null;
  let wanted = false;

  async function ask() {
    if (!wanted || document.hidden || (lock && !lock.released)) return;
    try {
      lock = await navigator.wakeLock.request("screen");
      onchange(true);
    } catch {
      onchange(false);
    }
  }
  document.addEventListener("visibilitychange", ask);

  return {
    keep: () => {
      wanted = true;
      return ask();
    },
  };
}
