/* Two panels over a store in memory that keeps the interface of store.js; window.store lets a test be the server. */

import { mountPanel } from "./js/tablet/panel.js";
import * as engine from "./js/engine/engine.js";

const { state } = JSON.parse(document.getElementById("page-data").textContent);
const main = document.getElementById("page");
const tables = new Map(state.tables.map((table) => [table.number, { draft: null, items: [], handedOut: false }]));
const panels = [];
const mounted = new Map();
const network = { online: true };
const disk = { takes: 0 }; // milliseconds
let made = 0;
const update = () => panels.forEach((panel) => panel.update());

function view(number) {
  const told = state.tables.find((one) => one.number === number);
  const { draft, items, handedOut } = tables.get(number);
  const standing = items.map((item) => ({ ...item, stands: item.state === "waiting" ? "here" : item.state }));
  const open = standing.filter((item) => item.state !== "recorded");
  const newest = open.filter((item) => ["save", "package"].includes(item.act)).at(-1);
  const locked = ["signed", "certified"].includes(told.sheet.state);
  return {
    ...told,
    typed: newest && !locked ? newest.body.typed : told.sheet.typed,
    confirmations: newest && !locked ? newest.body.confirmations : told.sheet.confirmations,
    draft,
    open,
    pending: open.filter((item) => item.state === "waiting"),
    attention: open.filter((item) => item.state !== "waiting"),
    handedOut,
    signedHere: locked ? null : open.findLast((item) => item.act === "package") ?? null,
    ink: locked ? items.findLast((item) => item.act === "package")?.body.signatures ?? [] : [],
    receipt: told.sheet.receipt,
    locked,
  };
}

const apiOf = (number) => ({
  engine,
  table: () => view(number),
  state: () => state,
  ruleset: () => state.ruleset,
  now: () => Date.now(),
  network: () => network,
  enqueue: async (act, body, { match = false, hold = 0 } = {}) => {
    if (disk.takes) await new Promise((done) => setTimeout(done, disk.takes));
    const item = { key: `item-${(made += 1)}`, act, body, match, hold, state: "waiting", sentence: "", code: "" };
    tables.get(number).items.push(item);
    if (["save", "package"].includes(act)) tables.get(number).draft = null;
    update();
    return item;
  },
  drop: async (key) => {
    const { items } = tables.get(number);
    const at = items.findIndex((item) => item.key === key && item.hold);
    if (at >= 0) items.splice(at, 1);
    update();
    return at >= 0;
  },
  saveDraft: async (draft) => {
    tables.get(number).draft = draft === null ? null : JSON.parse(JSON.stringify(draft));
    update();
  },
  handOut: async () => {
    tables.get(number).handedOut = true;
    update();
  },
  takeBack: async () => {
    tables.get(number).handedOut = false;
    update();
    return true;
  },
});

for (const number of tables.keys()) {
  const element = document.createElement("section");
  element.dataset.table = String(number);
  main.append(element);
  panels.push(mountPanel(element, number, apiOf(number)));
  mounted.set(number, panels.length - 1);
}

window.store = {
  /** The page is closed and opened again: what is on the disk is there. */
  remount: (number) => {
    const old = main.querySelector(`[data-table="${number}"]`);
    const element = old.cloneNode(false);
    element.className = "";
    main.className = "pair";
    old.replaceWith(element);
    panels[mounted.get(number)] = mountPanel(element, number, apiOf(number));
  },
  /** Whether the server is heard. */
  online: (is) => {
    network.online = is;
    update();
  },
  /** How long the disk takes from now on. */
  slow: (takes) => {
    disk.takes = takes;
  },
  items: (number) => tables.get(number).items.map(({ act, body, match }) => ({ act, body, match })),
  draft: (number) => tables.get(number).draft,
  /** The server tells of a table: `sheet` and all else that is given; its items are recorded. */
  tell: (number, told) => {
    const table = state.tables.find((one) => one.number === number);
    Object.assign(table, told, { sheet: { ...table.sheet, ...told.sheet } });
    for (const item of tables.get(number).items) item.state = "recorded";
    update();
  },
  refuse: (number, how) => {
    Object.assign(tables.get(number).items.at(-1), how);
    update();
  },
};
