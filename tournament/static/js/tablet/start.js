/* A tablet without a code: its page and the questions during play, to which it links, open without network from now on. */

import { keepPages } from "./kept.js";

const page = document.getElementById("page");
keepPages(page.dataset.worker, [location.pathname, page.dataset.questions]);
