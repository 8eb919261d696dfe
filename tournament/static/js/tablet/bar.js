/* The bar: where, who, the time by the server's clock, the network and what waits. */

import { hongKong, sessionTime, spoken, tableTime } from "./clock.js";
import { icon } from "./icon.js";
import { make } from "./tile.js";
import { fill, gettext, pgettext, sessionName } from "./words.js";

const part = (name) => document.querySelector(`[data-${name}]`);

const MENU = ["tables", "pin", "closed"];

/** Write only what is another than before: a screen reader hears changes alone. */
function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function makeBar({ store, clock, onnet, onmenu }) {
  let shown = "";

  /** `screen` as shell.js names it: another window's bar knows nothing of the network, one cut off has nothing to choose. */
  function update(screen) {
    const state = store.state();
    const inHands = Boolean(store.fact("handedOut")); // the players read the network, and press nothing of the referee's
    part("net").hidden = !state || screen === "otherWindow";
    part("net").disabled = inHands;
    part("menu").hidden = !state || inHands || !MENU.includes(screen);
    if (!state) return;
    const numbers = store.tables();
    const tables = numbers.length === 1 ? fill(gettext("Table %(table)s"), { table: numbers[0] }) : fill(gettext("Tables %(tables)s"), { tables: numbers.join(pgettext("between tables", ", ")) });
    const session = sessionName(state.session);
    say(part("where"), [session, numbers.length ? tables : ""].filter(Boolean).join("·"));
    const opened = store.fact("opened");
    say(part("who"), opened ? fill(gettext("Referee %(name)s"), { name: opened.name }) : fill(gettext("Tablet %(number)s"), { number: state.device.number }));
    updateNet(store.networkState());
    tick();
  }

  /** Once a second. */
  function tick() {
    const state = store.state();
    if (!state) return;
    const session = sessionTime(state, clock.now());
    const running = session.kind === "running";
    const suspended = session.kind === "suspended";
    part("time").hidden = !running && !suspended;
    part("time").classList.toggle("c-orange", suspended);
    part("until").hidden = false;
    part("time").setAttribute("aria-label", gettext("Time left of this session"));
    say(part("time"), suspended ? gettext("suspended") : running ? spoken(session.ms) : "");
    part("until").replaceChildren(...lines(state, session).flatMap((line, index) => (index ? [make("br"), line] : [line])));
  }

  function lines(state, session) {
    if (session.kind === "before") return [gettext("not started"), fill(gettext("begins %(time)s"), { time: hongKong(state.session.play_at) })];
    if (session.kind === "suspended") return [];
    if (session.kind === "over") return [gettext("closed")];
    const own = state.tables.flatMap((table) => ownTime(state, table, session));
    return own.length ? own : [gettext("time left"), fill(gettext("ends %(time)s"), { time: hongKong(session.endsAt) })];
  }

  /** A table whose time is not the session's. */
  function ownTime(state, table, session) {
    const time = tableTime(state, table, clock.now());
    if (time.kind === "paused") return [fill(gettext("Table %(table)s: paused"), { table: table.number })];
    if (Math.abs(time.ms - session.ms) < 1000) return [];
    return [fill(gettext("Table %(table)s: %(time)s"), { table: table.number, time: spoken(time.ms) })];
  }

  function updateNet(net) {
    const { title, more, symbol } = netWords(net);
    const drawn = JSON.stringify([net.kind, title, more]);
    if (drawn === shown) return;
    shown = drawn;
    part("net").className = `net ${net.kind}`;
    part("net").setAttribute("role", "status");
    part("net").replaceChildren(make("b", {}, icon(symbol), title), make("span", {}, more));
  }

  /** What is not recorded is never called so: the four counts stand there as soon as one of them is not nothing. */
  function netWords(net) {
    const { refused, online, ended, unsaved, waiting, desk, last } = net;
    if (unsaved) return { title: gettext("Not saved"), more: refused ? fill(gettext("Needs attention: %(count)s"), { count: refused }) : gettext("this tablet's storage refuses"), symbol: "warn" };
    if (refused) return { title: fill(gettext("Needs attention: %(count)s"), { count: refused }), more: counts(net) || gettext("the server did not take it"), symbol: "warn" };
    const count = waiting ? `·${fill(gettext("%(count)s to send"), { count: waiting })}` : "";
    const said = waiting || !desk ? count : `·${fill(gettext("with the desk %(count)s"), { count: desk })}`;
    const heard = last ? fill(gettext("saved on this tablet, last connected %(time)s"), { time: hongKong(new Date(last).toISOString()) }) : gettext("saved on this tablet, not connected yet");
    if (ended) return { title: `${gettext("Not paired")}${said}`, more: counts(net) || heard, symbol: "off" };
    if (online) return { title: `${gettext("Connected")}${said}`, more: counts(net) || gettext("everything recorded"), symbol: "on" };
    return { title: `${gettext("Offline")}${said}`, more: heard, symbol: "off" };
  }

  /** "here 2·sent 1·recorded 9·with the desk 1"; "" where everything is recorded. */
  function counts({ here, sent, recorded, desk }) {
    if (!here && !sent && !desk) return "";
    return [
      fill(gettext("here %(count)s"), { count: here }),
      fill(gettext("sent %(count)s"), { count: sent }),
      fill(gettext("recorded %(count)s"), { count: recorded }),
      fill(gettext("with the desk %(count)s"), { count: desk }),
    ].join("·");
  }

  part("net").addEventListener("click", onnet);
  part("menu").addEventListener("click", onmenu);
  setInterval(tick, 1000);
  return { update };
}
