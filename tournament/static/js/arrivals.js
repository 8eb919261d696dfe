/* The page of arrivals, asked for anew every ten seconds: what is marked [data-live] is put in its place, but for a part
   in which somebody is at work or has unfolded a list. Without script one loads the page again. */
onPagesWith("arrivals", () => {
  const EVERY = 10_000;
  const trouble = document.querySelector("[data-trouble]");

  /** Whether somebody would lose their place in it. */
  const isInUse = (part) => part.contains(document.activeElement) || part.querySelector("details[open]") !== null;

  /** Each part by its id; one that is new or gone comes or goes with the next loading. */
  function show(text) {
    const page = new DOMParser().parseFromString(text, "text/html");
    document.querySelectorAll("[data-live]").forEach((part) => {
      const piece = page.getElementById(part.id);
      if (piece && !isInUse(part)) part.replaceWith(piece);
    });
  }

  /** Ask once, and again later whatever came of it. */
  async function look() {
    try {
      const answer = await fetch(window.location.href, { headers: { Accept: "text/html" }, cache: "no-store" });
      const isOut = answer.redirected || !answer.ok;
      if (!isOut) show(await answer.text());
      trouble.hidden = !isOut;
    } catch {
      trouble.hidden = false;
    }
    window.setTimeout(look, EVERY);
  }

  window.setTimeout(look, EVERY);
});
