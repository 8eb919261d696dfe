/* The banner above every public page. It is a file of its own, so that a frozen page never changes when one is put up
   or taken down. Whatever else comes than a whole banner, or none, leaves the page as it is. */
"use strict";

(function () {
  const place = document.getElementById("banner");
  if (!place || !window.fetch) return;
  const EVERY = 60000;
  const SOONEST = 5000;
  const TONES = ["info", "wait", "stop"];
  const SVG = "http://www.w3.org/2000/svg";
  const ICONS = {
    info: "M12 21a9 9 0 100-18 9 9 0 000 18zM12 11v5.5M12 7.6v.2",
    wait: "M12 4L2.5 20h19zM12 10v4.5M12 17.2v.3",
    stop: "M12 4L2.5 20h19zM12 10v4.5M12 17.2v.3",
  };
  let shown = "";
  let lookedAt = 0;

  function isText(value) {
    return typeof value === "string";
  }

  /* A banner as this page knows it; the link leads nowhere but to a public page of ours. */
  function isBanner(said) {
    const texts = [said.title_zh, said.title_en, said.lead_zh, said.lead_en, said.url, said.url_en];
    const ours = (url) => /^\/p\/[-\w]+\/notices\/\d+\/(en\/)?$/.test(url);
    return Number.isInteger(said.number) && TONES.includes(said.tone) && texts.every(isText)
      && said.title_zh !== "" && ours(said.url) && ours(said.url_en);
  }

  function element(name, className, text, lang) {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (lang) made.lang = lang;
    if (text) made.textContent = text;
    return made;
  }

  function icon(tone) {
    const made = document.createElementNS(SVG, "svg");
    made.setAttribute("class", "icon");
    made.setAttribute("viewBox", "0 0 24 24");
    made.setAttribute("aria-hidden", "true");
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", ICONS[tone]);
    made.append(path);
    return made;
  }

  function link(said) {
    const english = document.documentElement.lang.startsWith("en");
    // A page that was published before may lack the word.
    const name = (place.dataset.notice ?? "{number}").replace("{number}", said.number);
    const made = element("a", "nb", name, english ? "en" : "zh-Hant-HK");
    made.href = english ? said.url_en : said.url;
    return made;
  }

  function show(said) {
    place.replaceChildren();
    place.className = "";
    if (!said || location.pathname.startsWith(said.url)) return;
    place.className = "banner " + said.tone;
    place.append(icon(said.tone), element("b", "", said.title_zh, "zh-Hant-HK"));
    if (said.lead_zh) place.append(element("span", "small", said.lead_zh, "zh-Hant-HK"));
    const last = element("span", "small");
    last.append(element("span", "en", [said.title_en, said.lead_en].filter(Boolean).join(". "), "en"), " ", link(said));
    place.append(last);
  }

  async function look() {
    lookedAt = Date.now();
    let said;
    try {
      const answer = await fetch(place.dataset.from, { credentials: "omit", cache: "no-cache" });
      if (!answer.ok) return;
      said = (await answer.json()).banner;
      if (said !== null && !isBanner(said)) return;
    } catch {
      return;
    }
    const now = JSON.stringify(said);
    if (now === shown) return;
    shown = now;
    show(said);
  }

  /* Once a minute while it is seen, not by all phones in one moment. */
  function again() {
    setTimeout(() => {
      if (!document.hidden) look();
      again();
    }, EVERY + Math.random() * EVERY / 3);
  }

  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && Date.now() - lookedAt > SOONEST) look();
  });
  look();
  again();
})();
