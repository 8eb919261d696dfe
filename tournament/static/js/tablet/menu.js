/* What is needed seldom: another referee, the next session, everything again, where the data stand. */

import { button } from "./icon.js";
import { opensOffline } from "./kept.js";
import { make } from "./tile.js";
import { fill } from "./words.js";

/** `acts` has lock, goOn (the buttons of the next session), outbox. */
export function makeMenu({ dialog, store, outbox, words, acts }) {
  let said = "";
  let drawn = "";
  const known = () => JSON.stringify([outbox.open().length, store.state().next]);

  async function show() {
    said = "";
    await draw();
    if (!dialog.open) dialog.showModal();
  }

  async function draw() {
    const state = store.state();
    const recorded = outbox.all().filter((item) => item.state === "recorded").length;
    const again = button(words.resend, () => resend(recorded));
    again.disabled = recorded === 0;
    const lines = [await storedLine(), await offlineLine()];
    drawn = known();
    dialog.className = "dialog menu";
    dialog.replaceChildren(
      make("h2", {}, fill(words.tablet, { number: state.device.number })),
      ...(said ? [make("p", { role: "status" }, said)] : []),
      button(words.lock, acts.lock, { symbol: "person" }),
      ...acts.goOn(),
      button(words.outbox, acts.outbox),
      make("a", { class: "btn", href: `/tablet/ice/${state.event.slug}/` }, words.questions),
      make("div", { class: "row" }, ...acts.switches()),
      make("div", { class: "stack tight" }, again, make("span", { class: "small quiet" }, words.resend_why)),
      make("p", { class: "small quiet" }, ...lines.flatMap((line) => [line, make("br")])),
      button(words.close, () => dialog.close(), { kind: "plain" }),
    );
  }

  async function storedLine() {
    const kept = navigator.storage && navigator.storage.persisted ? await navigator.storage.persisted() : false;
    return kept ? words.stored : words.not_stored;
  }

  /** What is, not what the browser could: a certificate that was waved through registers no worker. */
  async function offlineLine() {
    if (await opensOffline(location.pathname)) return words.opens_offline;
    return window.isSecureContext ? words.not_offline : words.insecure;
  }

  async function resend(count) {
    await outbox.resend();
    said = fill(words.resent, { count });
    await draw();
  }

  /** Drawn anew while it is open and something went, so that the way on opens by itself. */
  const update = () => dialog.open && dialog.classList.contains("menu") && known() !== drawn && draw();

  return { show, update };
}
