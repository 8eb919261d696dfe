/* The scan beside the fields: larger, smaller, turned; a file dropped on it is attached. A photo is made as small as the
   server keeps it and sent beside the page, so that nothing that is typed is touched. Without this file the scan is shown
   whole, opens in a window of its own, and is chosen by the file field. */
onPagesWith("scan", () => {
  const LARGEST = 4;
  const LONGEST_SIDE = 2600; // as the server keeps it
  const SMALL = 1024 * 1024; // bytes that need no shrinking
  const QUALITY = 0.85;

  /** The photo with its longest side of at most 2,600 dots, upright; as it came where this browser cannot read it. */
  async function shrunk(file) {
    if (!file.type.startsWith("image/") || file.size < SMALL) return file;
    try {
      const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
      const scale = Math.min(1, LONGEST_SIDE / Math.max(picture.width, picture.height));
      const canvas = document.createElement("canvas");
      canvas.width = Math.round(picture.width * scale);
      canvas.height = Math.round(picture.height * scale);
      const pen = canvas.getContext("2d");
      pen.fillStyle = "white";
      pen.fillRect(0, 0, canvas.width, canvas.height);
      pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
      picture.close();
      const small = await new Promise((done) => { canvas.toBlob(done, "image/jpeg", QUALITY); });
      return small && small.size < file.size ? small : file;
    } catch {
      return file;
    }
  }

  /** Send a form's data; `moved` hears the share that is sent. Status 0 where the network failed. */
  function send(address, body, moved) {
    return new Promise((done) => {
      const request = new XMLHttpRequest();
      request.open("POST", address);
      request.setRequestHeader("X-Live", "1");
      request.upload.addEventListener("progress", (event) => moved(event.loaded / event.total));
      request.addEventListener("loadend", () => done(request));
      request.send(body);
    });
  }

  function begin(card) {
    let sending = false;
    let sent = 0; // each scan that was kept has used a key up

    const word = (name) => card.querySelector(`[data-word=${name}]`).textContent.trim();

    function say(text) {
      const line = card.querySelector("[data-progress]");
      line.hidden = false;
      line.textContent = text;
    }

    /** Shrink, send, and show the new card in this one's place; every word about it stands in the card. */
    async function attach() {
      const field = card.querySelector("input[type=file]");
      const form = document.getElementById("scan");
      if (!field.files.length) {
        say(word("none"));
        return;
      }
      say(word("shrinking"));
      const body = new FormData(form);
      const key = form.elements.request_key.value;
      body.set("request_key", sent ? `${key}.${sent}` : key);
      body.set("scan", await shrunk(field.files[0]), field.files[0].name);
      const answer = await send(form.action, body, (share) => say(`${word("sending")} ${Math.round(share * 100)}%`));
      shown(answer);
    }

    function shown(answer) {
      if (answer.status === 200 && answer.responseText.includes('id="scan-of-paper"')) {
        const fresh = new DOMParser().parseFromString(answer.responseText, "text/html").getElementById("scan-of-paper");
        card.replaceChildren(...fresh.childNodes);
        sent += 1;
        document.querySelectorAll("a[href='#scan-of-paper']").forEach((link) => { link.hidden = false; });
        say(word("kept"));
        return;
      }
      let said = "";
      try {
        ({ said } = JSON.parse(answer.responseText));
      } catch {
        said = "";
      }
      say(said || word("lost"));
    }

    card.addEventListener("click", (event) => {
      const view = card.querySelector("[data-view]");
      const zoom = event.target.closest("[data-zoom]");
      if (zoom) view.dataset.size = Math.min(LARGEST, Math.max(1, Number(view.dataset.size) + Number(zoom.dataset.zoom)));
      if (event.target.closest("[data-turn]")) view.dataset.turned = (Number(view.dataset.turned) + 1) % 4;
      if (!event.target.closest("[data-attach]")) return;
      event.preventDefault();
      if (sending) return;
      sending = true;
      attach().finally(() => { sending = false; });
    });
    if (!card.querySelector("input[type=file]")) return;
    ["dragover", "dragenter"].forEach((name) => {
      card.addEventListener(name, (event) => {
        event.preventDefault();
        card.classList.add("over");
      });
    });
    card.addEventListener("dragleave", () => card.classList.remove("over"));
    card.addEventListener("drop", (event) => {
      event.preventDefault();
      card.classList.remove("over");
      card.querySelector("input[type=file]").files = event.dataTransfer.files;
    });
  }

  document.querySelectorAll("[data-scan]").forEach(begin);
});
