/* Agreeing: the sheet as the paper shows it, handed to the players, each of whom signs in their own field; then the receipt. */

import { action, openDialog, reasonParts } from "./ask.js";
import { lengthOf, numberTile } from "./entry.js";
import { isHandedIn } from "./game.js";
import { icon, note } from "./icon.js";
import { paperElement } from "./paper.js";
import { placeOf, sentence, toConfirm, toMend } from "./problems.js";
import { inkElement, signatureField } from "./sign.js";
import { make } from "./tile.js";
import { fill } from "./words.js";

const QUICK = 2000;
const PASSED_ON = 2000; // ms in which a tablet goes from one player to the next

/** The screen. `look()` is the view of now; `acts` are what the panel does: close(), openGame(place), confirm(problems),
    handOut(), takeBack(), sign({letter, strokes, made_at}), dispute(body). Gives {element, update()}. */
export function agreeScreen({ look, acts }) {
  const screen = { look, acts, element: make("section", { class: "judge agree" }), letter: "", checked: false, field: null, warning: "", drawn: "", part: "", free: 0 };
  const update = () => {
    const view = look();
    const { words } = view;
    if (screen.field?.busy()) return;
    const key = JSON.stringify([words.language, screen.part, isFree(screen), view.online, view.handedOut, view.signatures.map(({ letter }) => letter), view.table.sheet, Boolean(view.signedHere), view.seats, view.typed, view.confirmations, screen.letter, screen.checked, screen.warning, view.disputed, view.elsewhere]);
    if (key === screen.drawn) return;
    screen.drawn = key;
    screen.element.dataset.part = partOf(screen, view);
    screen.element.replaceChildren(...partsOf(screen, view));
  };
  screen.update = update;
  update();
  return { element: screen.element, update };
}

