/* Agreeing: the sheet as the paper shows it, handed to the players, each of whom signs in their own field; then the receipt. */

import { action, openDialog, reasonParts } from "./ask.js";
import { lengthOf, numberTile } from "./entry.js";
import { isHandedIn } from "./game.js";
import { icon, note } from "./icon.js";
import { paperElement } from "./paper.js";
import { placeOf, sentence, toConfirm, toMend } from "./problems.js";
import { inkElement, signatureField } from "./sign.js";
import { REASONS, markTexts } from "./texts.js";
import { make } from "./tile.js";
import { fill, gettext, labels, pgettext, shownLanguage } from "./words.js";

const QUICK = 2000;
const PASSED_ON = 2000; // ms in which a tablet goes from one player to the next
export const TAP = 400; // ms after which a finger that is up has pressed nothing

/** The screen. `look()` is the view of now; `acts` are what the panel does: close(), openGame(place), confirm(problems),
    handOut(), takeBack(), sign({letter, strokes, made_at}), dispute(body). Gives {element, update()}. */
export function agreeScreen({ look, acts }) {
  const screen = { look, acts, element: make("section", { class: "judge agree" }), letter: "", checked: false, field: null, pressed: null, warning: "", drawn: "", part: "", free: 0 };
  const update = () => {
    const view = look();
    if (screen.field?.busy() || screen.pressed) return;
    const key = JSON.stringify([shownLanguage(), screen.part, isFree(screen), view.online, view.handedOut, view.signatures.map(({ letter }) => letter), view.table.sheet, Boolean(view.signedHere), view.seats, view.typed, view.confirmations, screen.letter, screen.checked, screen.warning, view.disputed, view.elsewhere]);
    if (key === screen.drawn) return;
    screen.drawn = key;
    screen.element.dataset.part = partOf(screen, view);
    screen.element.replaceChildren(...partsOf(screen, view));
    if (!screen.element.contains(screen.field?.element ?? null)) screen.field = null;
  };
  screen.update = update;
  keepWhatIsPressed(screen);
  update();
  return { element: screen.element, update };
}

/** A button under a finger stays that button until the tap has come, whatever the network says meanwhile. */
function keepWhatIsPressed(screen) {
  screen.element.addEventListener("pointerdown", () => {
    const pressed = {};
    const lifted = new AbortController();
    const letGo = () => {
      if (screen.pressed === pressed) screen.pressed = null;
      screen.update();
    };
    const lift = () => {
      lifted.abort();
      setTimeout(letGo, TAP);
    };
    screen.pressed = pressed;
    for (const up of ["pointerup", "pointercancel"]) addEventListener(up, lift, { signal: lifted.signal });
  });
  screen.element.addEventListener("click", () => (screen.pressed = null), { capture: true });
}

function partsOf(screen, view) {
  const ended = view.table.locked || view.signedHere;
  if (!ended && (view.disputed || view.elsewhere)) {
    const said = view.disputed
      ? note("stop", gettext("In dispute"), gettext("The chief judge decides; then all sign."))
      : note("stop", gettext("The sheet was changed elsewhere"), gettext("Your figures and the desk's differ. Compare, then choose."));
    return [headElement(view), partsElement(screen, view), paperElement(view.seats, view.checked), said, footElement(screen, view, true)];
  }
  return [
    headElement(view),
    partsElement(screen, view),
    paperElement(view.seats, view.checked),
    ...(ended ? [] : view.handedOut ? bindingNotes(screen, view) : beforeParts(screen, view)),
    ...(view.handedOut || ended || view.signatures.length ? [signsElement(screen, view)] : []),
    ...(ended ? [endElement(view)] : []),
    footElement(screen, view, ended),
  ];
}

/* --- On a phone one player's part at a time --------------------------------------------------------------- */

/** Whose part a phone shows: as chosen, else of who signs now or next. */
function partOf(screen, view) {
  const letters = view.seats.map(({ letter }) => letter);
  const next = view.handedOut ? unsigned(view)[0] : "";
  return [screen.part, screen.letter, next].find((letter) => letters.includes(letter)) ?? letters[0] ?? "";
}

