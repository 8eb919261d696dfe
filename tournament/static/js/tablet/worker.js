/* Kept for when there is no network: pages below one address, their scripts and styles. `KEPT` {name, scope, version, files,
 * pages} is put before this file by the server. Never an answer of /api/, never IndexedDB: what a referee recorded is none
 * of its business. */

const PREFIX = `${KEPT.name} `;
const CACHE = `${PREFIX}${KEPT.version}`;
const FILES = new Set(KEPT.files);
const PATIENCE = 4000;
// The program's own answers have this header: what has it not is a portal's, or a front's that waits for the program.
const MARK = "X-Tournament";
const isOurs = (answer) => answer.headers.get(MARK) === "1";
// A front may serve the files itself, without the mark: then their kind says whether they are what was asked for.
const isFile = (answer) => answer.ok && !answer.redirected && (isOurs(answer) || !(answer.headers.get("Content-Type") || "").includes("html"));

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
  else if (event.request.mode === "navigate" && url.pathname.startsWith(KEPT.scope)) event.respondWith(page(event.request));
});

async function keepFiles() {
  const cache = await caches.open(CACHE);
  await Promise.all(KEPT.files.map(async (file) => {
    const answer = await fetch(file); // each is named by its content, and the page has just loaded it
    if (!isFile(answer)) throw new Error(`${file} did not come`);
    await cache.put(file, answer);
  }));
}

/** What a tablet without tables sees, and every page that an older version kept: made anew for the files of this one. One
 * that does not come now is kept when it is opened. */
async function keepPages() {
  const names = (await caches.keys()).filter((name) => name !== CACHE && name.startsWith(PREFIX));
  const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  const older = kept.flat().map((request) => new URL(request.url).pathname).filter((path) => path.startsWith(KEPT.scope));
  await Promise.allSettled([...new Set([...KEPT.pages, ...older])].map(keepPage));
}

/** Older files go; the pages that were kept and did not come anew move on, for a tablet that is offline when it is opened
 * next. */
async function dropOlder() {
  const cache = await caches.open(CACHE);
  for (const name of await caches.keys()) {
    if (name === CACHE || !name.startsWith(PREFIX)) continue;
    const older = await caches.open(name);
    for (const request of await older.keys()) {
      const path = new URL(request.url).pathname;
      if (path.startsWith(KEPT.scope) && !(await cache.match(path))) await cache.put(path, await older.match(request));
    }
    await caches.delete(name);
  }
}

async function keepPage(path) {
  const answer = await fetch(path, { cache: "no-store" });
  if (isOurPage(answer)) await (await caches.open(CACHE)).put(path, answer);
}

const isOurPage = (answer) => answer.ok && !answer.redirected && isOurs(answer);

async function fromCache(request) {
  const kept = await (await caches.open(CACHE)).match(new URL(request.url).pathname);
  return kept || fetch(request);
}

/** The page as the server has it, if it answers in time; else as it was. What another answers, a portal or a front whose
 * program restarts, and our own failures are shown only where nothing is kept. */
async function page(request) {
  const path = new URL(request.url).pathname;
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE);
  try {
    const answer = await fetch(request, { signal: patience.signal });
    if (isOurPage(answer)) await (await caches.open(CACHE)).put(path, answer.clone());
    const stands = isOurs(answer) && answer.status < 500;
    return stands ? answer : (await caches.match(path)) || answer;
  } catch (fault) {
    const kept = await caches.match(path);
    if (!kept) throw fault;
    return kept;
  } finally {
    clearTimeout(timer);
  }
}
