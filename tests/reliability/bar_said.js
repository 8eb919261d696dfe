/* A tablet in a page of its own time: the real shell, outbox, store, sync, pairing and bar over a disk in memory, a network
   that does what it is told, and a cookie that reaches the disk half a minute after it was set. `window.tablet` is its hand.

   Python answers what is asked of the server (`window.serve`) and gives `window.WORLD`: {page, pin, faults}. */

const realTimeout = window.setTimeout.bind(window);
const RealDate = Date;
const channel = new MessageChannel();
const COOKIE_WRITTEN = 30000;

let now = RealDate.now();
let timers = [];
let count = 0;
let pending = 0;
let life = 0;
let listeners = [];
let random = 1;

/* --- Time ------------------------------------------------------------------------------------------------ */

const later = (act, wait, every) => {
  count += 1;
  timers.push({ id: count, at: now + Math.max(0, Number(wait) || 0), act, every, life });
  return count;
};
window.setTimeout = (act, wait) => later(act, wait, 0);
window.setInterval = (act, wait) => later(act, wait, wait);
window.clearTimeout = window.clearInterval = (id) => {
  timers = timers.filter((timer) => timer.id !== id);
};
performance.now = () => now - 1e12;
window.Date = class extends RealDate {
  constructor(...given) {
    if (given.length) super(...given);
    else super(now);
  }
  static now() {
    return now;
  }
};
Math.random = () => {
  random = (random * 48271) % 2147483647;
  return random / 2147483647;
};

let ticking = [];
channel.port1.onmessage = () => ticking.splice(0).forEach((resolve) => resolve());
const tick = () => new Promise((resolve) => {
  ticking.push(resolve);
  channel.port2.postMessage(0);
});

/** Until nothing is on its way: answers, writes, what follows from them. */
async function quiet() {
  for (let idle = 0; idle < 3; idle += 1) {
    await tick();
    if (pending) {
      while (pending) await new Promise((resolve) => realTimeout(resolve, 0));
      idle = 0;
    }
  }
}

async function advance(ms) {
  const end = now + ms;
  await quiet();
  for (;;) {
    const next = timers.reduce((first, timer) => (!first || timer.at < first.at ? timer : first), null);
    if (!next || next.at > end) break;
    now = Math.max(now, next.at);
    if (next.every) next.at = now + next.every;
    else timers = timers.filter((timer) => timer !== next);
    next.act();
    await quiet();
  }
  now = end;
  await quiet();
}

/* --- The disk -------------------------------------------------------------------------------------------- */

const copy = (value) => JSON.parse(JSON.stringify(value));
const KEYS = { items: "key", tables: "id", facts: "name" };
let disk = null;
let isFull = false;

window.openDisk = async () => {
  const mine = life;
  return {
    readAll: async (store) => [...disk[store].values()].map(copy),
    write: async (put, remove = {}) => {
      if (mine !== life) return new Promise(() => {});
      if (isFull) throw new Error("the disk is full");
      for (const [store, rows] of Object.entries(put)) for (const row of rows) disk[store].set(row[KEYS[store]], copy(row));
      for (const [store, keys] of Object.entries(remove)) for (const key of keys) disk[store].delete(key);
    },
  };
};

/* --- The network ----------------------------------------------------------------------------------------- */

let jar = [];
let isUp = true;
let storm = 0; // how likely an exchange fails
let heardLife = -1;
const FAULTS = ["drop", "drop", "lose", "lose", "portal", "gateway", "stranger", "twice"];

const cookie = () => (jar.length ? jar.at(-1).value : "");
const foreign = (status, type, body) => new Response(body, { status, headers: { "Content-Type": type } });

async function ask(url, { method = "GET", headers = {}, body = null }) {
  const said = { method, path: url, headers, body, cookie: cookie() };
  const answer = JSON.parse(await window.serve(JSON.stringify(said)));
  if (answer.cookie) jar.push({ value: answer.cookie, at: now });
  return answer;
}

