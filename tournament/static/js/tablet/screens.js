/* The whole screens that stand where the tables would be: each says that nothing is lost, then what to do. */

import { hongKong } from "./clock.js";
import { button, note } from "./icon.js";
import { make } from "./tile.js";
import { fill, sessionName } from "./words.js";

const alone = (...parts) => make("div", { class: "alone" }, ...parts);

/** 6 April, in Hong Kong, in the page's language. */
const dayOf = (iso) =>
  new Intl.DateTimeFormat(document.documentElement.lang, { day: "numeric", month: "long", timeZone: "Asia/Hong_Kong" }).format(new Date(iso));

/** Draws into `element`; `slug` of the event. `acts` has pair, takeOver, takeBack, deliver, goOn, save, codes, reload. */
export function makeScreens({ element, store, outbox, words, slug, acts }) {
  const put = (...parts) => element.replaceChildren(alone(...parts));
  const count = () => store.unsent();

  function noDisk() {
    put(note("stop", words.no_disk, words.no_disk_why));
  }

  function otherWindow() {
    const here = button(words.go_on_here, acts.takeOver, { kind: "primary" });
    put(note("wait", words.other_window, words.other_window_why), here);
  }

  function pairing() {
    const waits = store.fact("pairing").waits;
    put(note("live", words.pairing, waits ? words.pairing_waits : ""));
  }

  /** No tables: what to do, and a field for what stands under the code. */
  function notPaired() {
    const input = make("input", { class: "input", id: "code", autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
    const form = make("form", { class: "field" }, make("label", { for: "code" }, words.code), input);
    const press = button(words.pair, () => acts.pair(input.value), { kind: "primary" });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      press.click();
    });
    const refused = store.fact("pairingRefused");
    const said = refused ? [note("stop", words.pairing_refused, refused)] : [];
    put(...said, note("live", words.not_paired, words.not_paired_why), form, press, ...leftovers(), questions());
  }

  function leftovers() {
    return count() ? [note("wait", fill(words.still_here, { count: count() }), "", ...ways())] : [];
  }

  const questions = () => make("a", { class: "btn", href: `/tablet/ice/${slug}/` }, words.questions);

  /** The ways for what has not reached the server. */
  function ways() {
    return [
      button(words.hand_over, acts.deliver, { kind: "primary" }),
      button(words.save_file, acts.save, { symbol: "down" }),
      button(words.show_codes, acts.codes),
    ];
  }

  /** What the players see of an end: words, and the way back to the referee. Nothing of theirs opens anything else. */
  function inHands(said, back) {
    put(note("wait", said, words.in_hands_over), button(words.take_back, back, { kind: "primary" }));
  }

  /** The token holds no more. */
  function ended() {
    const { sentence } = store.fact("ended");
    if (store.fact("handedOut")) {
      // Nobody's names and PINs are here any more, and nothing is left to guard but the ways to the desk.
      inHands(sentence || words.ended, () => store.noteFacts({ handedOut: null }));
      return;
    }
    const held = count();
    const more = held ? fill(words.ended_waiting, { count: held }) : fill(words.ended_nothing, { time: lastHeard() });
    put(
      note(held ? "wait" : "done", sentence || words.ended, more, ...(held ? ways() : [])),
      ...withDesk(),
      ...delivered(),
      make("p", { class: "quiet" }, words.pair_again),
      questions(),
    );
  }

  function delivered() {
    const { arrived, failed } = store.fact("delivered") || {};
    if (failed) return [note("stop", failed === "unknown" ? words.hand_over_unknown : words.hand_over_failed)];
    return arrived ? [note("done", fill(words.handed_over, { count: arrived }))] : [];
  }

  const lastHeard = () => hongKong(new Date(store.networkState().last).toISOString());

  /** What a person at the desk has to settle yet. */
  function withDesk() {
    const { desk } = store.networkState();
    return desk ? [note("wait", fill(words.with_desk, { count: desk }), words.with_desk_why)] : [];
  }

  function closed() {
    if (store.fact("handedOut")) {
      inHands(words.session_closed, acts.takeBack);
      return;
    }
    const held = count();
    const lines = held ? fill(words.ended_waiting, { count: held }) : words.session_closed_why;
    put(note(held ? "wait" : "done", words.session_closed, lines, ...(held ? ways() : [])), ...withDesk(), ...delivered(), ...goOn(), questions());
  }

  /** The next session of the same referee, with one tap. */
  function goOn() {
    const next = store.state().next;
    if (!next) return [];
    const { session: own, tables } = store.state();
    const session = sessionName(words, next);
    const day = dayOf(next.play_at) === dayOf(own.play_at) ? "" : dayOf(next.play_at);
    const facts = { session, day, tables: next.tables.join(words.and) };
    const open = own.state === "closed" ? [] : tables.filter((table) => !store.getTable(table.number).locked).map((table) => table.number);
    const press = button(fill(day ? words.next_day : words.next, facts), acts.goOn, { kind: open.length ? "" : "primary" });
    press.disabled = count() > 0;
    const why = count() ? words.next_waits : open.length ? fill(words.next_unsigned, { tables: open.join(words.and) }) : "";
    return [press, ...(why ? [make("p", { class: "quiet small" }, why)] : [])];
  }

  return { noDisk, otherWindow, pairing, notPaired, ended, closed, goOn };
}
