/* A page on which a sheet's cells are decided (a dispute, a third look): what is typed and chosen is kept in this browser
   until a press has brought it to the server, and the page says where it cannot go. Nothing goes by itself: a decision is a
   press. Without this file the page works the same, and keeps nothing. */

import { showOffer } from "./sheet_offer.js";
import { drop, figuresOf, isFigure, keep, kept, nameOf, onTheirWay, put } from "./sheet_store.js";
import { FINE, OTHER, watch } from "./sheet_watch.js";

const form = document.querySelector("[data-decides]");
const clock = (at) => new Intl.DateTimeFormat("en-GB", { timeStyle: "medium", timeZone: "Asia/Hong_Kong" }).format(at);

function begin(place) {
  const name = nameOf(place.dataset);
  let keptAt = 0; // when the cells were last kept, 0 while nothing was typed
  let sure = false; // a press whose way to the server has just been looked at
  let leaving = false;

  const watching = watch({ address: place.dataset.who, account: place.dataset.account, dirty: () => keptAt > 0 && !leaving, told });

  /** One state is shown, with the time since which the cells are kept here; "" shows none. */
  function tell(said) {
    place.querySelectorAll("[data-say]").forEach((one) => { one.hidden = one.dataset.say !== said; });
    place.querySelectorAll("[data-at]").forEach((one) => { one.textContent = clock(keptAt || Date.now()); });
  }

  function told(state) {
    if (state === OTHER) drop(name);
    tell(state === FINE ? keptAt && "here" : state);
  }

  /** At each key; somebody else's sign-in keeps nothing of it. */
  function changed({ target }) {
    if (!isFigure(target.name) || watching.state() === OTHER) return;
    keptAt = Date.now();
    const there = keep(name, figuresOf(form), keptAt);
    if (watching.state() === FINE) tell(there ? "here" : "nowhere");
  }

  /** A press leaves the page only where its way to the server is open; else the page stays, with every cell. */
  function sent(event) {
    if (sure) {
      leaving = true;
      onTheirWay(name);
      return;
    }
    event.preventDefault();
    delete form.dataset.sent; // desk.js sends a form once; this one has not gone yet
    const press = event.submitter;
    watching.look().then((state) => {
      if (press) press.removeAttribute("aria-busy");
      if (state !== FINE) {
        tell(state);
        return;
      }
      sure = true;
      form.requestSubmit(press);
      sure = false;
    });
  }

  /** Cells that this browser kept and the page has not: shown with what differs, taken by a press. */
  function offer() {
    const found = kept(name);
    const now = figuresOf(form);
    const differs = found ? Object.keys(found.cells).filter((one) => one in now && found.cells[one] !== now[one]) : [];
    if (!differs.length) {
      drop(name);
      return;
    }
    const offered = Object.fromEntries(differs.map((one) => [one, { mine: found.cells[one], theirs: now[one] }]));
    const taken = () => {
      for (const one of differs) put(form.elements[one], found.cells[one]);
      keptAt = Date.now();
      tell("here");
    };
    showOffer(place.querySelector("[data-offer-kept]"), form, offered, clock(found.at), { taken, dropped: () => drop(name) });
  }

  form.addEventListener("input", changed);
  form.addEventListener("submit", sent);
  window.addEventListener("beforeunload", (event) => {
    if (keptAt && !leaving) event.preventDefault();
  });
  offer();
}

const place = form?.querySelector("[data-kept]");
if (place) begin(place);
