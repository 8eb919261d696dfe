/* Whether what is sent from this page arrives: a network, and the account whose page it is still signed in. Asked twice
   a second while something is not with the server, else each five; at once when the browser says that a network went or
   came, and when the server has answered with the sign-in page.

   An answer that does not come is said well before it is given up: after some times what the last answers took. Where the
   server is slow all along that is longer, so that nothing is said of a network that is there; a late answer is one. */
const sheetWatch = (() => {
  const SOON = 500;
  const LATER = 5000;
  const LONGEST = 4000; // no answer in this time is no network
  const SOONEST_SAID = 900; // a lost packet is sent again before that
  const FIRST_SAID = 1000; // before any answer was measured
  const TIMES = 3;
  const MEASURED = 5;
  const SETTLE = 50; // an answer that is here, and waits for a busy page, has come

  const FINE = "fine";
  const OUT = "out"; // signed out
  const OTHER = "other"; // somebody else is signed in
  const AWAY = "away"; // no network, or the server does not answer

  /** Watch; `told(state)` at each change. `dirty()` says whether something is not with the server. */
  function watch({ address, account, dirty, told }) {
    let state = FINE;
    let timer = 0;
    let asking = null;
    let took = []; // milliseconds of the last answers

    const patience = () => (took.length ? Math.min(LONGEST, Math.max(SOONEST_SAID, TIMES * Math.max(...took))) : FIRST_SAID);

    function become(next) {
      if (next === state) return;
      state = next;
      told(state);
    }

    async function ask() {
      const limit = new AbortController();
      const late = setTimeout(() => limit.abort(), LONGEST);
      const began = performance.now();
      let silent = setTimeout(() => { silent = setTimeout(become, SETTLE, AWAY); }, patience());
      try {
        const answer = await fetch(address, { headers: { Accept: "application/json" }, cache: "no-store", signal: limit.signal });
        took = [...took, performance.now() - began].slice(-MEASURED);
        clearTimeout(silent);
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
        clearTimeout(silent);
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

  /** A press leaves the page only where its way to the server is open; else the page stays, with every cell, and `tell`s.
      `waits()` is what must have ended first, if anything; `goes()` is called where it leaves. */
  function holdBack(form, watching, { waits = () => null, tell, goes }) {
    let sure = false; // a press whose way to the server has just been looked at
    return (event) => {
      if (sure && !waits()) {
        goes();
        return;
      }
      event.preventDefault();
      delete form.dataset.sent; // desk.js sends a form once; this one has not gone yet
      const press = event.submitter;
      Promise.resolve(waits()).then(() => watching.look()).then((state) => {
        if (press) press.removeAttribute("aria-busy");
        if (state !== FINE) {
          tell(state);
          return;
        }
        sure = true;
        form.requestSubmit(press);
        sure = false;
      });
    };
  }

  return { FINE, OUT, OTHER, AWAY, watch, holdBack };
})();
