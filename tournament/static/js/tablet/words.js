/* The page's words, rendered by the server as JSON, and how a sentence is filled. */

/** The words of `<script type="application/json" id="...">`. */
export const readWords = (id) => JSON.parse(document.getElementById(id).textContent);

/** "%(tile)s, %(count)s left" with its facts. */
export const fill = (sentence, facts) => sentence.replace(/%\((\w+)\)s/g, (_, name) => String(facts[name]));

/** A session by its name: of the final, its round; else which one of its day. */
export function sessionName(words, { stage, round, number_of_day: ofDay, replay, code, session }) {
  if (stage === "final") return words.final[round || 0];
  // Words that a tablet has kept since before may lack those of replays.
  const names = (replay && words.replay) || words.session;
  return names[ofDay] || code || String(session);
}

/** [[tablet, "3, 4"], ...]: one message for all tables that came from, or went to, one tablet. */
export function byTablet(moved, and) {
  const tablets = [...new Set(moved.map(({ tablet }) => tablet))];
  return tablets.map((tablet) => [tablet, moved.filter((one) => one.tablet === tablet).map(({ table }) => table).join(and)]);
}

/** A number with the sign of print: U+2212. */
export const signed = (number) => (number < 0 ? `\u2212${-number}` : String(number));
