/* The page's words in both languages came with it: they are switched where they stand, without leaving the page and without
   network. The server is told beside it, so that its own sentences follow. */

const KEPT = "tablet language";

/** `page` is what the server put into the page; `words` the shell's object of words and `merged(book)` makes such a one of
    a book {words, shell}. Both objects stay the same and change what they hold. `onswitch()` draws everything anew. */
export function makeLanguage({ page, words, merged, onswitch }) {
  const own = { language: page.language, lang: page.lang, words: structuredClone(page.words), shell: structuredClone(page.shell) };
  const books = [own, page.other];
  const form = document.querySelector(".bar form");
  const link = form.querySelector("button[name='language']");
  let now = own;

  const other = () => books.find((book) => book !== now);

  function put(book) {
    now = book;
    Object.assign(page.words, structuredClone(book.words));
    Object.assign(words, merged(structuredClone(book)));
    document.documentElement.lang = book.lang;
    document.title = book.shell.title;
    Object.assign(link, { value: other().language, lang: other().lang, textContent: other().shell.own_name });
    for (const element of document.querySelectorAll("[data-word]")) element.textContent = book.shell[element.dataset.word];
    onswitch();
  }

  /** To the other language; kept for the next time that the page is opened. */
  function turn() {
    put(other());
    try {
      localStorage.setItem(KEPT, now.language);
    } catch {
      // a browser that keeps nothing: the words are switched all the same
    }
    const said = new FormData(form);
    said.set("language", now.language);
    fetch(form.action, { method: "POST", body: said, redirect: "manual" }).catch(() => {});
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    turn();
  });
  return {
    turn,
    otherName: () => ({ lang: other().lang, name: other().shell.own_name }),
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
