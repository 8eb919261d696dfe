/* The desk's control page: [data-poll] is asked for anew every [data-every] ms (304: as it is); [data-ago] says how long
   ago, and marks its row after a minute of silence; [data-until] counts down. Without script the page shows times. */

const SILENT = 60;
const chinese = document.documentElement.lang.startsWith("zh");
const marks = new WeakMap();
let ahead = 0; // this clock less the server's, in ms

/** 12 秒前; 12 s ago; from two minutes on in minutes. */
function ago(seconds) {
  if (seconds < 120) return chinese ? `${seconds} 秒前` : `${seconds} s ago`;
  const minutes = Math.floor(seconds / 60);
  return chinese ? `${minutes} 分鐘前` : `${minutes} min ago`;
}

const now = () => Date.now() - ahead;

function count() {
  for (const time of document.querySelectorAll("[data-ago]")) {
    const seconds = Math.max(0, Math.round((now() - Date.parse(time.dateTime)) / 1000));
    time.textContent = ago(seconds);
    const row = time.closest("[data-tablet]");
    if (row) row.classList.toggle("bad", seconds > SILENT);
  }
  for (const time of document.querySelectorAll("[data-until]")) {
    const left = Math.max(0, Math.round((Date.parse(time.dateTime) - now()) / 1000));
    time.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  }
}

/** Ask once and show it; a network that fails, or an answer that is none of ours, is asked again later. */
async function look(part) {
  const headers = { Accept: "text/html" };
  if (marks.has(part)) headers["If-None-Match"] = marks.get(part);
  try {
    const answer = await fetch(part.dataset.poll, { headers, cache: "no-store" });
    const said = Date.parse(answer.headers.get("Date") || "");
    if (said) ahead = Date.now() - said;
    if (answer.redirected || answer.status === 403 || answer.status === 404) return window.location.reload();
    if (answer.status === 200 && !part.contains(document.activeElement)) {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      part.replaceChildren(...page.body.childNodes);
      marks.set(part, answer.headers.get("ETag") || "");
      count();
    }
  } catch {
    // The next look may succeed.
  }
  window.setTimeout(look, Number(part.dataset.every), part);
}

count();
window.setInterval(count, 1000);
for (const part of document.querySelectorAll("[data-poll]")) window.setTimeout(look, Number(part.dataset.every), part);
