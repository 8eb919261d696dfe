/* Find a number in the ranking. Without this script the page is whole and #n0302 leads to the row all the same. */
"use strict";

(function () {
  const box = document.querySelector(".find");
  if (!box) return;
  const form = box.querySelector("form");
  const input = form.querySelector("input");
  const mine = box.querySelector(".mine");
  const answer = box.querySelector(".answer");
  const said = box.dataset;

  /* Full-width digits are digits; whatever else was typed is left out. */
  function digits(text) {
    return text.normalize("NFKC").replace(/\D/g, "").replace(/^0+(?=\d{5})/, "").padStart(4, "0");
  }

  /* A row that is found is seen; its sentence is then for screen readers alone. */
  function say(sentence, seen) {
    answer.textContent = sentence;
    answer.classList.toggle("sr", seen);
    answer.hidden = !sentence;
  }

  function unmark() {
    for (const row of document.querySelectorAll(".rank .me")) row.classList.remove("me");
    for (const mark of document.querySelectorAll(".mine-mark")) mark.remove();
  }

  function mark(row) {
    unmark();
    if (row.tagName !== "TR") {
      mine.hidden = true;
      say(row.textContent.trim(), false);
      return;
    }
    row.classList.add("me");
    const label = document.createElement("b");
    label.className = "mine-mark";
    label.textContent = " " + said.mine + " ";
    row.cells[1].insertBefore(label, row.cells[1].querySelector(".no"));
    const rank = row.cells[0].textContent.trim();
    mine.textContent = said.me + " " + rank;
    mine.href = "#" + row.id;
    mine.hidden = false;
    const line = document.getElementById("line");
    const above = line && line.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_PRECEDING;
    say((above ? said.in : said.out).replace("{}", rank), true);
  }

  function fromAddress() {
    const id = location.hash.slice(1);
    const row = /^n\d{4,}$/.test(id) ? document.getElementById(id) : null;
    if (row) mark(row);
  }

  form.addEventListener("submit", function (event) {
    event.preventDefault();
    const number = digits(input.value);
    const row = document.getElementById("n" + number);
    if (!row) {
      unmark();
      mine.hidden = true;
      say(said.nobody.replace("{}", number), false);
      return;
    }
    if (location.hash === "#" + row.id) row.scrollIntoView();
    location.hash = row.id;
    mark(row);
    input.blur();
  });
  form.hidden = false;
  window.addEventListener("hashchange", fromAddress);
  fromAddress();
})();
