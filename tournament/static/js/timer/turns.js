/* The turn timer as values: whose turn it is, how much of it is used, what can be undone. Times are milliseconds of a clock
   that only goes forward; each act is told the moment. Nothing here reads a clock or touches the page. */

export const LETTERS = ["A", "B", "C", "D"];
const MOST_SECONDS = 10000; // as a ruleset's numbers
const WARNING = 10000;
const UNDO_STEPS = 20;
const READY = "ready"; // the seat has not pressed yet
const RUNNING = "running";
const HELD = "held";

/** `seconds`: of a turn, null where it has no limit. `straight`: the press that ends a turn begins the next one. */
export const newTimer = ({ seats, seconds, straight = false }) => ({
  seats,
  seconds,
  straight,
  at: 0,
  phase: READY,
  spent: 0, // of the turn, up to `since`
  held: 0, // of the pause, up to `since`
  since: null, // when the turn or the pause last went on
  reason: "", // of the pause
  before: READY, // what the pause has stopped
  overtime: LETTERS.map(() => ({ turns: 0, ms: 0 })),
  undo: [],
});

const gone = (timer, now) => (timer.since === null ? 0 : Math.max(0, now - timer.since));
const spentBy = (timer, now) => timer.spent + (timer.phase === RUNNING ? gone(timer, now) : 0);
const heldBy = (timer, now) => timer.held + (timer.phase === HELD ? gone(timer, now) : 0);

/** The same with all time counted up to now, so that it can be kept or gone on with at another moment. */
export const settled = (timer, now) => ({ ...timer, spent: spentBy(timer, now), held: heldBy(timer, now), since: null });

/** Time goes on from now, where any does. */
const goingOn = (timer, now) => ({ ...timer, since: timer.phase === READY ? null : now });

/** What an act makes of it; the state before it can be had again. */
function changed(timer, now, change) {
  const { undo, ...old } = settled(timer, now);
  return goingOn({ ...old, ...change, undo: [...undo, old].slice(-UNDO_STEPS) }, now);
}

const freshTurn = (at, phase) => ({ at, phase, spent: 0, held: 0, reason: "", before: READY });
const overtimeOf = (timer, now) => (timer.seconds === null ? 0 : Math.max(0, spentBy(timer, now) - timer.seconds * 1000));

/** To the next seat. `counts`: whether a turn that ran over is counted as such. */
function passed(timer, now, counts) {
  const ms = counts ? overtimeOf(timer, now) : 0;
  const overtime = timer.overtime.map((one, seat) => (seat === timer.at && ms > 0 ? { turns: one.turns + 1, ms: one.ms + ms } : one));
  return changed(timer, now, { ...freshTurn((timer.at + 1) % timer.seats, timer.straight ? RUNNING : READY), overtime });
}

/** The joker pressed: begins a turn, ends it, goes on after a pause. Nothing where a turn has no limit. */
export function press(timer, now) {
  if (timer.seconds === null) return timer;
  if (timer.phase === RUNNING) return passed(timer, now, true);
  if (timer.phase === HELD) return changed(timer, now, { phase: timer.before, held: 0, reason: "", before: READY });
  return changed(timer, now, { phase: RUNNING });
}

/** The turn was ended in time, though nobody pressed. */
export const passInTime = (timer, now) => (timer.phase === RUNNING ? passed(timer, now, false) : timer);

/** A pause: what is left of the turn stays. In a pause only its reason becomes another. */
export function hold(timer, now, reason) {
  if (timer.phase === HELD) return timer.reason === reason ? timer : changed(timer, now, { reason });
  return changed(timer, now, { phase: HELD, held: 0, reason, before: timer.phase });
}

/** The turn of this seat, with its whole time. */
export const seatTurn = (timer, now, at) => changed(timer, now, freshTurn(at, READY));

/** Another hand-over; or other seats or seconds, with which the turn begins anew, at A where its seat is gone. */
export function choose(timer, now, choice) {
  if (!("seats" in choice || "seconds" in choice)) return changed(timer, now, choice);
  const seats = choice.seats ?? timer.seats;
  return changed(timer, now, { ...choice, ...freshTurn(timer.at < seats ? timer.at : 0, READY) });
}

/** A new game: A begins, no overtime yet. */
export const newGame = (timer, now) => changed(timer, now, { ...freshTurn(0, READY), overtime: newTimer(timer).overtime });

export const canUndo = (timer) => timer.undo.length > 0;

/** As it stood when the last act was done, from where the time goes on. */
export function undo(timer, now) {
  if (!canUndo(timer)) return timer;
  return goingOn({ ...timer.undo.at(-1), undo: timer.undo.slice(0, -1) }, now);
}

/** A kept timer opened again: how long the page was closed is not known, so a running turn waits in a pause. */
export function reopened(kept, now) {
  const closed = kept.phase === RUNNING ? { ...kept, phase: HELD, held: 0, reason: "opened", before: RUNNING } : kept;
  return goingOn(closed, now);
}

/** What is shown: `state` is unset, ready, running, warn, over or held; times in milliseconds. */
export function look(timer, now) {
  const limit = timer.seconds === null ? 0 : timer.seconds * 1000;
  const left = Math.max(0, limit - spentBy(timer, now));
  const over = overtimeOf(timer, now);
  return {
    state: stateOf(timer, left, over),
    seat: LETTERS[timer.at],
    next: LETTERS[(timer.at + 1) % timer.seats],
    left,
    over,
    held: heldBy(timer, now),
    share: limit ? left / limit : 0,
    reason: timer.reason,
  };
}

function stateOf(timer, left, over) {
  if (timer.seconds === null) return "unset";
  if (timer.phase !== RUNNING) return timer.phase;
  if (over > 0) return "over";
  return left <= Math.min(WARNING, timer.seconds * 500) ? "warn" : "running";
}

const isCount = (value) => Number.isFinite(value) && value >= 0;
const isWhole = (value, least, most) => Number.isInteger(value) && value >= least && value <= most;

function isState(one) {
  return (
    Boolean(one) &&
    isWhole(one.seats, 2, LETTERS.length) &&
    (one.seconds === null || isWhole(one.seconds, 1, MOST_SECONDS)) &&
    typeof one.straight === "boolean" &&
    isWhole(one.at, 0, one.seats - 1) &&
    [READY, RUNNING, HELD].includes(one.phase) &&
    [READY, RUNNING].includes(one.before) &&
    typeof one.reason === "string" &&
    isCount(one.spent) &&
    isCount(one.held) &&
    one.since === null &&
    Array.isArray(one.overtime) &&
    one.overtime.length === LETTERS.length &&
    one.overtime.every((seat) => isWhole(seat?.turns, 0, Infinity) && isCount(seat.ms))
  );
}

/** A timer as `settled` gives it, from the text in which it was kept; null where the text is no such timer. */
export function readKept(text) {
  let kept;
  try {
    kept = JSON.parse(text);
  } catch {
    return null;
  }
  return isState(kept) && Array.isArray(kept.undo) && kept.undo.length <= UNDO_STEPS && kept.undo.every(isState) ? kept : null;
}
