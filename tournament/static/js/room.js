/* The room rearranged by hand: a seat is picked up with the mouse or the keyboard and put down on another one. What each
   seat would mean is asked of the server once a pick; what breaks a rule is shown on a page of its own before it is done.
   Without this file two seats are ticked and the same page shows the same. */
onPagesWith("room", () => {
  const room = document.querySelector("[data-room]");
  const drop = document.getElementById("drop");
  const says = document.querySelector("[data-says]");
  const boxes = [...document.querySelectorAll("input[name='seat']")];
  const KINDS = ["fine", "family", "meeting", "letter", "school", "refused"];
  let picked = null; // the checkbox of the seat in hand
  let answers = null; // by place, what the server says of it
  let asked = 0; // a later pick makes an earlier answer void

  const seatOf = (box) => box.closest(".seat");
  const who = (box) => {
    const seat = seatOf(box);
    return `${seat.dataset.entrant} ${seat.querySelector(".grow > [lang]")?.textContent ?? ""}`.trim();
  };
  const movable = (box) => box.value === seatOf(box).dataset.entrant;

  function say(text) {
    says.textContent = text;
  }

  /* --- Focus: one stop of the Tab key, the arrows go by where seats stand ------------------------------- */

  function focusOn(box) {
    for (const other of boxes) other.tabIndex = -1;
    box.tabIndex = 0;
    box.focus();
    seatOf(box).scrollIntoView({ block: "nearest" });
    if (picked && box !== picked) tell(box);
  }

  /** The nearest seat in a direction; what lies aside counts three times. */
  function neighbour(box, key) {
    const from = seatOf(box).getBoundingClientRect();
    const [x, y] = [from.left + from.width / 2, from.top + from.height / 2];
    const upright = key === "ArrowUp" || key === "ArrowDown";
    const sign = key === "ArrowDown" || key === "ArrowRight" ? 1 : -1;
    let best = null;
    let least = Infinity;
    for (const other of boxes) {
      const rect = seatOf(other).getBoundingClientRect();
      const dx = rect.left + rect.width / 2 - x;
      const dy = rect.top + rect.height / 2 - y;
      const ahead = sign * (upright ? dy : dx);
      const aside = Math.abs(upright ? dx : dy);
      if (ahead < 2 || other === box) continue;
      const far = ahead + 3 * aside;
      if (far < least) [best, least] = [other, far];
    }
    return best;
  }

  /* --- Picking up, putting down ------------------------------------------------------------------------- */

  async function pick(box) {
    letGo();
    picked = box;
    box.checked = true;
    seatOf(box).classList.add("in-hand");
    const mine = (asked += 1);
    say(room.dataset.picked.replace("{who}", who(box)));
    try {
      const number = String(Number(box.value));
      const response = await fetch(room.dataset.moves.replace(/\/0\/$/, `/${number}/`), { headers: { Accept: "application/json" } });
      if (!response.ok) throw new Error(String(response.status));
      const found = await response.json();
      if (mine !== asked || picked !== box) return;
      answers = found;
      mark();
      if (document.activeElement !== box && boxes.includes(document.activeElement)) tell(document.activeElement);
    } catch {
      if (mine !== asked) return;
      letGo();
      say(room.dataset.failed);
    }
  }

  function letGo() {
    asked += 1;
    answers = null;
    if (picked) {
      picked.checked = false;
      seatOf(picked).classList.remove("in-hand");
    }
    picked = null;
    for (const seat of document.querySelectorAll(".seat")) seat.classList.remove(...KINDS.map((kind) => `would-${kind}`), "over");
  }

  function cancel() {
    const box = picked;
    letGo();
    if (box) say(room.dataset.letGo.replace("{who}", who(box)));
  }

  /** Every seat wears what it would mean. */
  function mark() {
    for (const box of boxes) {
      const answer = answers[seatOf(box).dataset.place];
      if (answer) seatOf(box).classList.add(`would-${answer.kind}`);
    }
  }

  function tell(box) {
    const answer = answers?.[seatOf(box).dataset.place];
    say(answer ? answer.says : answers ? "" : room.dataset.asking);
  }

  function putDown(box) {
    const place = seatOf(box).dataset.place;
    if (box === picked || !place) return cancel();
    if (!answers) return say(room.dataset.asking);
    const answer = answers[place];
    if (!answer || answer.kind === "refused") return tell(box);
    if (answer.kind !== "fine") {
      const asks = new URLSearchParams([["seat", picked.value], ["seat", box.value]]);
      // A rule would break: the page that says which, and asks; its button has the focus, as no place is named after #.
      window.location.assign(`${room.dataset.preview}?${asks}`);
      return undefined;
    }
    const [, table, letter] = /^(\d+)([A-D])$/.exec(place);
    drop.elements.entrant.value = picked.value;
    drop.elements.table.value = table;
    drop.elements.letter.value = letter;
    sessionStorage.setItem("room-focus", place);
    drop.requestSubmit();
    return undefined;
  }

  /* --- Keys --------------------------------------------------------------------------------------------- */

  function onKey(event) {
    const box = event.target;
    if (!boxes.includes(box) || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key.startsWith("Arrow")) {
      event.preventDefault();
      const next = neighbour(box, event.key);
      if (next) focusOn(next);
    } else if (event.key === "Home" || event.key === "End") {
      event.preventDefault();
      focusOn(event.key === "Home" ? boxes[0] : boxes.at(-1));
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      press(box);
    } else if (event.key === "Escape" && picked) {
      event.preventDefault();
      const back = picked;
      cancel();
      focusOn(back);
    }
  }

  function press(box) {
    if (picked) putDown(box);
    else if (movable(box)) pick(box);
  }

  function undo(event) {
    const form = document.querySelector("[data-undo]");
    const typing = event.target.closest("input:not([name='seat']), textarea, select");
    if (!form || typing || event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
    event.preventDefault();
    form.requestSubmit();
  }

  /* --- The mouse ---------------------------------------------------------------------------------------- */

  function boxOf(event) {
    return event.target.closest?.(".seat")?.querySelector("input[name='seat']") ?? null;
  }

  document.addEventListener("dragstart", (event) => {
    const box = boxOf(event);
    if (!box || !movable(box)) return;
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", box.value);
    pick(box);
  });
  document.addEventListener("dragover", (event) => {
    const box = boxOf(event);
    if (!picked || !box || !seatOf(box).dataset.place) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "move";
  });
  document.addEventListener("dragenter", (event) => {
    const box = boxOf(event);
    for (const seat of document.querySelectorAll(".over")) seat.classList.remove("over");
    if (!picked || !box || box === picked) return;
    seatOf(box).classList.add("over");
    tell(box);
  });
  document.addEventListener("drop", (event) => {
    const box = boxOf(event);
    if (!picked || !box) return;
    event.preventDefault();
    putDown(box);
  });
  document.addEventListener("dragend", (event) => {
    if (event.dataTransfer.dropEffect === "none") cancel();
  });

  /* --- Beginning ---------------------------------------------------------------------------------------- */

  function begin() {
    for (const box of boxes) {
      box.tabIndex = -1;
      // A press of the mouse or of a screen reader does what the keyboard does.
      box.addEventListener("click", (event) => {
        event.preventDefault();
        window.setTimeout(() => {
          box.checked = box === picked;
          press(box);
        });
      });
      box.addEventListener("focus", () => {
        for (const other of boxes) other.tabIndex = other === box ? 0 : -1;
      });
    }
    if (boxes[0]) boxes[0].tabIndex = 0;
    for (const part of document.querySelectorAll("[data-without-script]")) part.hidden = true;
    for (const part of document.querySelectorAll("[data-with-script]")) part.hidden = false;
    const place = sessionStorage.getItem("room-focus");
    sessionStorage.removeItem("room-focus");
    const back = place && boxes.find((box) => seatOf(box).dataset.place === place);
    if (back) focusOn(back);
    const done = document.querySelector("[data-toast] [role='status']");
    if (done) say(done.textContent.trim());
    document.addEventListener("keydown", onKey);
    document.addEventListener("keydown", undo);
    room.dataset.ready = "1";
  }

  if (room && drop) begin();
});
