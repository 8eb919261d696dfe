/* Typing a sheet without leaving the keyboard: the order of the paper is the order of the keys, and what is typed is
   judged by the server while one types. What is typed is kept in this browser until the server has it; where it cannot
   go to the server the page says so. Without this file the page works the same, one press later. */
onPagesWith("scoresheet", () => {
  const { laterOf } = sheetLater;
  const { offerKept, say, withOffered } = sheetOffer;
  const { drop, figuresOf, keep: keepHere, kept: keptHere, nameOf, onTheirWay } = sheetStore;
  const { FINE, holdBack, OTHER, watch } = sheetWatch;

  const form = document.querySelector("[data-typing]");
  const WAIT = 300; // milliseconds after the last key
  const saved = new Map(); // what stood in a cell when it was entered, for Esc
  let dirty = false;
  let leaving = false;
  let timer = 0;
  let asking = null;
  const SAVE = 15000; // milliseconds of unsaved typing, then the draft is kept in a pause
  const GIVEN_UP = 10000; // milliseconds without an answer; sent again it is the same, by its key
  let savedAt = Date.now();
  let saving = null;
  let watching = null;
  let keptAt = 0; // when the cells were last kept in this browser, 0 while the server has them all

  /** The cells in the order of the paper; those seldom used are left out of Enter's way. */
  function cells(all) {
    const found = form.querySelectorAll(".paper input:not([type=hidden]), .paper select, .part");
    return [...found].filter((cell) => cell.offsetParent && (all || !cell.hasAttribute("data-seldom")));
  }

  function enter(cell) {
    if (!cell) return;
    cell.focus();
    if (cell.select) cell.select();
  }

  function step(cell, by) {
    const order = cells(false);
    const here = order.indexOf(cell);
    if (here >= 0) enter(order[here + by]);
  }

  /** The same column in the row above or below. */
  function stepRow(cell, by) {
    const place = cell.closest("td, th");
    const inputs = [...place.querySelectorAll("input, select")]; // a turn has several in one cell
    const rows = [...form.querySelectorAll(".paper tr")].filter((row) => row.querySelector("td .input, th .ending"));
    let at = rows.indexOf(cell.closest("tr")) + by;
    while (rows[at]) {
      const same = rows[at].cells[place.cellIndex];
      const there = same ? [...same.querySelectorAll("input, select")] : [];
      const found = there[inputs.indexOf(cell)] || there[0];
      if (found) return enter(found);
      at += by;
    }
  }

  /** What still stops the sheet: wrong and missing cells in the paper's order, then what waits for a tick or a reason. */
  function waiting() {
    const wrong = cells(true).filter((cell) => cell.matches("[aria-invalid], .owed"));
    const looks = [...form.querySelectorAll("#looks li")].filter((look) => {
      const tick = look.querySelector("[type=checkbox]");
      return !(tick && tick.checked) && !look.querySelector("input.input").value.trim();
    });
    const head = openHeading();
    return [...(head ? [head] : []), ...wrong, ...looks.map((look) => look.querySelector("input"))];
  }

  function nextFault() {
    const order = waiting();
    const here = document.activeElement;
    const later = order.find((cell) => here.compareDocumentPosition(cell) & Node.DOCUMENT_POSITION_FOLLOWING);
    enter(later || order[0]);
  }

  function chooseEnding(select, key) {
    const option = [...select.options].find((one) => one.text.startsWith(`${key.toUpperCase()} `));
    if (!option) return false;
    select.value = option.value;
    select.dispatchEvent(new Event("input", { bubbles: true }));
    return true;
  }

  function restore(cell) {
    if (!saved.has(cell) || cell.value === saved.get(cell)) return;
    cell.value = saved.get(cell);
    cell.dispatchEvent(new Event("input", { bubbles: true }));
    if (cell.select) cell.select();
  }

  /** The server decides, also where the last answer of a live question is still on its way. */
  function handOn(submit) {
    submit.disabled = false;
    form.requestSubmit(submit);
  }

  /** From the serial to the tick, and with the tick to the first cell: one press says that the head is as on the paper. */
  function headingPressed(event, cell) {
    const tick = form.elements["heading-same"];
    if (event.key === "Escape") restore(cell);
    if (event.key !== "Enter" && !(cell === tick && event.key === " " && !tick.checked)) return;
    event.preventDefault();
    if (cell !== tick) {
      enter(tick);
      return;
    }
    tick.checked = true;
    tick.dispatchEvent(new Event("input", { bubbles: true }));
    enter(firstCell());
  }

  /** Where the paper is gone on with: what is wrong or missing, else the first empty cell. */
  function firstCell() {
    const paper = cells(false);
    return paper.find((cell) => cell.matches("[aria-invalid], .owed")) || paper.find((cell) => !cell.value) || paper[0];
  }

  /** The part of the head that is not compared yet. */
  function openHeading() {
    const serial = form.elements["heading-serial"];
    const tick = form.elements["heading-same"];
    const says = [...form.querySelectorAll(".heading details input")].some((input) => input.value.trim());
    if (!serial.value) return serial;
    return tick.checked || says ? null : tick;
  }

  function pressed(event) {
    if (event.isComposing) return;
    if (event.key === "F8") {
      event.preventDefault();
      nextFault();
      return;
    }
    if (event.key === "Enter" && event.ctrlKey) {
      event.preventDefault();
      handOn(form.querySelector("[data-submit]"));
      return;
    }
    const cell = event.target;
    if (cell.matches("[data-heading]")) {
      headingPressed(event, cell);
      return;
    }
    if (!cell.matches(".paper .input, .paper [type=checkbox], .part, [data-look]")) return;
    if (event.key === "Enter") {
      event.preventDefault();
      step(cell, event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape") {
      restore(cell);
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !event.altKey && !cell.matches(".part, [data-look]")) {
      event.preventDefault();
      stepRow(cell, event.key === "ArrowDown" ? 1 : -1);
    } else if (cell.matches(".ending") && event.key.length === 1 && !event.ctrlKey && !event.metaKey) {
      if (chooseEnding(cell, event.key)) event.preventDefault();
    }
  }

  /** A fault's way out writes its figure into the cell and stays on the page. */
  function takeOffer(button) {
    const changes = button.value.slice("offer:".length).split(";");
    let last = null;
    changes.forEach((change) => {
      const [name, value] = change.split(/=(.*)/s);
      last = form.elements[name];
      last.value = value;
    });
    changed();
    enter(last);
  }

  function changed() {
    dirty = true;
    keepFigures();
    clearTimeout(timer);
    timer = setTimeout(judge, WAIT);
  }

  /** Send the sheet as it stands; the answer is the sheet alone, or nothing where the server refused. */
  async function send(act, signal) {
    const body = new FormData(form);
    body.set("do", act);
    body.delete("scan"); // a photo goes alone
    const answer = await fetch(form.action, { method: "POST", body, headers: { "X-Live": "1" }, signal });
    if (answer.redirected || answer.status === 403) {
      watching.look();
      return null;
    }
    if (!answer.ok) {
      tell(laterOf(answer, () => { if (!leaving) toldOf(watching.state()); }));
      return null;
    }
    return new DOMParser().parseFromString(await answer.text(), "text/html");
  }

  /** Ask the server what it makes of the sheet; an older question is given up. */
  async function judge() {
    if (saving || leaving || watching.state() !== FINE) return;
    if (Date.now() - savedAt > SAVE) {
      keepInTurn();
      return;
    }
    if (asking) asking.abort();
    asking = new AbortController();
    try {
      const fresh = await send("judge", asking.signal);
      if (fresh) show(fresh);
    } catch (fault) {
      if (fault.name !== "AbortError") watching.look();
    }
  }

  /** One draft on its way at a time. */
  function keepInTurn() {
    saving ??= keep().finally(() => { saving = null; });
  }

  /** Keep the draft. A refusal (somebody else changed the sheet) is shown when the person saves or hands on. */
  async function keep() {
    savedAt = Date.now();
    dirty = false;
    const fresh = await send("save", AbortSignal.timeout(GIVEN_UP)).catch(() => { watching.look(); return null; });
    if (!fresh) {
      dirty = true;
      return;
    }
    ["revision", "request_key"].forEach((name) => {
      form.elements[name].value = fresh.querySelector(`[name=${name}]`).value;
    });
    show(fresh);
    if (!dirty) withServer();
  }

  /** Take over faults, marks and computed figures; never a text that somebody types. */
  function show(fresh) {
    fresh.querySelectorAll("[data-live]").forEach((part) => {
      const here = document.getElementById(part.id);
      if (!here || here.contains(document.activeElement)) return;
      here.hidden = part.hidden;
      if (here.innerHTML !== part.innerHTML) here.innerHTML = part.innerHTML;
    });
    cells(true).forEach((cell) => {
      const judged = fresh.getElementById(cell.id);
      if (!judged) return;
      cell.className = judged.className;
      ["aria-invalid", "aria-describedby"].forEach((name) => {
        if (judged.hasAttribute(name)) cell.setAttribute(name, judged.getAttribute(name));
        else cell.removeAttribute(name);
      });
      const place = cell.closest(".at");
      if (!place) return;
      place.querySelectorAll(".mark").forEach((mark) => mark.remove());
      judged.closest(".at").querySelectorAll(".mark").forEach((mark) => place.prepend(mark));
    });
    const more = form.querySelector(".heading details");
    if (fresh.querySelector(".heading details[open]")) more.open = true;
    const submit = form.querySelector("[data-submit]");
    submit.dataset.waiting = fresh.querySelector("[data-submit]").dataset.waiting;
    stop(submit);
  }

  /** The deciding button rests while something is left; it says what. */
  function stop(submit) {
    submit.disabled = submit.dataset.waiting !== "0";
  }

  function begin() {
    document.addEventListener("keydown", pressed);
    form.addEventListener("focusin", (event) => {
      const cell = event.target;
      if (!cell.matches(".input")) return;
      saved.set(cell, cell.value);
      if (cell.matches("input.input")) cell.select();
    });
    form.addEventListener("input", (event) => {
      if (event.target.name && event.target.name !== "scan") changed();
    });
    form.addEventListener("click", (event) => {
      const offer = event.target.closest("[data-offer]");
      if (!offer) return;
      event.preventDefault();
      takeOffer(offer);
    });
    window.addEventListener("beforeunload", (event) => {
      if (dirty && !leaving) event.preventDefault();
    });
    watching = watch({ address: place.dataset.who, account: place.dataset.account, dirty: () => dirty, told: toldOf });
    const held = holdBack(form, watching, { waits: () => saving, tell, goes });
    form.addEventListener("submit", (event) => {
      if (event.submitter?.hasAttribute("data-attach")) leaving = true; // a photo goes alone
      else held(event);
    });
    offer();
    enter(openHeading() || firstCell());
    stop(form.querySelector("[data-submit]"));
  }

  // --- Kept in this browser --------------------------------------------------------------------------------------------
  const place = form && form.querySelector("[data-kept]");
  const name = place && nameOf(place.dataset);
  let offered = {}; // cells that are offered and neither taken nor dropped yet: what was kept, what the server has

  /** One state is shown, with the time since which the cells are kept here. */
  const tell = (said) => say(place, said, keptAt);

  /** At each key: what is typed outlives the page; somebody else's sign-in keeps nothing of it. */
  function keepFigures() {
    if (watching.state() === OTHER) return;
    keptAt = Date.now();
    const there = keepHere(name, withOffered(figuresOf(form), offered), keptAt);
    if (watching.state() === FINE) tell(there ? "here" : "nowhere");
    else tell(watching.state());
  }

  /** The server has every cell: nothing is left here, but for what is offered or another tab of this sheet has kept. */
  function withServer() {
    if (Object.keys(offered).length) keepHere(name, withOffered(figuresOf(form), offered), keptAt);
    else if (keptHere(name)?.at === keptAt) drop(name);
    keptAt = 0;
    tell("server");
    place.querySelectorAll("[data-revision]").forEach((one) => { one.textContent = form.elements.revision.value; });
  }

  /** The way to the server ended or is open again; then what waits goes on by itself, under the same key. */
  function toldOf(state) {
    if (state === OTHER) drop(name);
    if (state !== FINE) {
      tell(state);
      return;
    }
    if (!dirty) {
      tell(keptAt ? "here" : "server");
      return;
    }
    tell("here");
    keepInTurn();
  }

  /** A press that leaves the page: what was typed is on its way, and stays here where it is only offered. */
  function goes() {
    leaving = true;
    if (!Object.keys(offered).length) onTheirWay(name);
  }

  /** What was kept and differs is offered; taken, it is judged and saved as if typed. */
  function offer() {
    offered = offerKept(place, form, name, (taken) => {
      offered = {};
      if (!taken) return;
      changed();
      keepInTurn();
    });
  }

  if (form) begin();
});