/** Before, whose, after; only a phone shows it. */
function partsElement(screen, view) {
  const { seats } = view;
  const at = seats.findIndex(({ letter }) => letter === partOf(screen, view));
  const step = (by, word) => {
    const to = seats[at + by];
    const button = action(word, () => {
      screen.part = to.letter;
      screen.update();
    });
    if (!to) button.setAttribute("aria-disabled", "true");
    return button;
  };
  const who = seats[at] ? `${fill(gettext("Player %(seat)s"), { seat: seats[at].letter })} ${seats[at].name}` : "";
  return make("nav", { class: "row keep parts", "aria-label": gettext("Scoresheet as on paper") }, step(-1, pgettext("player", "Previous")), make("b", { class: "grow" }, who), step(1, pgettext("player", "Next")));
}

/** Who signs: everybody seated who has neither stayed away nor left. */
export const signers = (seats) => seats.filter((seat) => seat.signs).map((seat) => seat.letter);

/** Who has yet to sign. */
export function unsigned({ seats, signatures, table }) {
  const done = [...signatures.map(({ letter }) => letter), ...table.sheet.signed];
  return signers(seats).filter((letter) => !done.includes(letter));
}

function headElement(view) {
  const { table, session, referee } = view;
  const final = session.stage === "final";
  const titles = { preliminary: gettext("Scoresheet of the preliminary"), final: gettext("Scoresheet of the final") };
  const facts = { session: final ? labels().final[session.round || 0] : session.number_of_day, table: table.number, referee: referee?.name ?? "\u2013", serial: table.serial };
  const [kind, state] = stateOf(view);
  const badge = make("span", { class: `badge ${kind}` }, state);
  const said = final
    ? gettext("%(session)s, table %(table)s, referee %(referee)s, sheet %(serial)s")
    : gettext("Session %(session)s, table %(table)s, referee %(referee)s, sheet %(serial)s");
  const head = make("h1", {}, titles[session.stage] ?? gettext("Scoresheet"));
  const title = make("div", { class: "grow" }, head, make("p", { class: "small quiet" }, fill(said, facts)));
  return make("div", { class: "row keep" }, numberTile(table.number, "m"), title, badge);
}

/** How the sheet stands: a badge's kind and its word. */
function stateOf(view) {
  const { table } = view;
  const all = signers(view.seats).length;
  if (table.locked) return ["done", labels().states[table.sheet.state]];
  if (view.disputed) return ["stop", gettext("In dispute")];
  if (view.signedHere) return ["wait", gettext("Signed here, not yet recorded")];
  return ["live", fill(gettext("to sign %(signed)s / %(all)s"), { signed: all - unsigned(view).length, all })];
}

/* --- Before the players hold it -------------------------------------------------------------------------- */

function beforeParts(screen, view) {
  const { checked, confirmations } = view;
  const voided = view.voided ? [note("wait", gettext("The sheet was changed: the signatures are void and all sign again."))] : [];
  const open = view.typed.games.map((game, place) => ({ game, place })).filter(({ game, place }) => !isHandedIn(game, view.sent.games[place]));
  const mends = toMend(checked.problems).filter((one) => !open.some(({ place }) => placeOf(one).game === place));
  const waits = waitRows(view);
  const looks = toConfirm(checked.problems, confirmations);
  const later = waits.length && !view.online ? [note("wait", gettext("The players may sign now."), gettext("The sheet is locked once the desk has recorded who did not come or left."))] : [];
  const still = view.online ? waits : [];
  if (!open.length && !mends.length && !looks.length && !still.length) {
    const why = gettext("Whoever finds a mistake says so now. Then hand the tablet to the players.");
    return [...voided, ...later, note("live", gettext("Read the sheet together first."), why)];
  }
  const rows = [
    ...still.map((said) => faultRow(said)),
    ...open.map(({ place }) => faultRow(fill(gettext("Game %(game)s is not recorded yet."), { game: place + 1 }), gameAct(screen, place))),
    ...mends.map((one) => faultRow(sentence(one), gameAct(screen, placeOf(one).game))),
    ...looks.map((one) => faultRow(sentence(one), action(gettext("It is so"), () => screen.acts.confirm([one])))),
  ];
  return [...voided, note("wait", gettext("Before signing"), "", make("div", { class: "stack tight grow" }, ...rows))];
}

/** What the desk has still to record before the sheet can lock. */
const waitRows = ({ seats }) =>
  seats.filter((seat) => seat.waits).map(({ letter, waits }) => fill(gettext("%(seat)s %(mark)s: the desk is still to record it."), { seat: letter, mark: markTexts()[waits] }));

