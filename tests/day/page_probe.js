/* Looks at the page that is open as a person who zooms, tabs and reads would: lists of sentences, empty where all is
   well. window.probe's functions are called one by one by the tests; nothing of the page is changed for good. */

(() => {
  "use strict";

  const FOCUSABLE = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex], [contenteditable]";
  const TEXT = 4.5;
  const LARGE = 3;
  const PART = 3;
  const style = (element, pseudo) => getComputedStyle(element, pseudo);

  /* --- What a thing is called in a finding ------------------------------------------------------------ */
  const nameOf = (element) => {
    const said = (element.textContent || element.value || element.name || "").trim().replace(/\s+/g, " ").slice(0, 24);
    const kind = element.classList.length ? `.${[...element.classList].join(".")}` : "";
    return `${element.localName}${element.id ? `#${element.id}` : ""}${kind} "${said}"`;
  };

  const shown = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }) &&
    [...element.getClientRects()].some((box) => box.width > 0 && box.height > 0);

  /* For eyes there is nothing of it: the words that only a screen reader says. */
  const unseen = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const found = style(one);
      if (found.clipPath === "inset(50%)") return true;
    }
    return false;
  };

  const texts = () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const holder = walker.currentNode.parentElement;
      if (!walker.currentNode.data.trim() || holder.closest("script, style, noscript, title, option, .skip")) continue;
      if (shown(holder) && !unseen(holder)) found.push(walker.currentNode);
    }
    return found;
  };

  const boxOf = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return range.getBoundingClientRect();
  };

  /* --- Colours: numbers from 0 to 1, WCAG 2's luminance and contrast ----------------------------------- */
  const colourOf = (said) => {
    const srgb = said.match(/^color\(srgb (.+)\)$/);
    const numbers = (said.match(/[\d.]+(?:e-?\d+)?/g) ?? []).map(Number);
    const [red, green, blue, alpha = 1] = numbers;
    if (said === "transparent" || numbers.length < 3) return [0, 0, 0, 0];
    return srgb ? [red, green, blue, alpha] : [red / 255, green / 255, blue / 255, alpha];
  };
  const over = (above, below) => [
    ...[0, 1, 2].map((part) => above[part] * above[3] + below[part] * (1 - above[3])),
    above[3] + below[3] * (1 - above[3]),
  ];
  const luminance = (colour) => {
    const [red, green, blue] = colour.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one, other) => {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };

  /* In a drawing a word lies on the bar just before it, if that is filled. */
  const groundOf = (element) => {
    const bar = element.matches("rect + text") ? style(element.previousElementSibling).fill : "none";
    return bar === "none" ? style(element).backgroundColor : bar;
  };

  /* What lies behind an element's content: its own background on those of its ancestors, on the browser's canvas. */
  const behind = (element) => {
    const layers = [];
    for (let one = element; one; one = one.parentElement) {
      const colour = colourOf(groundOf(one));
      layers.push([...colour.slice(0, 3), colour[3] * Number(style(one).opacity)]);
      if (layers.at(-1)[3] >= 1) break;
    }
    const dark = style(document.documentElement).colorScheme.includes("dark");
    const canvas = dark && !document.documentElement.dataset.theme ? [0.07, 0.07, 0.07, 1] : [1, 1, 1, 1];
    return layers.reverse().reduce((below, layer) => over(layer, below), canvas);
  };

  const strengthOf = (element) => {
    let strength = 1;
    for (let one = element; one; one = one.parentElement) strength *= Number(style(one).opacity);
    return strength;
  };

  const weak = (element, colour, wanted, what) => {
    const ground = behind(element);
    const [red, green, blue, alpha] = colourOf(colour);
    const reached = contrast(over([red, green, blue, alpha * strengthOf(element)], ground), ground);
    return reached + 0.005 < wanted ? [`${what} ${reached.toFixed(2)} < ${wanted}: ${nameOf(element)}`] : [];
  };

  /* What cannot be pressed or typed in need not be strong (WCAG 2, 1.4.3). */
  const disabled = (element) => element.closest("[disabled], [aria-disabled=true], fieldset:disabled") !== null;

  const wantedOf = (element) => {
    const size = parseFloat(style(element).fontSize);
    const bold = Number(style(element).fontWeight) >= 700;
    return size >= 24 || (bold && size >= 18.66) ? LARGE : TEXT;
  };

  const weakText = () => {
    const holders = new Set(texts().map((node) => node.parentElement));
    return [...holders].filter((holder) => !disabled(holder)).flatMap((holder) => {
      const colour = holder.closest("svg") ? style(holder).fill : style(holder).color;
      return weak(holder, colour, wantedOf(holder), "text");
    });
  };

  /* A cell of the scoresheet is drawn by its lines, as on paper; else a control has an edge of its own. */
  const edged = (element, around) =>
    element && parseFloat(style(element).borderTopWidth) > 0 &&
    contrast(over(colourOf(style(element).borderTopColor), around), around) + 0.005 >= PART;

  const weakFields = () =>
    [...document.querySelectorAll("input:not([type=hidden]), select, textarea, .btn:not(.plain)")]
      .filter((field) => shown(field) && !unseen(field) && !disabled(field) && !field.readOnly)
      .filter((field) => !["checkbox", "radio", "file", "range"].includes(field.type) || field.matches(".btn"))
      .flatMap((field) => {
        const found = [];
        if (field.value && !field.matches(".btn")) found.push(...weak(field, style(field).color, TEXT, "value"));
        if (field.placeholder) found.push(...weak(field, style(field, "::placeholder").color, TEXT, "placeholder"));
        const around = behind(field.parentElement);
        const strong = edged(field, around) || edged(field.closest("td, th"), around);
        if (!strong && contrast(behind(field), around) < PART) found.push(`border weak: ${nameOf(field)}`);
        return found;
      });

  /* --- The document and the names of what is in it ----------------------------------------------------- */
  const labelOf = (element) => {
    const by = (element.getAttribute("aria-labelledby") ?? "").split(" ").filter(Boolean);
    const words = (one) => [one.textContent, ...[...one.querySelectorAll("[aria-label], [alt], [title]")].map(
      (inner) => inner.getAttribute("aria-label") ?? inner.getAttribute("alt") ?? inner.getAttribute("title"))].join("");
    return [
      element.getAttribute("aria-label") ?? "",
      ...by.map((id) => document.getElementById(id)?.textContent ?? ""),
      ...[...(element.labels ?? [])].map(words),
      element.getAttribute("title") ?? "",
      element.matches("a, button, summary, [role=button], [role=link]") ? words(element) : "",
    ].join("").trim();
  };

  const document_ = (lang) => {
    const found = [];
    const said = (wrong, sentence) => (wrong ? found.push(sentence) : 0);
    const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
    const count = (selector) => document.querySelectorAll(selector).length;
    said(document.documentElement.lang !== lang, `lang is ${document.documentElement.lang}`);
    said(!document.title.trim() || document.title.startsWith("·"), `title "${document.title}"`);
    said(count("h1") !== 1, `h1: ${count("h1")}`);
    said(count("main") !== 1, `main: ${count("main")}`);
    ids.filter((id, place) => ids.indexOf(id) !== place).forEach((id) => found.push(`id twice: ${id}`));
    for (const element of document.querySelectorAll("[tabindex]")) said(element.tabIndex > 0, `tabindex: ${nameOf(element)}`);
    for (const image of document.querySelectorAll("img")) said(!image.hasAttribute("alt"), `no alt: ${image.src}`);
    for (const drawing of document.querySelectorAll("svg:not(.defs)")) {
      const quiet = drawing.closest("[aria-hidden=true]") || drawing.closest("[role=img][aria-label]");
      said(shown(drawing) && !quiet && !drawing.querySelector("title"), `drawing without words: ${nameOf(drawing.parentElement)}`);
    }
    for (const element of document.querySelectorAll(FOCUSABLE)) {
      const within = element.closest("[aria-hidden=true]") && element.tabIndex >= 0 && shown(element);
      said(within, `hidden from readers, yet reached: ${nameOf(element)}`);
      const region = !element.matches("a, button, input, select, textarea, summary, [role]");
      said(shown(element) && !region && !labelOf(element), `no name: ${nameOf(element)}`);
      said(shown(element) && region && element.tabIndex === 0, `reached, yet neither control nor region: ${nameOf(element)}`);
    }
    for (const attribute of ["aria-describedby", "aria-labelledby", "aria-controls", "for"]) {
      for (const element of document.querySelectorAll(`[${attribute}]`)) {
        const lost = element.getAttribute(attribute).split(" ").filter((id) => id && !document.getElementById(id));
        said(lost.length, `${attribute} leads nowhere (${lost}): ${nameOf(element)}`);
      }
    }
    for (const field of document.querySelectorAll("[aria-invalid=true]")) {
      said(shown(field) && !field.hasAttribute("aria-describedby"), `wrong without a sentence: ${nameOf(field)}`);
    }
    return found;
  };

  /* --- Zoomed in: what is too wide, what is cut off, what lies over the page --------------------------- */
  const cuts = (element) => ["hidden", "clip"].includes(style(element).overflowX);
  const scrolls = (element) =>
    ["auto", "scroll"].includes(style(element).overflowX) && element.scrollWidth > element.clientWidth + 1;

  const cutOff = (node) => {
    const text = boxOf(node);
    for (let one = node.parentElement; one && one !== document.body; one = one.parentElement) {
      const box = one.getBoundingClientRect();
      if (scrolls(one)) return false;
      if (cuts(one) && (text.right > box.right + 1.5 || text.left < box.left - 1.5)) return true;
      if (["hidden", "clip"].includes(style(one).overflowY) && text.bottom > box.bottom + 3) return true;
      if (style(one).position === "fixed") return false;
    }
    return text.left < -1 || text.right > innerWidth + 1;
  };

  const covering = () => {
    const stuck = [...document.querySelectorAll("body *")].filter((element) => {
      const { position } = style(element);
      if (!["sticky", "fixed"].includes(position) || !shown(element) || element.matches(".skip")) return false;
      return element.getBoundingClientRect().width > innerWidth / 2;
    });
    let high = 0;
    const rows = new Set();
    for (const element of stuck) {
      const box = element.getBoundingClientRect();
      for (let y = Math.max(0, Math.ceil(box.top)); y < Math.min(innerHeight, box.bottom); y += 1) rows.add(y);
    }
    high = rows.size;
    return high > innerHeight / 3 ? [`${high} of ${innerHeight} px stay covered: ${stuck.map(nameOf)}`] : [];
  };

  const fit = () => {
    const found = [];
    const wide = document.documentElement.scrollWidth;
    if (wide > innerWidth) found.push(`${wide} px wide`);
    for (const node of texts()) {
      if (cutOff(node)) found.push(`cut off: ${nameOf(node.parentElement)}`);
    }
    for (const box of document.querySelectorAll("body *")) {
      if (!scrolls(box) || !shown(box)) continue;
      const reached = box.tabIndex === 0 && box.hasAttribute("role") && labelOf(box);
      if (!reached && !box.querySelector(FOCUSABLE)) found.push(`scrolls, but not by keyboard: ${nameOf(box)}`);
    }
    scrollTo(0, document.documentElement.scrollHeight / 2);
    found.push(...covering());
    scrollTo(0, 0);
    return found;
  };

  /* --- By keyboard ------------------------------------------------------------------------------------- */
  const tabStops = () => {
    const groups = new Set();
    return [...document.querySelectorAll(FOCUSABLE)].filter((element) => {
      if (element.tabIndex < 0 || element.disabled || !shown(element)) return false;
      if (element.localName === "summary" && element.parentElement.firstElementChild !== element) return false;
      if (element.type !== "radio") return true;
      const group = [...document.querySelectorAll("input[type=radio]")].filter(
        (one) => one.name === element.name && one.form === element.form);
      const stop = group.find((one) => one.checked) ?? element;
      if (stop !== element || groups.has(`${element.form?.action} ${element.name}`)) return false;
      return Boolean(groups.add(`${element.form?.action} ${element.name}`)) || true;
    });
  };

  const MARKS = ["outlineStyle", "outlineColor", "outlineWidth", "boxShadow", "borderTopColor", "backgroundColor", "textDecoration"];
  const marksOf = (element) => MARKS.map((mark) => style(element)[mark]).join("|");
  const ringOf = (element) => {
    const found = style(element);
    if (found.outlineStyle === "none" || parseFloat(found.outlineWidth) < 2) return null;
    const ground = behind(parseFloat(found.outlineOffset) < 0 ? element : element.parentElement ?? element);
    return contrast(over(colourOf(found.outlineColor), ground), ground);
  };

  /* What eyes see of a control: an unseen radio's or file's mark is on its label, a seat's on its row. */
  const seenOf = (element) => {
    const row = element.closest("li:has(:focus-visible)");
    if (row && ringOf(element) === null && ringOf(row) !== null) return row;
    return unseen(element) || Number(style(element).opacity) === 0 ? element.labels?.[0] ?? element : element;
  };

  const lookAt = (element) => {
    const found = [];
    document.activeElement?.blur();
    const before = new Map([element, element.labels?.[0], element.closest("li")].map((one) => [one, one && marksOf(one)]));
    element.focus();
    const seen = seenOf(element);
    if (document.activeElement !== element) return [`takes no focus: ${nameOf(element)}`];
    if (marksOf(seen) === before.get(seen)) found.push(`focus does not show: ${nameOf(element)}`);
    const ring = ringOf(seen);
    if (ring === null) found.push(`no ring: ${nameOf(element)}`);
    else if (ring < PART) found.push(`ring ${ring.toFixed(2)} < ${PART}: ${nameOf(element)}`);
    const box = seen.getBoundingClientRect();
    const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
    const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)];
    const small = box.height < innerHeight / 2 && box.width < innerWidth && element.localName !== "textarea";
    if (bottom <= top || right <= left) return [...found, `focused out of sight: ${nameOf(element)}`];
    if (small && (bottom - top < box.height - 2 || right - left < box.width - 2)) found.push(`half out of sight (${[box.left, box.top, box.right, box.bottom].map(Math.round)}): ${nameOf(element)}`);
    const inner = document.createRange();
    inner.selectNodeContents(seen);
    const drawn = seen.localName === "a" ? inner : seen;
    const parts = [...drawn.getClientRects()].filter((part) => part.bottom > 0 && part.top < innerHeight);
    const places = parts.flatMap((part) => [0.2, 0.5, 0.8].map((share) => [
      Math.min(Math.max(part.left + part.width * share, 0), innerWidth - 1),
      Math.min(Math.max(part.top + part.height * share, 0), innerHeight - 1)]));
    const clear = places.filter(([x, y]) => {
      const top_ = document.elementFromPoint(x, y);
      return top_ && (seen.contains(top_) || top_.contains(seen) || element.contains(top_) || top_.closest("label")?.control === element);
    });
    if (clear.length < (small ? places.length : 1)) {
      const [x, y] = places.find((place) => !clear.includes(place));
      found.push(`covered by ${nameOf(document.elementFromPoint(x, y) ?? document.body)}: ${nameOf(element)}`);
    }
    return found;
  };

  const rings = () =>
    tabStops().flatMap((element) => {
      element.focus();
      const ring = ringOf(seenOf(element));
      return ring === null || ring < PART ? [`ring ${ring?.toFixed(2)} < ${PART}: ${nameOf(element)}`] : [];
    });

  const focus = () => {
    const found = tabStops().flatMap(lookAt);
    document.activeElement?.blur();
    scrollTo(0, 0);
    return found;
  };

  /* The stops in the page's order, and then those that the Tab key really came to. */
  let visited = [];
  const beginTabbing = () => {
    visited = [];
    /* A list that asks for itself anew each second would put other elements in the place of those that Tab came to. */
    window.fetch = () => new Promise(() => {});
    /* The first press starts at the top of the page, wherever the page has put the focus. */
    const top = document.createElement("span");
    top.tabIndex = -1;
    document.body.prepend(top);
    top.focus({ preventScroll: true });
    top.remove();
    document.addEventListener("focusin", (event) => visited.push(event.target));
    const stops = tabStops();
    const parts = stops.filter((stop) => /^(date|time|datetime-local)$/.test(stop.type ?? "")).length;
    return stops.length + 6 * parts + 4;
  };
  const endTabbing = () => {
    const stops = tabStops();
    const came = visited.filter((one, place) => visited.indexOf(one) === place);
    const reached = came.filter((one) => stops.includes(one));
    const missed = stops.filter((one) => !reached.includes(one));
    const found = missed.map((one) => `Tab never comes to ${nameOf(one)}`);
    if (!missed.length) {
      const place = stops.findIndex((one, at) => one !== reached[at]);
      if (place >= 0) found.push(`Tab comes to ${nameOf(reached[place])} before ${nameOf(stops[place])}`);
    }
    return found;
  };

  const open = () => document.querySelectorAll("details").forEach((one) => { one.open = true; });
  const paint = () => [...weakText(), ...weakFields()];

  /* The page's own observers run a frame after it has loaded or changed its size: each question waits for them. */
  const settled = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done([]))));
  const afterObservers = (question) => async (...given) => {
    await settled();
    return question(...given);
  };
  const questions = { document: document_, fit, focus, beginTabbing, endTabbing, paint, rings };
  const asked = Object.entries(questions).map(([name, question]) => [name, afterObservers(question)]);
  window.probe = { ...Object.fromEntries(asked), open, settled };
})();
