/* Kept for a tablet without network: pages, their modules and styles. `KEPT` {version, files, pages} is put before this file
 * by the server. Never an answer of /api/, never IndexedDB: what a referee recorded is none of its business. */

const CACHE = `tablet ${KEPT.version}`;
const FILES = new Set(KEPT.files);
const PATIENCE = 4000;

self.addEventListener("install", (event) => {
  event.waitUntil(keepFiles().then(keepPages).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(dropOlder().then(() => self.clients.claim()));
});

self.addEventListener("message", (event) => {
  if (event.data && event.data.keep) event.waitUntil(keepPage(event.data.keep));
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== self.location.origin) return;
  if (FILES.has(url.pathname)) event.respondWith(fromCache(event.request));
  else if (event.request.mode === "navigate" && url.pathname.startsWith("/tablet/")) event.respondWith(page(event.request));
});

async function keepFiles() {
  const cache = await caches.open(CACHE);
  await cache.addAll(KEPT.files.map((file) => new Request(file, { cache: "reload" })));
}

/** What a tablet without tables sees, and every page that an older version kept: made anew for the files of this one. One
 * that does not come now is kept when it is opened. */
async function keepPages() {
  const names = (await caches.keys()).filter((name) => name !== CACHE && name.startsWith("tablet "));
  const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  const older = kept.flat().map((request) => new URL(request.url).pathname).filter((path) => path.startsWith("/tablet/"));
  await Promise.allSettled([...new Set([...KEPT.pages, ...older])].map(keepPage));
}

/** Older files go; the pages that were kept and did not come anew move on, for a tablet that is offline when it is opened
 * next. */
async function dropOlder() {
  const cache = await caches.open(CACHE);
  for (const name of await caches.keys()) {
    if (name === CACHE || !name.startsWith("tablet ")) continue;
    const older = await caches.open(name);
    for (const request of await older.keys()) {
      const path = new URL(request.url).pathname;
      if (path.startsWith("/tablet/") && !(await cache.match(path))) await cache.put(path, await older.match(request));
    }
    await caches.delete(name);
  }
}

async function keepPage(path) {
  const answer = await fetch(path, { cache: "no-store" });
  if (answer.ok && !answer.redirected) await (await caches.open(CACHE)).put(path, answer);
}

async function fromCache(request) {
  const kept = await (await caches.open(CACHE)).match(new URL(request.url).pathname);
  return kept || fetch(request);
}

/** The page as the server has it, if it answers in time; else as it was. */
async function page(request) {
  const path = new URL(request.url).pathname;
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE);
  try {
    const answer = await fetch(request, { signal: patience.signal });
    if (answer.ok && !answer.redirected) await (await caches.open(CACHE)).put(path, answer.clone());
    return answer;
  } catch (fault) {
    const kept = await caches.match(path);
    if (!kept) throw fault;
    return kept;
  } finally {
    clearTimeout(timer);
  }
}
