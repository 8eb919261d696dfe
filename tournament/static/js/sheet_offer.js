/* The question whether cells that this browser kept go back into the sheet: cell by cell what differs. And what a page
   with such cells says of them. */
const sheetOffer = (() => {
  const { drop, figuresOf, kept, put } = sheetStore;

  const clock = (at) => new Intl.DateTimeFormat("en-GB", { timeStyle: "medium", timeZone: "Asia/Hong_Kong" }).format(at);

  /** One state is shown, with the time since which the cells are kept here; "" shows none. */
  function say(place, said, keptAt) {
    place.querySelectorAll("[data-say]").forEach((one) => { one.hidden = one.dataset.say !== said; });
    place.querySelectorAll("[data-at]").forEach((one) => { one.textContent = clock(keptAt || Date.now()); });
  }

  /** Cells that this browser kept and the server does not have: shown with what differs, taken by a press; for each field
      that is offered what was kept (`mine`) and what the server has (`theirs`). `answered(taken)` when it was answered. */
  function offerKept(place, form, name, answered) {
    const found = kept(name);
    const now = figuresOf(form);
    const differs = found ? Object.keys(found.cells).filter((one) => one in now && found.cells[one] !== now[one]) : [];
    if (!differs.length) {
      drop(name);
      return {};
    }
    const offered = Object.fromEntries(differs.map((one) => [one, { mine: found.cells[one], theirs: now[one] }]));
    const taken = () => {
      for (const one of differs) put(form.elements[one], offered[one].mine);
      answered(true);
    };
    const dropped = () => {
      drop(name);
      answered(false);
    };
    showOffer(place.querySelector("[data-offer-kept]"), form, offered, clock(found.at), { taken, dropped });
    return offered;
  }

  /** What is offered and not typed over stays what was kept: to type on is not to drop it. */
  function withOffered(cells, offered) {
    for (const [one, { mine, theirs }] of Object.entries(offered)) if (cells[one] === theirs) cells[one] = mine;
    return cells;
  }

  /** One of two buttons answers. */
  function showOffer(box, form, offered, time, { taken, dropped }) {
    const names = Object.keys(offered);
    box.querySelector("[data-count]").textContent = names.length;
    box.querySelectorAll("[data-kept-at]").forEach((one) => { one.textContent = time; });
    const line = box.querySelector("template").content;
    const rows = names.map((one) => differing(line, form, one, offered[one].mine, offered[one].theirs));
    box.querySelector("tbody").replaceChildren(...rows);
    box.hidden = false;
    const answer = (act) => () => {
      box.hidden = true;
      act();
    };
    box.querySelector("[data-take]").addEventListener("click", answer(taken));
    box.querySelector("[data-drop]").addEventListener("click", answer(dropped));
  }

  function differing(line, form, field, mine, theirs) {
    const row = line.cloneNode(true);
    const [label, own, server] = row.querySelectorAll("th, td");
    label.textContent = labelOf(form.elements[field]) || field;
    own.textContent = shownOf(form.elements[field], mine);
    server.textContent = shownOf(form.elements[field], theirs);
    return row;
  }

  /** What a cell is called; of a choice, its row. */
  const labelOf = (field) => (field instanceof RadioNodeList ? field[0].closest("tr")?.querySelector("th")?.textContent.trim() : field.getAttribute("aria-label"));

  /** A cell's text as the page shows it: an ending in words, a tick as a tick. */
  function shownOf(field, text) {
    if (field.type === "checkbox") return text ? "✓" : "—";
    if (field instanceof RadioNodeList) return [...field].find((one) => one.value === text)?.closest("label").textContent.trim() || "—";
    const option = field.options && [...field.options].find((one) => one.value === text);
    return (option ? option.text : text) || "—";
  }

  return { say, offerKept, withOffered };
})();