function partsOf(screen, view) {
  const ended = view.table.locked || view.signedHere;
  const { words } = view;
  if (!ended && (view.disputed || view.elsewhere)) {
    const said = view.disputed ? note("stop", words.disputed, words.disputed_why) : note("stop", words.elsewhere, words.elsewhere_why);
    return [headElement(view), partsElement(screen, view), paperElement(view.seats, view.checked, words), said, footElement(screen, view, true)];
  }
  return [
    headElement(view),
    partsElement(screen, view),
    paperElement(view.seats, view.checked, view.words),
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
  const { words, seats } = view;
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
  const who = seats[at] ? `${fill(words.part_of, { seat: seats[at].letter })} ${seats[at].name}` : "";
  return make("nav", { class: "row keep parts", "aria-label": words.paper }, step(-1, words.part_before), make("b", { class: "grow" }, who), step(1, words.part_after));
}

/** Who signs: everybody seated who has neither stayed away nor left. */
export const signers = (seats) => seats.filter((seat) => seat.signs).map((seat) => seat.letter);

/** Who has yet to sign. */
export function unsigned({ seats, signatures, table }) {
  const done = [...signatures.map(({ letter }) => letter), ...table.sheet.signed];
  return signers(seats).filter((letter) => !done.includes(letter));
}

function headElement(view) {
  const { words, table, session, referee } = view;
  const final = session.stage === "final";
  const facts = { session: final ? words.final[session.round || 0] : session.number_of_day, table: table.number, referee: referee?.name ?? "\u2013", serial: table.serial };
  const [kind, state] = stateOf(view);
  const badge = make("span", { class: `badge ${kind}` }, state);
  const title = make("div", { class: "grow" }, make("h1", {}, final ? words.agree_title_final : words.agree_title), make("p", { class: "small quiet" }, fill(final ? words.agree_facts_final : words.agree_facts, facts)));
  return make("div", { class: "row keep" }, numberTile(table.number, words, "m"), title, badge);
}

/** How the sheet stands: a badge's kind and its word. */
function stateOf(view) {
  const { words, table } = view;
  const all = signers(view.seats).length;
  if (table.locked) return ["done", words.states[table.sheet.state]];
  if (view.disputed) return ["stop", words.disputed];
  if (view.signedHere) return ["wait", words.signed_here];
  return ["live", fill(words.to_sign, { signed: all - unsigned(view).length, all })];
}

/* --- Before the players hold it -------------------------------------------------------------------------- */

function beforeParts(screen, view) {
  const { words, checked, confirmations } = view;
  const voided = view.voided ? [note("wait", words.voided)] : [];
  const open = view.typed.games.map((game, place) => ({ game, place })).filter(({ game, place }) => !isHandedIn(game, view.sent.games[place]));
  const mends = toMend(checked.problems).filter((one) => !open.some(({ place }) => placeOf(one).game === place));
  const waits = waitRows(view);
  const looks = toConfirm(checked.problems, confirmations);
  const later = waits.length && !view.online ? [note("wait", words.signs_before_desk, words.signs_before_desk_why)] : [];
  const still = view.online ? waits : [];
  if (!open.length && !mends.length && !looks.length && !still.length) return [...voided, ...later, note("live", words.read_first, words.read_first_why)];
  const rows = [
    ...still.map((said) => faultRow(said)),
    ...open.map(({ place }) => faultRow(fill(words.still, { game: place + 1 }), gameAct(screen, view, place))),
    ...mends.map((one) => faultRow(sentence(one, words), gameAct(screen, view, placeOf(one).game))),
    ...looks.map((one) => faultRow(sentence(one, words), action(words.confirm, () => screen.acts.confirm([one])))),
  ];
  return [...voided, note("wait", words.rows_to_finish, "", make("div", { class: "stack tight grow" }, ...rows))];
}

/** What the desk has still to record before the sheet can lock. */
const waitRows = ({ words, seats }) =>
  seats.filter((seat) => seat.waits).map(({ letter, waits }) => fill(words.desk_records, { seat: letter, mark: words.marks[waits] }));

const faultRow = (said, act) => make("div", { class: "row keep" }, make("span", { class: "grow" }, said), ...(act ? [act] : []));

function gameAct(screen, { words }, place) {
  return place === null ? null : action(fill(words.correct_game, { game: place + 1 }), () => screen.acts.openGame(place));
}

/** Nothing stands against handing it out. */
const isReady = ({ typed, sent, checked, confirmations, seats, online }) =>
  !(online && seats.some((seat) => seat.waits)) && typed.games.every((game, place) => isHandedIn(game, sent.games[place])) && !toMend(checked.problems).length && !toConfirm(checked.problems, confirmations).length;

/* --- In the players' hands ------------------------------------------------------------------------------- */

function bindingNotes(screen, view) {
  const { words } = view;
  return screen.warning ? [note("wait", screen.warning)] : [note("wait", words.binding, words.binding_why)];
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
  const { words, signatures, table } = view;
  const { letter, name } = seat;
  const who = make("b", { class: lengthOf(name) }, `${letter} ${name}`);
  if (!seat.signs) return box("", who, make("span", {}, words.has_left), make("span", { class: "badge" }, words.away));
  const drawn = signatures.find((one) => one.letter === letter);
  if (drawn) {
    const ink = inkElement(drawn.strokes, fill(words.signature, { seat: letter }));
    return box("ok", who, ink, make("span", { class: "badge done" }, fill(words.signed_at, { time: view.clockText(drawn.made_at) })));
  }
  if (table.sheet.signed.includes(letter) || view.table.locked) return box("ok", who, icon("tick"), make("span", { class: "badge done" }, words.states.signed));
  if (!view.handedOut) return box("", who, make("span", {}, words.waits), make("span", { class: "badge" }, words.not_signed));
  if (screen.letter !== letter) return waitingElement(screen, view, letter, who);
  return screen.checked ? fieldElement(screen, view, letter, who) : checkElement(screen, view, seat, who);
}

const box = (kind, who, inside, foot) => make("div", { class: `sign ${kind}`.trim() }, who, make("div", { class: "box" }, inside), foot);

function waitingElement(screen, view, letter, who) {
  const open = make("button", { type: "button", class: "box" }, view.words.waits, make("br"), fill(view.words.press_to_sign, { seat: letter }));
  open.addEventListener("click", () => {
    Object.assign(screen, { letter, part: letter, checked: false, field: null });
    screen.update();
  });
  return make("div", { class: "sign" }, who, open, make("span", { class: "badge" }, view.words.not_signed));
}

/** After one has signed the tablet goes to the next: no hand opens two fields at once. */
const isFree = (screen) => performance.now() >= screen.free;

/** The referee says who is signing before there is a field to sign in. */
function checkElement(screen, view, { letter, name }, who) {
  const { words } = view;
  const yes = action(fill(isFree(screen) ? words.it_is : words.pass_on, { seat: letter }), () => {
    screen.checked = true;
    screen.update();
  }, "primary");
  if (!isFree(screen)) yes.setAttribute("aria-disabled", "true");
  return make("div", { class: "sign now" }, who, make("div", { class: "box ask" }, fill(words.is_it, { seat: letter, name })), yes);
}

function fieldElement(screen, view, letter, who) {
  const { words } = view;
  const hint = make("span", { class: "small quiet hint", "aria-live": "polite" }, fill(words.sign_here, { seat: letter }));
  const done = action(fill(words.sign_done, { seat: letter }), () => finish(screen, letter), "primary grow");
  const ready = () => {
    const { drawn, good } = screen.field;
    done.setAttribute("aria-disabled", String(!good()));
    hint.textContent = drawn() && !good() ? words.too_small : fill(words.sign_here, { seat: letter });
  };
  screen.field = signatureField(fill(words.signature, { seat: letter }), ready);
  ready();
  const foot = make("div", { class: "row tight keep" }, action(words.clear, () => screen.field.clear()), done);
  return make("div", { class: "sign now" }, who, make("div", { class: "box" }, screen.field.element, hint), foot);
}

async function finish(screen, letter) {
  const view = screen.look();
  const at = view.now();
  const before = view.signatures.at(-1);
  const quick = before && at - Date.parse(before.made_at) < QUICK;
  screen.warning = quick ? fill(view.words.too_quick, { seat: letter, other: before.letter }) : "";
  const strokes = screen.field.strokes();
  Object.assign(screen, { letter: "", part: "", checked: false, field: null, free: performance.now() + PASSED_ON });
  setTimeout(screen.update, PASSED_ON + 20);
  await screen.acts.sign({ letter, strokes, made_at: new Date(at).toISOString() });
  screen.update();
}

/* --- At the end ------------------------------------------------------------------------------------------ */

function endElement({ words, table }) {
  if (!table.receipt) {
    const words_ = make("div", {}, make("h2", {}, words.signed_here), make("p", { class: "small" }, words.signed_here_why));
    return make("section", { class: "verdict is-no", role: "status" }, make("span", {}, icon("pen")), words_);
  }
  const code = `${table.receipt.slice(0, 4)}-${table.receipt.slice(4)}`;
  const lock = icon("lock");
  lock.classList.add("lock");
  return make(
    "section", { class: "verdict", role: "status" }, make("span", {}, lock),
    make("div", {}, make("h2", {}, words.locked), make("p", { class: "small" }, words.locked_why)),
    make("div", {}, make("span", { class: "small quiet" }, words.receipt), make("br"), make("span", { class: "code" }, code)),
  );
}

function footElement(screen, view, ended) {
  const { words, table } = view;
  const row = make("div", { class: "row keep judge-foot" });
  const back = action(fill(words.back, { table: table.number }), () => screen.acts.close());
  const refuse = action(words.refuse, () => askDispute(screen, view));
  refuse.prepend(icon("hand"));
  const home = action(words.take_back, () => screen.acts.takeBack());
  home.prepend(icon("lock"));
  if (view.handedOut) {
    row.append(make("span", { class: "small quiet grow" }, words.referee_there), ...languageActs(screen), ...(ended ? [] : [refuse]), home);
    return row;
  }
  row.append(back, make("span", { class: "grow" }));
  if (ended) return row;
  const handOut = () => {
    screen.part = "";
    return screen.acts.handOut();
  };
  const out = action(words.hand_out, handOut, "big primary");
  out.setAttribute("aria-disabled", String(!isReady(view)));
  row.append(refuse, out);
  return row;
}

/** The words in the other language, in place: the bar is not there now. */
function languageActs({ acts }) {
  const other = acts.otherLanguage?.();
  if (!other) return [];
  const turn = action(other.name, () => acts.turnLanguage(), "plain");
  turn.lang = other.lang;
  return [turn];
}

function askDispute(screen, view) {
  const { words } = view;
  const dispute = async (reason) => {
    await screen.acts.dispute({ reason });
    dialog.close();
  };
  const parts = [make("p", {}, words.dispute_why), ...reasonParts(words.reasons_dispute, words.dispute_send, dispute, words, "danger")];
  const dialog = openDialog(screen.element, words.dispute_title, parts, words, { closing: words.cancel });
}
