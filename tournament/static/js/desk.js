/* What every page of the desk does where scripts run: a form is sent once, a dialog opens, a key goes to the find field.
   Each page works without it. */

/** A form that is on its way cannot be pressed again; coming back by the browser's history frees it. */
function sendOnce(form) {
  form.addEventListener("submit", (event) => {
    if (event.defaultPrevented) return;
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

document.querySelectorAll("form[method='post']:not([data-download], [hx-post])").forEach(sendOnce);
document.querySelectorAll("[data-opens]").forEach(opensDialog);
document.addEventListener("keydown", goToFind);
