/* The page's sentences in both languages came with it: the language is switched where it stands, without leaving the page and
   without network. The server is told beside it, so that its own sentences follow. */

import { pageTexts } from "./texts.js";
import { page, showLanguage, shownLanguage } from "./words.js";


const KEPT = "tablet language";

/** `onswitch()` draws everything anew. */
export function makeLanguage({ onswitch }) {
  const form = document.querySelector(".bar form");
  const link = form.querySelector("button[name='language']");

  const other = () => Object.entries(page.books).map(([lang, book]) => ({ lang, ...book })).find(({ lang }) => lang !== shownLanguage());

  function put({ lang, title }) {
    showLanguage(lang);
    document.title = title;
    Object.assign(link, { value: other().language, lang: other().lang, textContent: other().name });
    for (const element of document.querySelectorAll("[data-word]")) element.textContent = pageTexts()[element.dataset.word];
    onswitch();
  }

  /** To the other language; kept for the next time that the page is opened. */
  function turn() {
    const { language } = other();
    put(other());
    try {
      localStorage.setItem(KEPT, language);
    } catch {
      // a browser that keeps nothing: the language is switched all the same
    }
    const said = new FormData(form);
    said.set("language", language);
    fetch(form.action, { method: "POST", body: said, redirect: "manual" }).catch(() => {});
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    turn();
  });
  return {
    turn,
    otherName: other,
    /** As it was chosen on this tablet, though the kept page is in the other one. */
    resume: () => {
      try {
        if (localStorage.getItem(KEPT) === other().language) put(other());
      } catch {
        // nothing is kept
      }
    },
  };
}
