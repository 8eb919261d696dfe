/* One window of the page sends; a second one that is opened steps back, or takes over when it is told to. */

const PATIENCE = 400;

/** Resolves to {first, take}: whether this is the only window, and a function by which it becomes that. `onlost()` when
 * another window has taken over. No lock manager exists over plain http, messages between windows do. */
export function makeWindow(name, onlost) {
  const channel = new BroadcastChannel(name);
  const me = crypto.getRandomValues(new Uint32Array(1))[0];
  let mine = false;
  let answered = () => {};

  channel.onmessage = ({ data }) => {
    if (data.say === "anyone?" && mine) channel.postMessage({ say: "here", from: me });
    if (data.say === "here" && !mine) answered();
    if (data.say === "mine" && data.from !== me && mine) {
      mine = false;
      onlost();
    }
  };

  /** Whether no other window answers; it is this one's then. */
  async function ask() {
    const other = new Promise((resolve) => {
      answered = () => resolve(true);
    });
    channel.postMessage({ say: "anyone?", from: me });
    const nobody = new Promise((resolve) => setTimeout(() => resolve(false), PATIENCE));
    if (await Promise.race([other, nobody])) return false;
    take();
    return true;
  }

  function take() {
    mine = true;
    channel.postMessage({ say: "mine", from: me });
  }

  return { ask, take, isMine: () => mine };
}
