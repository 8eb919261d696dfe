/* What needs a person, above the tables, wherever the page is scrolled to and whatever is being typed: what the server
   refused or holds, and what waits at the desk. */

import { button, note } from "./icon.js";
import { fill } from "./words.js";

/** The notes, red before the rest; `show()` opens what this tablet has recorded. */
export function attentionNotes({ store, outbox, words, show }) {
  const { desk } = store.networkState();
  const refused = outbox.open().filter(({ state }) => state !== "waiting");
  const said = [];
  if (refused.length) said.push(note("stop", fill(words.attention, { count: refused.length }), placesOf(refused, words), button(words.look_at, show)));
  const waits = desk - refused.filter(({ state }) => state === "held").length;
  if (waits > 0) said.push(note("wait", fill(words.with_desk, { count: waits }), words.with_desk_why));
  return said;
}

/** "Table 1, Table 2". */
function placesOf(items, words) {
  const tables = [...new Set(items.map(({ table }) => table))].sort((one, other) => one - other);
  return tables.length === 1 ? fill(words.table, { table: tables[0] }) : fill(words.tables, { tables: tables.join(words.and) });
}
