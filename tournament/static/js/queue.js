/* The chief judge's queue: asked for anew every three seconds, put in its place when it has changed, what is being
   typed kept, also over another form that is sent and a sign-in that has ended. A new call is heard once somebody has pressed for the sound, as browsers want it. */
onPagesWith("queue", () => {
  const EVERY = 3000;
  const LIST = "#queue";
  const title = document.title.replace(/^\(\d+\) /, "");
  const trouble = document.querySelector("[data-trouble]");
  const signedOut = document.querySelector("[data-signed-out]");
  const button = document.querySelector("[data-sound]");
  const KEPT = `queue ${window.location.pathname.replace(/queue\/.*$/, "queue/")}`;
  let mark = "";
  let heard = Number(document.querySelector(LIST).dataset.newest);
  let sound = null;

  /** Two short tones, the second higher. */
  function ring() {
    if (!sound) return;
    [[660, 0], [880, 0.22]].forEach(([pitch, after]) => {
      const tone = sound.createOscillator();
      const loud = sound.createGain();
      const begins = sound.currentTime + after;
      tone.frequency.value = pitch;
      loud.gain.setValueAtTime(0.3, begins);
      loud.gain.exponentialRampToValueAtTime(0.001, begins + 0.2);
      tone.connect(loud).connect(sound.destination);
      tone.start(begins);
      tone.stop(begins + 0.2);
    });
  }

  /** On by a press, off by another; pressed on it rings once, so that one knows. */
  function turnSound() {
    if (sound) {
      sound.close();
      sound = null;
    } else {
      sound = new AudioContext();
      ring();
    }
    button.setAttribute("aria-pressed", String(sound !== null));
  }

  /** What is typed in the list, and where the cursor stands. */
  function typedIn(list) {
    const fields = [...list.querySelectorAll("input[name='answer'], input[name='reason']")];
    const here = fields.find((field) => field === document.activeElement);
    return {
      texts: fields.map((field) => [field.id, field.value]),
      cursor: here ? [here.id, here.selectionStart, here.selectionEnd] : null,
    };
  }

  /** Put it back where its call still waits. */
  function typeAgain({ texts, cursor }) {
    texts.forEach(([id, text]) => {
      const field = document.getElementById(id);
      if (field && text) field.value = text;
    });
    const field = cursor && document.getElementById(cursor[0]);
    if (field) {
      field.focus();
      field.setSelectionRange(cursor[1], cursor[2]);
    }
  }

  /** The new list in the place of the old; what its forms lack of the page's script is not missed. */
  function show(text) {
    const list = document.querySelector(LIST);
    const piece = new DOMParser().parseFromString(text, "text/html").querySelector(LIST);
    if (!piece) return window.location.reload();
    const typed = typedIn(list);
    list.replaceWith(piece);
    typeAgain(typed);
    const waiting = Number(piece.dataset.waiting);
    document.title = waiting ? `(${waiting}) ${title}` : title;
    const newest = Number(piece.dataset.newest);
    if (newest > heard) ring();
    heard = Math.max(heard, newest);
  }

  /** Ask once, and again later whatever came of it. */
  async function look() {
    try {
      const headers = { "X-Live": "1", ...(mark ? { "If-None-Match": mark } : {}) };
      const address = window.location.pathname.replace(/queue\/.*$/, "queue/");
      const answer = await fetch(address, { headers, cache: "no-store" });
      const isOut = answer.redirected || (answer.status >= 400 && answer.status < 500);
      signedOut.hidden = !isOut;
      if (answer.status === 200 && !isOut) {
        mark = answer.headers.get("ETag") || "";
        show(await answer.text());
      }
      trouble.hidden = isOut || answer.ok || answer.status === 304;
    } catch {
      trouble.hidden = false;
    }
    window.setTimeout(look, EVERY + Math.random() * 300);
  }

  /** A form of the list is sent: what stands in the others is there again on the page that follows. */
  function keepOthers({ target }) {
    if (!target.closest(LIST)) return;
    const { texts } = typedIn(document.querySelector(LIST));
    const own = new Set([...target.elements].map((field) => field.id));
    sessionStorage.setItem(KEPT, JSON.stringify(texts.filter(([id, text]) => text && !own.has(id))));
  }

  typeAgain({ texts: JSON.parse(sessionStorage.getItem(KEPT) || "[]"), cursor: null });
  sessionStorage.removeItem(KEPT);
  document.addEventListener("submit", keepOthers);
  button.hidden = false;
  button.addEventListener("click", turnSound);
  window.setTimeout(look, EVERY);
});
