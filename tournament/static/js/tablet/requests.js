/* Requests of a tablet and what their answers mean. The cookie goes by itself; no script ever sees the token. */

export const SCHEMA = 1;
const PATIENCE = 30000;
const HANGING = 3000; // longer than an answer takes in a hall
const MARK = "X-Tournament"; // on every answer of the server's: what has it not is a portal's or a proxy's

/** 128 bits as hexadecimal. crypto.randomUUID does not exist over plain http. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const jsonOf = async (response) => {
  try {
    const body = await response.json();
    return body !== null && typeof body === "object" ? body : null;
  } catch {
    return null;
  }
};

// What is on its way, by its AbortController: since when.
const going = new Map();

/** The network is back: what was asked before it went will hear no answer. Each asks again under its own key. */
export function dropHanging() {
  for (const [patience, since] of going) if (performance.now() - since > HANGING) patience.abort();
}

async function ask(url, options) {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE);
  going.set(patience, performance.now());
  try {
    const response = await fetch(url, {
      ...options,
      credentials: "same-origin",
      cache: "no-store",
      redirect: "error", // a captive portal redirects; the server never does
      signal: patience.signal,
    });
    if (response.headers.get(MARK) !== "1") return { response: null, body: null };
    // The body too is waited for: half an answer is none.
    return { response, body: response.status === 304 ? null : await jsonOf(response) };
  } catch {
    return { response: null, body: null };
  } finally {
    clearTimeout(timer);
    going.delete(patience);
  }
}

const headersOf = (key, revision) => ({
  "Content-Type": "application/json",
  "X-Client-Schema": String(SCHEMA),
  "X-Client-Time": String(Date.now()),
  "Idempotency-Key": key,
  ...(revision === undefined || revision === null ? {} : { "If-Match": `"v${revision}"` }),
});

/** POST `body` under `key` ("pin", "tables/5/save"). Answers {meaning, status, body, wait}: see `meaningOf`. */
export async function post(path, { key = newKey(), body = {}, revision = null, waiting = null } = {}) {
  const headers = { ...headersOf(key, revision), ...(waiting === null ? {} : { "X-Waiting": String(waiting) }) };
  const options = { method: "POST", headers, body: JSON.stringify(body) };
  const { response, body: answer } = await ask(`/api/v1/tablet/${path}/`, options);
  return {
    meaning: meaningOf(response, answer, key),
    status: response ? response.status : 0,
    body: answer,
    wait: response ? Number(response.headers.get("Retry-After")) || 0 : 0,
  };
}

/** GET the state, telling what waits and of which sheets something is kept. Answers {status, body, etag, date}; status 0 where nobody of ours answered. */
export async function getState({ etag, waiting, sheets, battery }) {
  const headers = { "X-Client-Schema": String(SCHEMA), "X-Client-Time": String(Date.now()), "X-Waiting": String(waiting) };
  if (sheets) headers["X-Sheets"] = sheets;
  if (battery !== null) headers["X-Battery"] = String(battery);
  if (etag) headers["If-None-Match"] = etag;
  const { response, body } = await ask("/api/v1/tablet/state/", { headers });
  if (!response) return { status: 0 };
  const ours = response.status === 304 || (response.status === 200 ? body && body.device : body && body.code);
  return {
    status: ours ? response.status : 0,
    body,
    etag: response.headers.get("ETag"),
    date: Date.parse(response.headers.get("Date") || "") || 0,
  };
}

/** Whether the server still takes the token; true where nobody of ours answers, which says nothing of it. */
export async function tokenHolds() {
  const { response } = await ask("/api/v1/tablet/state/", { method: "HEAD", headers: { "X-Client-Schema": String(SCHEMA) } });
  return !response || response.status !== 401;
}

/** What an answer says of an item.

  recorded   2xx, our JSON, our own key: a captive portal cannot know the key
  again      no answer, not ours, too many, busy, a fault of the server: the same item, later
  pin        403: a PIN opens the way, then the same item
  ended      401: the token holds no more; the item can still be handed over as `late`
  reload     426: the page is too old; the item stays
  held       409 signed_conflict: kept at the server for the chief judge
  refused    any other 4xx: stays here for a person
*/
export function meaningOf(response, body, key) {
  if (!response || !body) return "again";
  if (response.ok) return body.key === key ? "recorded" : "again";
  // A refusal too must be ours: problem+json has a code and a sentence.
  if (typeof body.code !== "string" || typeof body.detail !== "string") return "again";
  if (response.status === 401) return "ended";
  if (response.status === 426) return "reload";
  if (response.status === 429 || response.status >= 500) return "again";
  if (body.code === "pin_needed" || body.code === "signing_only") return "pin";
  return body.code === "signed_conflict" ? "held" : "refused";
}
