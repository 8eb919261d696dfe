/* Where the connection is secure, pages are kept that open without network (worker.js keeps them). */

/** `worker` is the worker's address, `paths` the pages that are fetched and kept anew. */
export async function keepPages(worker, paths) {
  if (!("serviceWorker" in navigator)) return;
  await navigator.serviceWorker.register(worker, { scope: "/tablet/" });
  const { active } = await navigator.serviceWorker.ready;
  for (const path of paths) active.postMessage({ keep: path });
}