const faultRow = (said, act) => make("div", { class: "row keep" }, make("span", { class: "grow" }, said), ...(act ? [act] : []));

function gameAct(screen, place) {
  return place === null ? null : action(fill(gettext("Mend game %(game)s"), { game: place + 1 }), () => screen.acts.openGame(place));
}

/** Nothing stands against handing it out. */
const isReady = ({ typed, sent, checked, confirmations, seats, online }) =>
  !(online && seats.some((seat) => seat.waits)) && typed.games.every((game, place) => isHandedIn(game, sent.games[place])) && !toMend(checked.problems).length && !toConfirm(checked.problems, confirmations).length;

/* --- In the players' hands ------------------------------------------------------------------------------- */

function bindingNotes(screen, view) {
  if (screen.warning) return [note("wait", screen.warning)];
  const why = gettext("A mistake? Tell the referee before signing. In the players' hands nothing can be changed.");
  return [note("wait", gettext("A signature confirms the result; no appeal is taken afterwards."), why)];
}

function signsElement(screen, view) {
  const fields = view.seats.map((seat) => {
    const element = signElement(screen, view, seat);
    element.dataset.letter = seat.letter;
    return element;
  });
  return make("div", { class: "signs" }, ...fields);
}

function signElement(screen, view, seat) {
  const { signatures, table } = view;
  const { letter, name } = seat;
  const who = make("b", { class: lengthOf(name) }, `${letter} ${name}`);
  if (!seat.signs) return box("", who, make("span", {}, gettext("Left: does not sign")), make("span", { class: "badge" }, pgettext("panel", "not playing")));
  const drawn = signatures.find((one) => one.letter === letter);
  if (drawn) {
    const ink = inkElement(drawn.strokes, fill(gettext("Signature of %(seat)s"), { seat: letter }));
    return box("ok", who, ink, make("span", { class: "badge done" }, fill(gettext("signed %(time)s"), { time: view.clockText(drawn.made_at) })));
  }
  if (table.sheet.signed.includes(letter) || view.table.locked) return box("ok", who, icon("tick"), make("span", { class: "badge done" }, labels().states.signed));
  if (!view.handedOut) return box("", who, make("span", {}, pgettext("signature", "waiting")), make("span", { class: "badge" }, gettext("not signed")));
  if (screen.letter !== letter) return waitingElement(screen, view, letter, who);
  return screen.checked ? fieldElement(screen, view, letter, who) : checkElement(screen, view, seat, who);
}

const box = (kind, who, inside, foot) => make("div", { class: `sign ${kind}`.trim() }, who, make("div", { class: "box" }, inside), foot);

function waitingElement(screen, view, letter, who) {
  const open = make("button", { type: "button", class: "box" }, pgettext("signature", "waiting"), make("br"), fill(gettext("Press: %(seat)s signs"), { seat: letter }));
  open.addEventListener("click", () => {
    Object.assign(screen, { letter, part: letter, checked: false, field: null });
    screen.update();
  });
  return make("div", { class: "sign" }, who, open, make("span", { class: "badge" }, gettext("not signed")));
}

/** After one has signed the tablet goes to the next: no hand opens two fields at once. */
const isFree = (screen) => performance.now() >= screen.free;

/** The referee says who is signing before there is a field to sign in. */
function checkElement(screen, view, { letter, name }, who) {
  const yes = action(fill(isFree(screen) ? gettext("Yes, this is %(seat)s") : gettext("Pass the tablet to %(seat)s"), { seat: letter }), () => {
    screen.checked = true;
    screen.update();
  }, "primary");
  if (!isFree(screen)) yes.setAttribute("aria-disabled", "true");
  return make("div", { class: "sign now" }, who, make("div", { class: "box ask" }, fill(gettext("Referee: is this %(seat)s %(name)s in person?"), { seat: letter, name })), yes);
}

