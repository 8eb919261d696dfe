/* How a tablet gets its tables: by the desk's code, by going on to the next session; how it hands over what is late. */

import { backOff } from "./outbox.js";
import { newKey, post } from "./requests.js";

const AT_ONCE = 150000; // characters of items in one request

/** The code of an address that was scanned or typed: what stands after its #, or the text itself. */
export const codeOf = (text) => text.trim().split("#").at(-1).replace(/[^\w-]/g, "");

export function makePairing({ store, outbox, slug }) {
  /** Keep the code with its key before it is sent: an answer that is lost is asked for again, by this tablet alone. */
  const begin = (code) => store.keepFact("pairing", { code, key: newKey(), sentence: "" });

  /** Try until there is an answer of ours. Resolves true when paired, false when the code does not work. */
  async function finish() {
    for (let tries = 1; store.fact("pairing"); tries += 1) {
      const { code, key } = store.fact("pairing");
      const answer = await post("pair", { key, body: { event: slug, code } });
      if (answer.meaning === "recorded") return settleIn(answer.body.state);
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

  async function settleIn(state) {
    await store.takeState(state);
    await store.keepFacts({ pairing: null, pairingRefused: null, ended: null, handedOut: null, opened: null, lastReferee: null, handingOver: false, nextKey: null });
    outbox.goOn();
    return true;
  }

  /** On to the same referee's next session. Answers {ok, sentence}. */
  async function goOn() {
    const key = store.fact("nextKey") || newKey();
    await store.keepFact("nextKey", key);
    const answer = await post("next", { key, waiting: store.unsent() });
    if (answer.meaning === "recorded") {
      await store.takeState(answer.body.state);
      await store.keepFacts({ nextKey: null, handedOut: null });
      outbox.goOn();
      return { ok: true, sentence: "" };
    }
    // A refusal used nothing up: the next try has a key of its own.
    if (answer.meaning !== "again") await store.keepFact("nextKey", null);
    return { ok: false, sentence: answer.body && answer.body.detail ? answer.body.detail : "" };
  }

  /** Hand over what cannot be sent as it was meant: everything open if the token holds no more, else what is not of
   * this pairing. Answers how many arrived, or null where nobody answered. */
  async function deliverLate(items) {
    let arrived = 0;
    for (const part of inParts(items)) {
      const waiting = Math.max(0, store.unsent() - part.length); // what the tablet holds once these have arrived
      const answer = await post("late", { body: { items: part }, waiting });
      if (answer.status !== 202 || !answer.body || !Array.isArray(answer.body.held)) return arrived || null;
      await outbox.noteHeld(answer.body.held, answer.body.recorded);
      arrived += answer.body.held.length + answer.body.recorded.length;
    }
    return arrived;
  }

  return { begin, finish, goOn, deliverLate };
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
