/* The question whether cells that this browser kept go back into the sheet: cell by cell what differs. */

/** `offered` has for each field what was kept (`mine`) and what the server has (`theirs`); one of two buttons answers. */
export function showOffer(box, form, offered, time, { taken, dropped }) {
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
const labelOf = (field) => (field instanceof RadioNodeList ? field[0].closest("tr")?.querySelector("th")?.textContent : field.getAttribute("aria-label"));

/** A cell's text as the page shows it: an ending in words, a tick as a tick. */
function shownOf(field, text) {
  if (field.type === "checkbox") return text ? "✓" : "—";
  if (field instanceof RadioNodeList) return [...field].find((one) => one.value === text)?.closest("label").textContent.trim() || "—";
  const option = field.options && [...field.options].find((one) => one.value === text);
  return (option ? option.text : text) || "—";
}
