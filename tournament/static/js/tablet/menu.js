/* What is needed seldom: another referee, the next session, everything again, where the data stand. */

import { button } from "./icon.js";
import { opensOffline } from "./kept.js";
import { make } from "./tile.js";
import { fill, gettext, pgettext } from "./words.js";

/** `acts` has lock, goOn (the buttons of the next session), outbox. */
export function makeMenu({ dialog, store, outbox, acts }) {
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
    const again = button(gettext("Send everything again"), () => resend(recorded));
    again.disabled = recorded === 0;
    const lines = [await storedLine(), await offlineLine()];
    drawn = known();
    dialog.className = "dialog menu";
    dialog.replaceChildren(
      make("h2", {}, fill(gettext("Tablet %(number)s"), { number: state.device.number })),
      ...(said ? [make("p", { role: "status" }, said)] : []),
      button(gettext("Hand over to another referee"), acts.lock, { symbol: "person" }),
      ...acts.goOn(),
      button(gettext("What this tablet has recorded"), acts.outbox),
      make("a", { class: "btn", href: `/tablet/ice/${state.event.slug}/` }, gettext("Ask the rules")),
      make("div", { class: "row" }, ...acts.switches()),
      make("div", { class: "stack tight" }, again, make("span", { class: "small quiet" }, gettext("The tablet does this by itself where the server lacks something. It does no harm: nothing counts twice."))),
      make("p", { class: "small quiet" }, ...lines.flatMap((line) => [line, make("br")])),
      button(pgettext("a dialog", "Close"), () => dialog.close(), { kind: "plain" }),
    );
  }

  async function storedLine() {
    const kept = navigator.storage && navigator.storage.persisted ? await navigator.storage.persisted() : false;
    return kept ? gettext("This browser has promised to keep the data.") : gettext("This browser may clear the data if its space runs out.");
  }

  /** What is, not what the browser could: a certificate that was waved through registers no worker. */
  async function offlineLine() {
    if (await opensOffline(location.pathname)) return gettext("The page opens without network.");
    return window.isSecureContext ? gettext("This page does NOT open without network.") : gettext("Plain http: the page does not open without network. What is recorded is kept all the same.");
  }

  async function resend(count) {
    await outbox.resend();
    said = fill(gettext("%(count)s items are sent again."), { count });
    await draw();
  }

  /** Drawn anew while it is open and something went, so that the way on opens by itself. */
  const update = () => dialog.open && dialog.classList.contains("menu") && known() !== drawn && draw();

  return { show, update };
}
