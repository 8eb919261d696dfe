/* The public page "Ask the rules": the link to the other language takes the question along. Where the connection is secure, the
   page is kept and opens without network; over plain http it needs none once it is open. */

import { askRules } from "./ask.js";
import { keepPages } from "../tablet/kept.js";
import { page } from "../tablet/words.js";

askRules({ rulesets: page.rulesets, host: document.querySelector("[data-ask]"), head: document.querySelector("[data-ask-head]") });
for (const link of document.querySelectorAll("a[hreflang]")) {
  link.addEventListener("click", () => {
    link.hash = location.hash;
  });
}
keepPages(page.worker, [], page.worker.replace(/[^/]*$/, "")).catch(console.error);
