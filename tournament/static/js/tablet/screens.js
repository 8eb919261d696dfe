/* The whole screens that stand where the tables would be: each says that nothing is lost, then what to do. */

import { hongKong } from "./clock.js";
import { button, note } from "./icon.js";
import { handOverFault } from "./texts.js";
import { make } from "./tile.js";
import { fill, gettext, pgettext, sessionName } from "./words.js";

const alone = (...parts) => make("div", { class: "alone" }, ...parts);

/** 6 April, in Hong Kong, in the page's language. */
const dayOf = (iso) =>
  new Intl.DateTimeFormat(document.documentElement.lang, { day: "numeric", month: "long", timeZone: "Asia/Hong_Kong" }).format(new Date(iso));

/** Draws into `element`; `slug` of the event. `acts` has pair, takeOver, takeBack, deliver, goOn, save, codes, reload. */
export function makeScreens({ element, store, outbox, slug, acts }) {
  const put = (...parts) => element.replaceChildren(alone(...parts));
  const count = () => store.unsent();

  function noDisk() {
    put(note("stop", gettext("This browser keeps nothing"), gettext("Nothing could be saved without network. Leave the private window, free some space, or take another tablet.")));
  }

  function otherWindow() {
    const here = button(gettext("Go on here"), acts.takeOver, { kind: "primary" });
    put(note("wait", gettext("This page is open in another window"), gettext("Only one window may send. Close this one, or go on here and the other steps back.")), here);
  }

  function pairing() {
    const waits = store.fact("pairing").waits;
    put(note("live", gettext("Pairing …"), waits ? gettext("No answer from the server yet. It is tried again by itself, with the same code.") : ""));
  }

  /** No tables: what to do, and a field for what stands under the code. */
  function notPaired() {
    const input = make("input", { class: "input", id: "code", autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
    const form = make("form", { class: "field" }, make("label", { for: "code" }, gettext("Or type the address or code that stands under it")), input);
    const press = button(gettext("Pair this tablet"), () => acts.pair(input.value), { kind: "primary" });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      press.click();
    });
    const refused = store.fact("pairingRefused");
    const said = refused ? [note("stop", gettext("This code does not work"), refused)] : [];
    const why = gettext("The desk shows a QR code for your tables: open it with the camera of this tablet. It is valid once, for ten minutes.");
    put(...said, note("live", gettext("This tablet has no tables yet"), why), form, press, ...leftovers(), questions());
  }

  function leftovers() {
    return count() ? [note("wait", fill(gettext("Still on this tablet from an earlier pairing: %(count)s. Nothing is lost."), { count: count() }), "", ...ways())] : [];
  }

  const questions = () => make("a", { class: "btn", href: `/tablet/ice/${slug}/` }, gettext("Ask the rules"));

  /** The ways for what has not reached the server. */
  function ways() {
    return [
      button(gettext("Hand them to the desk"), acts.deliver, { kind: "primary" }),
      button(gettext("Save as a file"), acts.save, { symbol: "down" }),
      button(gettext("Show as QR codes"), acts.codes),
    ];
  }

  /** What the players see of an end: words, and the way back to the referee. Nothing of theirs opens anything else. */
  function inHands(said, back) {
    put(note("wait", said, gettext("Give the tablet back to the referee. What was signed on it is kept.")), button(gettext("Take the tablet back"), back, { kind: "primary" }));
  }

  /** The token holds no more. */
  function ended() {
    const { sentence } = store.fact("ended");
    if (store.fact("handedOut")) {
      // Nobody's names and PINs are here any more, and nothing is left to guard but the ways to the desk.
      inHands(sentence || gettext("This tablet is not paired any more"), () => store.noteFacts({ handedOut: null }));
      return;
    }
    const held = count();
    const more = held
      ? fill(gettext("Not recorded: %(count)s. Hand them to the desk: they are kept there and the chief judge decides."), { count: held })
      : fill(gettext("Nothing waits on it: when it was last connected, at %(time)s, the server had everything."), { time: lastHeard() });
    put(
      note(held ? "wait" : "done", sentence || gettext("This tablet is not paired any more"), more, ...(held ? ways() : [])),
      ...withDesk(),
      ...delivered(),
      make("p", { class: "quiet" }, gettext("The desk can pair it again with a new code.")),
      questions(),
    );
  }

  function delivered() {
    const { arrived, failed } = store.fact("delivered") || {};
    if (failed) return [note("stop", handOverFault(failed))];
    return arrived ? [note("done", fill(gettext("Handed over: %(count)s"), { count: arrived }))] : [];
  }

  const lastHeard = () => hongKong(new Date(store.networkState().last).toISOString());

  /** What a person at the desk has to settle yet. */
  function withDesk() {
    const { desk } = store.networkState();
    return desk ? [note("wait", fill(gettext("With the desk, not settled yet: %(count)s"), { count: desk }), gettext("It is kept whole and counts once the chief judge has settled it."))] : [];
  }

  function closed() {
    if (store.fact("handedOut")) {
      inHands(gettext("This session is closed"), acts.takeBack);
      return;
    }
    const held = count();
    const lines = held ? fill(gettext("Not recorded: %(count)s. Hand them to the desk: they are kept there and the chief judge decides."), { count: held }) : gettext("Thank you. Nothing more can be recorded for it here.");
    put(note(held ? "wait" : "done", gettext("This session is closed"), lines, ...(held ? ways() : [])), ...withDesk(), ...delivered(), ...goOn(), questions());
  }

  /** The next session of the same referee, with one tap. */
  function goOn() {
    const next = store.state().next;
    if (!next) return [];
    const { session: own, tables } = store.state();
    const session = sessionName(next);
    const day = dayOf(next.play_at) === dayOf(own.play_at) ? "" : dayOf(next.play_at);
    const facts = { session, day, tables: next.tables.join(pgettext("between tables", ", ")) };
    const open = own.state === "closed" ? [] : tables.filter((table) => !store.getTable(table.number).locked).map((table) => table.number);
    const press = button(fill(day ? gettext("On to %(session)s of %(day)s, tables %(tables)s") : gettext("On to %(session)s, tables %(tables)s"), facts), acts.goOn, { kind: open.length ? "" : "primary" });
    press.disabled = count() > 0;
    const why = count() ? gettext("It goes on when everything is recorded.") : open.length ? fill(gettext("Not signed yet: table %(tables)s. Going on leaves it."), { tables: open.join(pgettext("between tables", ", ")) }) : "";
    return [press, ...(why ? [make("p", { class: "quiet small" }, why)] : [])];
  }

  return { noDisk, otherWindow, pairing, notPaired, ended, closed, goOn };
}
