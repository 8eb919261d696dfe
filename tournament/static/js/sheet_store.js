/* What is typed of a sheet is kept in this browser until the server has it: figures, ticks and endings, never a name or
   a reason. One entry for each table, account and typing; desk.js erases what is older than a day or another account's. */
const sheetStore = (() => {
  const PREFIX = "sheet:"; // desk.js knows it too
  const DAY = 24 * 60 * 60 * 1000;
  const FIGURES = /^(other:)?(games-|totals-)|^tick-|^heading-(serial|same)$/;

  /** Whether a field holds a figure, a tick or an ending; all else may hold a person's name. */
  const isFigure = (name) => FIGURES.test(name);

  /** The figures of a form by their fields' names; a tick that is not set is "", and so is a choice that is not made. */
  function figuresOf(form) {
    const cells = {};
    for (const field of form.elements) {
      if (!field.name || !isFigure(field.name)) continue;
      if (field.type === "radio") cells[field.name] = field.checked ? field.value : cells[field.name] ?? "";
      else cells[field.name] = field.type === "checkbox" ? (field.checked ? field.value : "") : field.value;
    }
    return cells;
  }

  /** A figure back into its field. */
  function put(field, text) {
    if (field.type === "checkbox") field.checked = Boolean(text);
    else field.value = text;
  }

  const nameOf = ({ account, event, table, which }) => `${PREFIX}${account}:${event}:${table}:${which}`;

  /** Keep; false where the browser keeps nothing (full, or forbidden). */
  function keep(name, cells, now = Date.now()) {
    try {
      localStorage.setItem(name, JSON.stringify({ at: now, cells }));
      return true;
    } catch {
      return false;
    }
  }

  /** What was kept, if it can be read and is not older than a day. */
  function kept(name, now = Date.now()) {
    try {
      const found = JSON.parse(localStorage.getItem(name));
      return found && now - found.at < DAY && found.at <= now + DAY ? found : null;
    } catch {
      return null;
    }
  }

  /** The figures are on their way by a press; the next page that says it was done erases them (desk.js). */
  function onTheirWay(name) {
    const found = kept(name);
    if (found) localStorage.setItem(name, JSON.stringify({ ...found, sent: true }));
  }

  function drop(name) {
    try {
      localStorage.removeItem(name);
    } catch {
      // A browser that forbids it has kept nothing.
    }
  }

  return { isFigure, figuresOf, put, nameOf, keep, kept, onTheirWay, drop };
})();
