/* The day's decision: what changes of it is asked for anew while it is watched, and put in its place with what was
   typed kept; countdowns tick by the server's time. Without script the page is right as of its loading. */
onPagesWith("weather", () => {
  const EVERY = 15_000;
  const LIVE = "#weather-live";
  const trouble = document.querySelector("[data-trouble]");
  const oneDay = 86_400;
  let loaded = performance.now();
  let mark = "";

  /** 00:19:36 of whole seconds. */
  function asClock(seconds) {
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    return parts.map((part) => String(part).padStart(2, "0")).join(":");
  }

  /** Every countdown, once a second; at its end the page is loaded anew. Days stay as the server wrote them. */
  function tick() {
    document.querySelectorAll("[data-until]").forEach((shown) => {
      const now = Date.parse(shown.dataset.now) + performance.now() - loaded;
      const left = Math.max(0, Math.ceil((Date.parse(shown.dataset.until) - now) / 1000));
      if (left < oneDay) shown.textContent = asClock(left);
      if (left === 0) look();
    });
  }

  /** What is typed, what is open and where the cursor stands. */
  function typedIn(live) {
    const fields = [...live.querySelectorAll("textarea, input.input")];
    const here = fields.find((field) => field === document.activeElement);
    return {
      texts: fields.map((field) => [field.id, field.value]),
      open: [...live.querySelectorAll("details")].map((one) => one.open),
      cursor: here ? [here.id, here.selectionStart, here.selectionEnd] : null,
    };
  }

  /** Put it back. */
  function typeAgain(live, { texts, open, cursor }) {
    texts.forEach(([id, text]) => {
      const field = document.getElementById(id);
      if (field && text) field.value = text;
    });
    const all = [...live.querySelectorAll("details")];
    if (all.length === open.length) all.forEach((one, place) => { one.open = open[place]; });
    const field = cursor && document.getElementById(cursor[0]);
    if (field) {
      field.focus();
      field.setSelectionRange(cursor[1], cursor[2]);
    }
  }

  /** The new in the place of the old. A button that has the focus is not taken from under a finger. */
  function show(text) {
    const live = document.querySelector(LIVE);
    const piece = new DOMParser().parseFromString(text, "text/html").querySelector(LIVE);
    if (!piece) return window.location.reload();
    const typed = typedIn(live);
    live.replaceWith(piece);
    loaded = performance.now();
    typeAgain(piece, typed);
    showNow();
  }

  /** Whether somebody is about to press what would be replaced. */
  function busy() {
    const here = document.activeElement;
    return Boolean(here && here.closest(`${LIVE} :is(button, a, summary)`));
  }

  /** On a narrow screen the drawing is pushed to where it is now. */
  function showNow() {
    const line = document.querySelector(".timeline .now");
    const frame = line && line.closest(".scroll");
    if (frame && frame.scrollWidth > frame.clientWidth) {
      const place = line.getBoundingClientRect().left - frame.getBoundingClientRect().left;
      frame.scrollLeft += place - frame.clientWidth / 2;
    }
  }

  let asking = false;

  /** Ask once. */
  async function look() {
    if (asking) return;
    asking = true;
    try {
      const headers = { "X-Live": "1", ...(mark ? { "If-None-Match": mark } : {}) };
      const answer = await fetch(document.querySelector(LIVE).dataset.poll, { headers, cache: "no-store" });
      if (answer.redirected || (answer.status >= 400 && answer.status < 500)) return window.location.reload();
      if (answer.status === 200) {
        const text = await answer.text();
        if (!busy()) {
          mark = answer.headers.get("ETag") || "";
          show(text);
        }
      }
      if (trouble) trouble.hidden = answer.ok || answer.status === 304;
    } catch {
      if (trouble) trouble.hidden = false;
    } finally {
      window.setTimeout(() => { asking = false; }, 3000);
    }
  }

  /** Often while it is watched; otherwise when it is looked at again. */
  function again() {
    window.setTimeout(async () => {
      if (!document.hidden) await look();
      again();
    }, EVERY + Math.random() * 1000);
  }

  document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
  tick();
  showNow();
  window.setInterval(tick, 1000);
  again();
});
