/* What a tablet keeps on its own disk: IndexedDB, every write on the disk before it is called written.

  items    the outbox, by `key`: see outbox.js. Nothing here deletes an item that waits.
  tables   by `id` ("<session>/<table>"): what is being typed and has not become an item yet.
  facts    by `name`: state, pairing, opened, tries.
*/

const VERSION = 1;

const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** The event's own database; rejects where the browser keeps nothing (a private window, a full disk). */
export async function openDatabase(slug) {
  const opening = indexedDB.open(`tablet ${slug}`, VERSION);
  opening.onupgradeneeded = () => {
    const database = opening.result;
    database.createObjectStore("items", { keyPath: "key" });
    database.createObjectStore("tables", { keyPath: "id" });
    database.createObjectStore("facts", { keyPath: "name" });
  };
  const database = await done(opening);
  database.onversionchange = () => database.close();
  return { readAll: (store) => done(database.transaction(store).objectStore(store).getAll()), write: writer(database) };
}

/** `write({items: [...], facts: [...]}, {items: [keys]})`: put and delete, all or nothing, resolved when on the disk. */
function writer(database) {
  return (put, remove = {}) =>
    new Promise((resolve, reject) => {
      const stores = [...new Set([...Object.keys(put), ...Object.keys(remove)])];
      // "relaxed" is some browsers' default: the answer would come before the disk has it.
      const transaction = database.transaction(stores, "readwrite", { durability: "strict" });
      transaction.oncomplete = () => resolve();
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
      for (const [store, rows] of Object.entries(put)) {
        for (const row of rows) transaction.objectStore(store).put(row);
      }
      for (const [store, keys] of Object.entries(remove)) {
        for (const key of keys) transaction.objectStore(store).delete(key);
      }
    });
}
