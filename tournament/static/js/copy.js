/* <button data-copies="id"> copies the text of the field with this id. The field alone is enough without script: it
   selects itself when it is entered. */
onPagesWith("copy", () => {
  async function copied(field) {
    field.focus();
    field.select();
    if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
    else document.execCommand("copy");
  }

  document.querySelectorAll("[data-copies]").forEach((button) => {
    button.hidden = false;
    button.addEventListener("click", () => {
      copied(document.getElementById(button.dataset.copies)).then(() => {
        button.textContent = button.dataset.done;
      });
    });
  });

  document.querySelectorAll("input[data-selects]").forEach((field) => {
    field.addEventListener("focus", () => field.select());
  });
});