function fieldElement(screen, view, letter, who) {
  const hint = make("span", { class: "small quiet hint", "aria-live": "polite" }, fill(gettext("%(seat)s signs here with a finger"), { seat: letter }));
  const done = action(fill(gettext("%(seat)s has signed"), { seat: letter }), () => finish(screen, letter), "primary grow");
  const ready = () => {
    const { drawn, good } = screen.field;
    done.setAttribute("aria-disabled", String(!good()));
    hint.textContent = drawn() && !good() ? gettext("Not a signature yet: a dot or a line does not count.") : fill(gettext("%(seat)s signs here with a finger"), { seat: letter });
  };
  // Drawn again, because the network came or went: what the player has drawn so far stays, for these figures alone.
  const about = JSON.stringify([letter, view.typed, view.confirmations, view.seats]);
  if (screen.field?.about !== about) screen.field = signatureField(about);
  screen.field.show(fill(gettext("Signature of %(seat)s"), { seat: letter }), ready);
  const foot = make("div", { class: "row tight keep" }, action(pgettext("signature", "Clear"), () => screen.field.clear()), done);
  return make("div", { class: "sign now" }, who, make("div", { class: "box" }, screen.field.element, hint), foot);
}

async function finish(screen, letter) {
  const view = screen.look();
  const at = view.now();
  const before = view.signatures.at(-1);
  const quick = before && at - Date.parse(before.made_at) < QUICK;
  screen.warning = quick ? fill(gettext("%(seat)s signed within 2 seconds of %(other)s: did each sign in person? It is noted."), { seat: letter, other: before.letter }) : "";
  const strokes = screen.field.strokes();
  Object.assign(screen, { letter: "", part: "", checked: false, field: null, free: performance.now() + PASSED_ON });
  setTimeout(screen.update, PASSED_ON + 20);
  await screen.acts.sign({ letter, strokes, made_at: new Date(at).toISOString() });
  screen.update();
}

/* --- At the end ------------------------------------------------------------------------------------------ */

function endElement({ table }) {
  if (!table.receipt) {
    const words_ = make("div", {}, make("h2", {}, gettext("Signed here, not yet recorded")), make("p", { class: "small" }, gettext("Kept on this tablet; it is sent when the network is there. Nothing to do until then.")));
    return make("section", { class: "verdict is-no", role: "status" }, make("span", {}, icon("pen")), words_);
  }
  const code = `${table.receipt.slice(0, 4)}-${table.receipt.slice(4)}`;
  const lock = icon("lock");
  lock.classList.add("lock");
  return make(
    "section", { class: "verdict", role: "status" }, make("span", {}, lock),
    make("div", {}, make("h2", {}, gettext("Received and locked")), make("p", { class: "small" }, gettext("Only a correction by two people at the desk can change it. The players may write down the receipt code."))),
    make("div", {}, make("span", { class: "small quiet" }, gettext("Receipt code")), make("br"), make("span", { class: "code" }, code)),
  );
}

function footElement(screen, view, ended) {
  const { table } = view;
  const row = make("div", { class: "row keep judge-foot" });
  const back = action(fill(gettext("Back to table %(table)s"), { table: table.number }), () => screen.acts.close());
  const refuse = action(gettext("Refuses to sign, or disputes"), () => askDispute(screen, view));
  refuse.prepend(icon("hand"));
  const home = action(gettext("Back to the referee (PIN)"), () => screen.acts.takeBack());
  home.prepend(icon("lock"));
  if (view.handedOut) {
    row.append(make("span", { class: "small quiet grow" }, gettext("The referee stays and sees that each signs in person.")), ...languageActs(screen), ...(ended ? [] : [refuse]), home);
    return row;
  }
  row.append(back, make("span", { class: "grow" }));
  if (ended) return row;
  const handOut = () => {
    screen.part = "";
    return screen.acts.handOut();
  };
  const out = action(gettext("Hand to the players to sign"), handOut, "big primary");
  out.setAttribute("aria-disabled", String(!isReady(view)));
  row.append(refuse, out);
  return row;
}

/** The page in the other language, in place: the bar is not there now. */
function languageActs({ acts }) {
  const other = acts.otherLanguage?.();
  if (!other) return [];
  const turn = action(other.name, () => acts.turnLanguage(), "plain");
  turn.lang = other.lang;
  return [turn];
}

function askDispute(screen, view) {
  const dispute = async (reason) => {
    await screen.acts.dispute({ reason });
    dialog.close();
  };
  const parts = [make("p", {}, gettext("The chief judge decides; all sign again afterwards.")), ...reasonParts(REASONS.dispute(), gettext("Send to the chief judge"), dispute, "danger")];
  const dialog = openDialog(screen.element, gettext("To the chief judge, before signing"), parts, { closing: pgettext("panel", "Cancel") });
}
