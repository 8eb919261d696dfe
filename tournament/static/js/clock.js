/* [data-ends] counts down to that moment by the server's clock: [data-now] is what it was when the page was made.
   Without script the page says when play ends. */
onPagesWith("clock", () => {
  const SOON = 5 * 60;
  const loaded = performance.now();

  /** 28:14 of whole seconds. */
  function asMinutes(seconds) {
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }

  /** Every clock of the page, once a second. */
  function tick() {
    document.querySelectorAll("[data-ends]").forEach((shown) => {
      const since = Date.parse(shown.dataset.now) + performance.now() - loaded;
      const left = Math.max(0, Math.ceil((Date.parse(shown.dataset.ends) - since) / 1000));
      shown.textContent = asMinutes(left);
      shown.classList.toggle("soon", left <= SOON);
    });
  }

  tick();
  window.setInterval(tick, 1000);
});
