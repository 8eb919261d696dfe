/* How a tablet gets its tables: by the desk's code, by going on to the next session; how it hands over what is late.

  The token is in a cookie, which browsers write to the disk when they please; the outbox is there at once. So the steps
  by which the token was got stay too, each with its key (`proofs`), until a later start of the page has shown that the
  cookie is there: the server answers the same step again, to this tablet alone.
*/

import { backOff } from "./outbox.js";
import { newKey, post } from "./requests.js";

const AT_ONCE = 150000; // characters of items in one request
// Chromium writes cookies within half a minute: a page that starts later, and has the token, had it from the disk.
const COOKIES_WRITTEN = 60000;

/** The code of an address that was scanned or typed: what stands after its #, or the text itself. */
export const codeOf = (text) => text.trim().split("#").at(-1).replace(/[^\w-]/g, "");

export function makePairing({ store, outbox, slug, wall = () => Date.now() }) {
  const startedAt = wall();

  /** Keep the code with its key before it is sent: an answer that is lost is asked for again, by this tablet alone. */
  const begin = (code) => store.keepFact("pairing", { code, key: newKey(), sentence: "" });

  /** Try until there is an answer of ours. Resolves true when paired, false when the code does not work. */
  async function finish() {
    for (let tries = 1; store.fact("pairing"); tries += 1) {
      const { code, key } = store.fact("pairing");
      const answer = await post("pair", { key, body: { event: slug, code } });
      if (answer.meaning === "recorded") return settleIn(answer.body.state, { path: "pair", key, body: { event: slug, code } });
      if (answer.body && answer.body.detail && answer.status < 500) {
        await store.keepFact("pairing", null);
        await store.keepFact("pairingRefused", answer.body.detail);
        return false;
      }
      if (tries === 1) await store.keepFact("pairing", { code, key, waits: true });
      await new Promise((resolve) => setTimeout(resolve, Math.min(8000, backOff(tries))));
    }
    return false;
  }

  async function settleIn(state, proof) {
    await store.takeState(state);
    await store.keepFacts({
      pairing: null, pairingRefused: null, ended: null, delivered: null, handedOut: null, opened: null, locks: [], lockTold: "", lastReferee: null, handingOver: false, nextKey: null,
      proofs: { at: wall(), steps: [proof] },
    });
    store.noteHeard(true);
    outbox.goOn();
    return true;
  }

  /** The steps to the token again, where the browser was killed before its cookie was written. Answers whether the tablet
   * is who it was; null where nobody answered. */
  async function again() {
    const proofs = store.fact("proofs");
    if (!proofs) return false;
    let state = null;
    for (const { path, key, body } of proofs.steps) {
      const answer = await post(path, { key, body, waiting: path === "next" ? 0 : null });
      if (answer.meaning === "recorded") state = answer.body.state;
      else if (answer.meaning === "again") return null;
    }
    // Once: an answer that does not help is not asked for again.
    await store.keepFact("proofs", null);
    if (!state) return false;
    await store.keepFacts({ ended: null, proofs: { at: wall(), steps: proofs.steps } });
    await store.takeState(state);
    store.noteHeard(true);
    outbox.goOn();
    return true;
  }

  /** The token holds, and was read from the disk: the steps to it are not needed any more. */
  async function proven() {
    const proofs = store.fact("proofs");
    if (proofs && startedAt - proofs.at > COOKIES_WRITTEN) await store.keepFact("proofs", null);
  }

  /** On to the same referee's next session. Answers {ok, sentence}. */
  async function goOn() {
    const key = store.fact("nextKey") || newKey();
    await store.keepFact("nextKey", key);
    const answer = await post("next", { key, waiting: store.unsent() });
    if (answer.meaning === "recorded") {
      await store.takeState(answer.body.state);
      const before = store.fact("proofs") ? store.fact("proofs").steps : [];
      const proofs = { at: wall(), steps: [...before, { path: "next", key, body: {} }] };
      await store.keepFacts({ nextKey: null, handedOut: null, proofs });
      outbox.goOn();
      return { ok: true, sentence: "" };
    }
    // A refusal used nothing up: the next try has a key of its own.
    if (answer.meaning !== "again") await store.keepFact("nextKey", null);
    return { ok: false, sentence: answer.body && answer.body.detail ? answer.body.detail : "" };
  }

  /** Hand over what cannot be sent as it was meant: everything open if the token holds no more, else what is not of
   * this pairing. Answers {arrived, failed}: how many, and "" or why not all: "unknown" where the server knows this
   * tablet no more, "silent" where nobody answered. */
  async function deliverLate(items) {
    let arrived = 0;
    for (const part of inParts(items)) {
      const waiting = Math.max(0, store.unsent() - part.length); // what the tablet holds once these have arrived
      const answer = await post("late", { body: { items: part }, waiting });
      if (answer.status === 401) return { arrived, failed: "unknown" };
      if (answer.status !== 202 || !answer.body || !Array.isArray(answer.body.held)) return { arrived, failed: "silent" };
      await outbox.noteHeld(answer.body.held, answer.body.recorded);
      arrived += answer.body.held.length + answer.body.recorded.length;
    }
    return { arrived, failed: "" };
  }

  let delivering = false;

  /** What the server had before a backup was restored, of sheets that are another tablet's by now or whose session is
   * over: to the desk, by itself. */
  async function deliverLost(isOver) {
    const lost = outbox.waiting().filter((item) => item.lost && (isOver || !store.isMine(item)));
    if (!lost.length || delivering) return;
    delivering = true;
    try {
      await deliverLate(lost);
    } finally {
      delivering = false;
    }
  }

  return { begin, finish, again, proven, goOn, deliverLate, deliverLost };
}

/** As many items in one request as the server takes. */
export function inParts(items) {
  const parts = [];
  let room = 0;
  for (const { key, act, session, table, revision, body } of items) {
    const item = { key, act, session, table, revision, body };
    const size = JSON.stringify(item).length;
    if (!parts.length || size > room || parts.at(-1).length >= 100) {
      parts.push([]);
      room = AT_ONCE;
    }
    parts.at(-1).push(item);
    room -= size;
  }
  return parts;
}
