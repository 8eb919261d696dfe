/* What needs a person, above the tables, wherever the page is scrolled to and whatever is being typed: what the server
   refused or holds, and what waits at the desk. */

import { button, note } from "./icon.js";
import { fill, gettext, pgettext } from "./words.js";

/** The notes, red before the rest; `show()` opens what this tablet has recorded. */
export function attentionNotes({ store, outbox, show }) {
  const { desk } = store.networkState();
  const refused = outbox.open().filter(({ state }) => state !== "waiting");
  const said = [];
  if (refused.length) said.push(note("stop", fill(gettext("Needs attention: %(count)s"), { count: refused.length }), placesOf(refused), button(pgettext("what needs attention", "Look at it"), show)));
  const waits = desk - refused.filter(({ state }) => state === "held").length;
  if (waits > 0) said.push(note("wait", fill(gettext("With the desk, not settled yet: %(count)s"), { count: waits }), gettext("It is kept whole and counts once the chief judge has settled it.")));
  return said;
}

/** "Table 1, Table 2". */
function placesOf(items) {
  const tables = [...new Set(items.map(({ table }) => table))].sort((one, other) => one - other);
  return tables.length === 1 ? fill(gettext("Table %(table)s"), { table: tables[0] }) : fill(gettext("Tables %(tables)s"), { tables: tables.join(pgettext("between tables", ", ")) });
}

/** What a page that does not open without network says of itself. */
export function offlineNote() {
  if (!window.isSecureContext) return note("stop", gettext("Plain http: the page does not open without network. What is recorded is kept all the same."));
  const why = gettext("Do not load it again or close it while there is no network. The desk trusts the certificate on this tablet, then the page is opened anew.");
  return note("stop", gettext("This page does NOT open without network."), why);
}
