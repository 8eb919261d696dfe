/* Where the connection is secure, pages are kept that open without network (worker.js keeps them). */

// The worker and its page come while the first PIN is typed; on slow Wi-Fi later.
const LOOKED_AFTER = [8000, 20000, 60000];

/** `worker` is the worker's address, `paths` the pages that are fetched and kept anew, all below `scope`. */
export async function keepPages(worker, paths, scope = "/tablet/") {
  if (!("serviceWorker" in navigator)) return;
  await navigator.serviceWorker.register(worker, { scope });
  const { active } = await navigator.serviceWorker.ready;
  for (const path of paths) active.postMessage({ keep: path });
}

/** Whether the page of this path opens without network: a worker runs and has it. What a browser could do is no answer. */
export async function opensOffline(path, scope = "/tablet/") {
  if (!("serviceWorker" in navigator) || typeof caches === "undefined") return false;
  try {
    const registration = await navigator.serviceWorker.getRegistration(scope);
    return Boolean(registration && registration.active && (await caches.match(path, { ignoreSearch: true })));
  } catch {
    return false;
  }
}

/** `onchange(isKept)` as soon as it is known to be otherwise than hoped: a page that opens offline. */
export function watchKept(path, onchange) {
  let known = true;
  const look = async () => {
    const is = await opensOffline(path);
    if (is !== known) onchange(is);
    known = is;
  };
  for (const wait of LOOKED_AFTER) setTimeout(look, wait);
}
