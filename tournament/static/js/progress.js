/* Long work: [data-poll] is asked for anew each second and put in its place; [data-over] in it loads the page anew.
   Without script the page reloads itself. */
onPagesWith("progress", () => {
  const EVERY = 1000;

  /** Ask once, show it, and ask again unless it is over. A network that fails is asked again later. */
  async function look() {
    const shown = document.querySelector("[data-poll]");
    if (!shown) return;
    try {
      const answer = await fetch(shown.dataset.poll, { headers: { Accept: "text/html" } });
      if (answer.redirected || answer.status >= 400) return window.location.reload();
      const piece = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("#progress");
      if (!piece || piece.hasAttribute("data-over")) return window.location.reload();
      const focused = document.activeElement && shown.contains(document.activeElement);
      if (!focused) shown.replaceWith(piece);
    } catch {
      // The next look may succeed.
    }
    window.setTimeout(look, EVERY);
  }

  window.setTimeout(look, EVERY / 2);
});
