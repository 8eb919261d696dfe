/* What the tablet has recorded and how far it has come; what needs a person; how it leaves without network. */

import { hongKong } from "./clock.js";
import { codeElement, codesOf, saveFile } from "./export.js";
import { button } from "./icon.js";
import { whyHeld } from "./status.js";
import { itemActs, itemStates } from "./texts.js";
import { make } from "./tile.js";
import { fill, gettext, labels, pgettext } from "./words.js";

const KINDS = { waiting: "wait", recorded: "done", refused: "stop", held: "stop", desk: "wait", aside: "off" };
const MOST_DIFFERENCES = 12;

/** Where two values of a sheet differ: [["games.0.seats.C.rack", mine, theirs], ...]. */
export function differences(mine, theirs, path = "") {
  const isTree = (value) => value !== null && typeof value === "object";
  if (isTree(mine) && isTree(theirs)) {
    const names = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])];
    return names.flatMap((name) => differences(mine[name], theirs[name], path ? `${path}.${name}` : name));
  }
  return JSON.stringify(mine) === JSON.stringify(theirs) ? [] : [[path, mine, theirs]];
}

/** `dialog` is where it is shown; `outbox`, `store` as ever; `onresend()` starts everything at once. */
export function makeItems({ dialog, outbox, store, onwake }) {
  let sure = ""; // the key of the item that is asked about once more

  const tableOf = (item) => (store.tables().includes(item.table) ? store.getTable(item.table) : null);
  const revisionOf = (item) => (tableOf(item) ? tableOf(item).sheet.revision : 0);

  function show() {
    sure = "";
    draw();
    if (!dialog.open) dialog.showModal();
  }

  function draw() {
    const items = outbox.all().filter((item) => !item.settled).reverse();
    const rows = items.length ? items.map(row) : [make("li", { class: "quiet" }, gettext("Nothing waits."))];
    dialog.className = "dialog wide";
    dialog.replaceChildren(
      make("h2", {}, gettext("What this tablet has recorded")),
      make("ul", { class: "items" }, ...rows),
      make("p", { class: "quiet small" }, gettext("If the network does not come back: take what waits to the desk.")),
      make("div", { class: "row" },
        button(gettext("Try now"), onwake, { kind: "primary" }),
        button(gettext("Save as a file"), () => saveFile(store.exported()), { symbol: "down" }),
        button(gettext("Show as QR codes"), showCodes),
        button(pgettext("a dialog", "Close"), () => dialog.close(), { kind: "plain" })),
    );
  }

  function row(item) {
    const act = itemActs()[item.act] || item.act;
    const label = fill(gettext("Table %(table)s: %(act)s, %(time)s"), { table: item.table, act, time: hongKong(item.body.made_at) });
    const badge = make("span", { class: `badge ${KINDS[item.state]}` }, itemStates()[store.standsOf(item)]);
    const parts = [make("b", {}, label), badge];
    if (item.state === "held") {
      const [fault, why] = whyHeld(item);
      parts.push(make("span", { class: "fault" }, fault), make("span", { class: "small" }, why));
    } else if (item.sentence) parts.push(make("span", { class: "fault" }, item.sentence));
    if (item.state === "refused") parts.push(...compared(item), make("div", { class: "row" }, ...ways(item)));
    if (item.state === "held") {
      const seen = button(gettext("Understood"), () => leaveToDesk(item));
      parts.push(make("div", { class: "row" }, seen));
    }
    return make("li", { "data-item": item.key }, ...parts);
  }

  /** Mine beside what the server has, cell by cell. */
  function compared(item) {
    const table = tableOf(item);
    if (!item.body.typed || !table) return [];
    const found = differences(item.body.typed, table.sheet.typed).slice(0, MOST_DIFFERENCES);
    const lines = found.map(([path, mine, theirs]) =>
      make("li", {}, fill(gettext("%(cell)s. This tablet: %(mine)s. Server: %(theirs)s."), { cell: cellOf(path), mine: valueOf(mine), theirs: valueOf(theirs) })));
    return lines.length ? [make("ul", { class: "differs" }, ...lines)] : [];
  }

  /** "games.1.seats.C.rack" is "Game 2 C rack". */
  const cellOf = (path) => path.split(".").flatMap((name) => {
    if (name === "games" || name === "seats") return [];
    return /^\d+$/.test(name) ? [fill(gettext("Game %(game)s"), { game: Number(name) + 1 })] : [labels().cells[name] || name];
  }).join(" ");

  function valueOf(value) {
    if (value === undefined || value === null || value === "") return "—";
    return typeof value === "boolean" ? labels().yes_no[value ? "yes" : "no"] : labels().endings[value] || labels().rulings[value] || String(value);
  }

  function ways(item) {
    if (sure === item.key) {
      return [make("span", {}, gettext("Really put it aside? It stays readable here and is not sent.")), button(gettext("Yes, put it aside"), () => settle(item), { kind: "danger" })];
    }
    const aside = button(gettext("Put mine aside"), () => {
      sure = item.key;
      draw();
    });
    const canSend = tableOf(item) && !tableOf(item).locked;
    return canSend ? [button(gettext("Send mine, over what is there"), () => sendOver(item)), aside] : [aside];
  }

  async function settle(item) {
    await outbox.setAside(item.key, revisionOf(item));
    sure = "";
    draw();
  }

  async function leaveToDesk(item) {
    await outbox.leaveToDesk(item.key, revisionOf(item));
    draw();
  }

  async function sendOver(item) {
    await outbox.sendOver(item.key, revisionOf(item));
    draw();
  }

  /* --- Without network ----------------------------------------------------------------------------------- */

  async function showCodes() {
    const lines = await codesOf(store.exported());
    let at = 0;
    const step = (by) => () => {
      at = (at + by + lines.length) % lines.length;
      drawCode();
    };
    const drawCode = () => {
      const label = fill(gettext("Code %(number)s of %(count)s"), { number: at + 1, count: lines.length });
      dialog.className = "dialog wide";
      dialog.replaceChildren(
        make("h2", {}, label),
        make("div", { class: "codes" }, codeElement(lines[at], label)),
        make("div", { class: "row" },
          button(pgettext("codes", "Back"), step(-1)),
          button(pgettext("codes", "Next"), step(1), { kind: "primary" }),
          button(pgettext("a dialog", "Close"), () => dialog.close(), { kind: "plain" })),
      );
    };
    drawCode();
    if (!dialog.open) dialog.showModal();
  }

  /** Drawn anew while it is open, so that one sees things go. */
  const update = () => dialog.open && dialog.querySelector(".items") && draw();

  return { show, update, showCodes };
}
