/* Whether what is sent from this page arrives: a network, and the account whose page it is still signed in. Asked each
   second while something is not with the server, else each five; at once when the browser says that a network went or
   came, and when the server has answered with the sign-in page. */

const SOON = 1000;
const LATER = 5000;
const LONGEST = 4000; // no answer in this time is no network

export const FINE = "fine";
export const OUT = "out"; // signed out
export const OTHER = "other"; // somebody else is signed in
export const AWAY = "away"; // no network, or the server does not answer

/** Watch; `told(state)` at each change. `dirty()` says whether something is not with the server. */
export function watch({ address, account, dirty, told }) {
  let state = FINE;
  let timer = 0;
  let asking = null;

  function become(next) {
    if (next === state) return;
    state = next;
    told(state);
  }

  async function ask() {
    const limit = new AbortController();
    const late = setTimeout(() => limit.abort(), LONGEST);
    try {
      const answer = await fetch(address, { headers: { Accept: "application/json" }, cache: "no-store", signal: limit.signal });
      if (!answer.ok) return AWAY;
      const said = await answer.json();
      if (!said.account) return OUT;
      if (String(said.account) !== account) return OTHER;
      // A new sign-in has a new token; every form of the page takes it.
      document.querySelectorAll("[name=csrfmiddlewaretoken]").forEach((field) => { field.value = said.token; });
      return FINE;
    } catch {
      return AWAY;
    } finally {
      clearTimeout(late);
    }
  }

  /** Ask now; two that ask at once share one answer. */
  function look() {
    asking ??= ask().then((next) => { become(next); return next; }).finally(() => { asking = null; });
    return asking;
  }

  async function again() {
    clearTimeout(timer);
    if (!document.hidden) await look();
    timer = setTimeout(again, dirty() || state !== FINE ? SOON : LATER);
  }

  window.addEventListener("offline", () => become(AWAY));
  window.addEventListener("online", again);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) again(); });
  timer = setTimeout(again, SOON);
  return { look, soon: again, state: () => state };
}
