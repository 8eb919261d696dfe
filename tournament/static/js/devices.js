/* The desk's control page: [data-poll] is asked for anew every [data-every] ms (304: as it is); [data-ago] says how long
   ago in the words of [data-seconds] and [data-minutes] around it, and marks its row after a minute of silence; [data-until] counts down. Without script the page shows times. */
onPagesWith("devices", () => {
  const SILENT = 60;
  const marks = new WeakMap();
  let ahead = 0; // this clock less the server's, in ms

  /** From two minutes on in minutes. */
  function ago(seconds, words) {
    return seconds < 120 ? words.seconds.replace("{n}", seconds) : words.minutes.replace("{n}", Math.floor(seconds / 60));
  }

  const now = () => Date.now() - ahead;

  function count() {
    for (const time of document.querySelectorAll("[data-ago]")) {
      const seconds = Math.max(0, Math.round((now() - Date.parse(time.dateTime)) / 1000));
      time.textContent = ago(seconds, time.closest("[data-seconds]").dataset);
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
});
