/* The sentences of the scripts, in the language that is shown: gettext over Django's JSON catalogue, to which a link of the page
   leads. English is the message itself. And how a sentence is filled. */

/** What the server put into the page. */
export const page = JSON.parse(document.getElementById("page-data").textContent);

// A page of the public has in itself what its scripts say; a tablet's pages share one catalogue.
const links = [...document.querySelectorAll("link[data-catalogue]")];
const catalogues = page.catalogues ?? Object.fromEntries(await Promise.all(links.map(async ({ href, hreflang }) => [hreflang, await read(href)])));

/** A page whose catalogue does not come speaks English. */
async function read(address) {
  try {
    return (await (await fetch(address)).json()).catalog;
  } catch (fault) {
    console.error(fault);
    return {};
  }
}

// A browser that translates pages writes its own language to <html>.
let shown = document.documentElement.lang;

/** As HTML names it. */
export const shownLanguage = () => shown;

export function showLanguage(lang) {
  shown = lang;
  document.documentElement.lang = lang;
}

const find = (key, message) => catalogues[shown]?.[key] ?? message;

export const gettext = (message) => find(message, message);

/** The message where it means one thing of several. */
export const pgettext = (context, message) => find(`${context}\u0004${message}`, message);

/** What the server gave in the language that is shown. */
export const book = () => page.books[shown];

/** What the server says by a code: tablet_labels() of tablets/views/tablet.py, rule_labels() of sheets/exports. */
export const labels = () => book().labels;

/** "%(tile)s, %(count)s left" with its facts. */
export const fill = (sentence, facts) => sentence.replace(/%\((\w+)\)s/g, (_, name) => String(facts[name]));

/** A session by its name: of the final, its round; else which one of its day. */
export function sessionName({ stage, round, number_of_day: ofDay, replay, code, session }) {
  if (stage === "final") return labels().final[round || 0];
  return labels()[replay ? "replay" : "session"][ofDay] || code || String(session);
}

/** [[tablet, "3, 4"], ...]: one message for all tables that came from, or went to, one tablet. */
export function byTablet(moved, and) {
  const tablets = [...new Set(moved.map(({ tablet }) => tablet))];
  return tablets.map((tablet) => [tablet, moved.filter((one) => one.tablet === tablet).map(({ table }) => table).join(and)]);
}

/** A number with the sign of print: U+2212. */
export const signed = (number) => (number < 0 ? `\u2212${-number}` : String(number));