window.fetch = async (url, options = {}) => {
  const mine = life;
  pending += 1;
  try {
    if (!isUp) throw new TypeError("no network");
    const fault = Math.random() < storm ? FAULTS[Math.floor(Math.random() * FAULTS.length)] : "";
    if (fault === "drop") throw new TypeError("dropped");
    if (fault === "portal") return foreign(200, "text/html", "<title>Wi-Fi</title>");
    if (fault === "gateway") return foreign(502, "text/html", "<title>502</title>");
    if (fault === "stranger") return foreign(401, "application/json", '{"code": "login", "detail": "Sign in to this Wi-Fi."}');
    const answer = await ask(url, options);
    if (fault === "twice") await ask(url, options);
    if (mine !== life) return new Promise(() => {}); // whoever asked is gone
    if (fault === "lose") throw new TypeError("the answer was lost");
    if (answer.status < 400) heardLife = answer.life;
    return new Response([204, 304].includes(answer.status) ? null : answer.body, { status: answer.status, headers: answer.headers });
  } finally {
    pending -= 1;
  }
};

/* --- The page -------------------------------------------------------------------------------------------- */

for (const target of [window, document]) {
  const add = target.addEventListener.bind(target);
  target.addEventListener = (name, act, options) => {
    listeners.push(() => target.removeEventListener(name, act, options));
    add(name, act, options);
  };
}

window.panels = new Map();

/** What a person can touch: the panel of a table that the page has put aside takes no press. */
function panelOf(table) {
  const { element, api } = window.panels.get(table) || {};
  return element && element.isConnected ? api : null;
}

async function open(code = "") {
  life += 1;
  timers = [];
  for (const remove of listeners) remove();
  listeners = [];
  window.panels.clear();
  document.body.innerHTML = window.WORLD.page;
  history.replaceState(null, "", `/tablet/hk-2026/${code ? `#${code}` : ""}`);
  const mine = life;
  pending += 1;
  try {
    await import(`/js/tablet/shell.js?life=${mine}`);
  } finally {
    pending -= 1;
  }
  await advance(500);
}

const button = (text) => [...document.querySelectorAll("button")].find((one) => one.textContent.includes(text) && !one.disabled && !one.hidden);

async function press(text) {
  const found = button(text);
  if (!found) return false;
  found.click();
  await advance(300);
  return true;
}

async function typePin(person) {
  const pad = document.querySelector(".pad");
  if (!pad) return false;
  const { people, submit } = window.pad;
  submit(people.find((one) => one.name === person) || people[0], window.WORLD.pin);
  await advance(1000);
  return true;
}

window.tablet = {
  advance,
  press,
  typePin,
  open,
  isOpen: () => document.querySelectorAll("[data-table]").length > 0,
  begin: (seed) => {
    random = seed * 7919 + 1;
    now = RealDate.now();
    disk = { items: new Map(), tables: new Map(), facts: new Map() };
    [jar, isUp, storm, heardLife, isFull] = [[], true, 0, -1, false];
  },
  network: (up, badness = 0) => {
    isUp = up;
    storm = badness;
    window.dispatchEvent(new Event(up ? "online" : "offline"));
    return advance(200);
  },
  fill: (full) => {
    isFull = full;
  },
  /** SIGKILL: what the browser had not written of its cookies is gone; the outbox is not. */
  kill: (code) => {
    jar = jar.filter((one) => now - one.at >= COOKIE_WRITTEN);
    return open(code);
  },
  /** One act at a table as its panel hands it over; its key, or "" where the panel would not offer it. */
  make: async (table, act, body, match, signing) => {
    const api = panelOf(table);
    if (!api || document.querySelector(".pad")) return "";
    const view = api.table();
    const takes = view.writable || (signing && view.handedOut && !view.signedHere && ["open", "draft"].includes(view.sheet.state));
    if (match && (!takes || view.attention.length)) return "";
    try {
      const item = await api.enqueue(act, body, { match });
      await quiet();
      return item.key;
    } catch {
      return "";
    }
  },
  handOut: (table) => {
    const api = panelOf(table);
    if (api && !document.querySelector(".pad")) api.handOut();
    return advance(300);
  },
  takeBack: (table) => {
    const api = panelOf(table);
    if (api && api.table().handedOut) api.takeBack();
    return advance(300);
  },
  probe: () => ({
    bar: document.querySelector("[data-net]").hidden ? "" : document.querySelector("[data-net]").textContent,
    text: document.querySelector("#page").textContent + document.querySelector("[data-notices]").textContent,
    heard: heardLife,
    kept: [...disk.items.values()].map(({ key, state, settled }) => ({ key, state, settled })),
  }),
};
