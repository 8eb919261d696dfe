/* Beside a sheet of turns: how the turn that is being typed counts, as the server has judged it. Without this file the card
   shows the last turn of the paper, and the rack is marked as emptied in the grid alone. */
onPagesWith("scoresheet", () => {
  const card = document.getElementById("readings");
  if (!card) return;
  const form = card.closest("form");

  /** The turn that a cell is of, as the card names it; "" for any other cell. */
  function turnOf({ name }) {
    const [, letter, number] = /^games-\d+-([A-D])-(?:own|rearranged|emptied)_(\d+)$/.exec(name || "") || [];
    return letter ? `turn-${Number(number) + 1}-${letter}` : "";
  }

  /** A press in the card marks the turn in the grid, and goes on there: the answer is not drawn where the focus stands. */
  function mark(mirror) {
    const marked = form.elements[mirror.dataset.mirrors];
    marked.checked = mirror.checked;
    marked.focus();
    marked.dispatchEvent(new Event("input", { bubbles: true }));
  }

  let shown = turnOf(document.activeElement);

  function draw() {
    card.querySelectorAll("[data-reading]").forEach((turn) => {
      if (shown) turn.hidden = turn.dataset.reading !== shown;
      const mirror = turn.querySelector("[data-mirrors]");
      mirror.disabled = false;
      mirror.checked = form.elements[mirror.dataset.mirrors].checked;
    });
  }

  form.addEventListener("focusin", ({ target }) => {
    shown = turnOf(target) || shown;
    draw();
  });
  form.addEventListener("input", ({ target }) => {
    if (target.dataset.mirrors) mark(target);
    draw();
  });
  new MutationObserver(draw).observe(card, { childList: true });
  draw();
});
