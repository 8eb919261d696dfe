/* What every page of the desk does where scripts run: a form is sent once, a dialog opens, a key goes to the find field.
   Each page works without it. */
"use strict";

/** The scripts after this one are in the same file, and run on the pages that name them in [data-scripts]. One that fails
    does not take the others with it. */
function onPagesWith(script, run) {
  if (!document.body.dataset.scripts.split(" ").includes(script)) return;
  try {
    run();
  } catch (fault) {
    reportError(fault);
  }
}

/** A form that is on its way cannot be pressed again; coming back by the browser's history frees it. */
function sendOnce(form) {
  form.addEventListener("submit", (event) => {
    // What opens in a page of its own leaves this one as it is.
    if (event.defaultPrevented || event.submitter?.formTarget === "_blank") return;
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "1";
    const pressed = event.submitter;
    if (pressed) pressed.setAttribute("aria-busy", "true");
  });
  window.addEventListener("pageshow", () => {
    delete form.dataset.sent;
    form.querySelectorAll("[aria-busy]").forEach((button) => button.removeAttribute("aria-busy"));
  });
}

/** <button data-opens="id"> opens the <dialog id>; [data-closes] inside it closes it. */
function opensDialog(button) {
  const dialog = document.getElementById(button.dataset.opens);
  button.addEventListener("click", () => dialog.showModal());
  dialog.querySelectorAll("[data-closes]").forEach((close) => {
    close.addEventListener("click", () => dialog.close());
  });
}

/** "/" goes to the page's find field, unless somebody is typing. */
function goToFind(event) {
  const typing = event.target.closest("input, textarea, select");
  const find = document.querySelector("[data-find]");
  if (event.key !== "/" || typing || !find) return;
  event.preventDefault();
  find.focus();
  find.select();
}

/** A box that holds more than it shows is scrolled by keys too: it takes the focus and says what it holds, by the name
    that the page gives it (data-label), else by its own heading. */
function scrollsByKeys(box) {
  const more = box.scrollWidth > box.clientWidth + 1;
  const heading = box.querySelector("caption, h2, h3") ?? document.querySelector("h1");
  const name = box.dataset.label ?? heading.textContent.trim();
  const said = more ? { tabindex: "0", role: "region", "aria-label": name } : {};
  for (const attribute of ["tabindex", "role", "aria-label"]) {
    if (attribute in said) box.setAttribute(attribute, said[attribute]);
    else box.removeAttribute(attribute);
  }
}

const boxes = new ResizeObserver((seen) => seen.forEach(({ target }) => scrollsByKeys(target)));
const watchBoxes = () => document.querySelectorAll(".scroll").forEach((box) => boxes.observe(box));

const DAY = 24 * 60 * 60 * 1000;

/** Whether cells of a sheet that this browser keeps (sheet_store.js) are this account's, not a day old, and not said by
    this page to be with the server. */
function isWanted(name, account) {
  if (!account || !name.startsWith(`sheet:${account}:`)) return false;
  const found = JSON.parse(localStorage.getItem(name));
  return Date.now() - found.at < DAY && !(found.sent && document.querySelector("[data-said='success']"));
}

/** All others are erased; at signing out all. */
function forgetSheets(account) {
  try {
    Object.keys(localStorage)
      .filter((name) => name.startsWith("sheet:") && !isWanted(name, account))
      .forEach((name) => localStorage.removeItem(name));
  } catch {
    // A browser that forbids it has kept nothing.
  }
}

const { account } = document.body.dataset;
if (account) forgetSheets(account);
document.querySelectorAll("[data-sign-out]").forEach((form) => {
  form.addEventListener("submit", () => forgetSheets(""));
});
document.querySelectorAll("form[method='post']:not([data-download], [hx-post])").forEach(sendOnce);
document.querySelectorAll("[data-opens]").forEach(opensDialog);
document.addEventListener("keydown", goToFind);
watchBoxes();
// A browser leaves half hidden, in a box that scrolls sideways, what shows a finger's breadth of itself.
document.addEventListener("focusin", ({ target }) => {
  if (!target.matches(":is(.nav, .scroll) :focus-visible")) return;
  target.scrollIntoView({ block: "nearest", inline: "nearest" });
});
new MutationObserver(watchBoxes).observe(document.getElementById("page"), { childList: true, subtree: true });
