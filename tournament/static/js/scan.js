/* The scan beside the fields: larger, smaller, turned; a file dropped on it is attached. Without this file the scan is
   shown whole, opens in a window of its own, and is chosen by the file field. */

const LARGEST = 4;

function begin(card) {
  const view = card.querySelector("[data-view]");
  card.addEventListener("click", (event) => {
    const zoom = event.target.closest("[data-zoom]");
    if (zoom) view.dataset.size = Math.min(LARGEST, Math.max(1, Number(view.dataset.size) + Number(zoom.dataset.zoom)));
    if (event.target.closest("[data-turn]")) view.dataset.turned = (Number(view.dataset.turned) + 1) % 4;
  });
  const field = card.querySelector("input[type=file]");
  if (!field) return;
  ["dragover", "dragenter"].forEach((name) => {
    card.addEventListener(name, (event) => {
      event.preventDefault();
      card.classList.add("over");
    });
  });
  card.addEventListener("dragleave", () => card.classList.remove("over"));
  card.addEventListener("drop", (event) => {
    event.preventDefault();
    card.classList.remove("over");
    field.files = event.dataTransfer.files;
  });
}

document.querySelectorAll("[data-scan]").forEach(begin);
