/* Time by the server's clock: told with each state, carried on by a counter that nobody can set. */

const FAR_OFF = 2500; // a Date header has whole seconds

/** `monotonic()` in milliseconds; `wall()` is the tablet's own clock, trusted only until the server is heard again. */
export function makeClock({ monotonic = () => performance.now(), wall = () => Date.now() } = {}) {
  let server = 0;
  let counter = 0;

  /** The server's time is `at` (ms since 1970) now. */
  function anchor(at) {
    server = at;
    counter = monotonic();
  }

  const now = () => (server ? server + monotonic() - counter : wall());

  /** A 304 has no body, yet it has a Date: correct what a sleeping tablet's counter has missed. */
  function check(date) {
    if (date && Math.abs(date + 500 - now()) > FAR_OFF) anchor(date + 500);
  }

  /** For the disk: the counter begins anew with each page, the tablet's clock goes on. */
  const kept = () => ({ server: now(), wall: wall() });
  const resume = ({ server: at, wall: then }) => anchor(at + Math.max(0, wall() - then));

  return { anchor, now, check, kept, resume };
}

/** What the bar's clock shows of a state: {kind, ms}. The session's own time, unless all tables have another.

  before     not started: ms until it is planned to
  suspended  stands still
  running    ms until the end, never below 0
  over       closed
 */
export function sessionTime(state, now) {
  const { clock, session } = state;
  if (clock.closed_at || session.state === "closed") return { kind: "over", ms: 0 };
  if (!clock.started_at) return { kind: "before", ms: Math.max(0, Date.parse(session.play_at) - now) };
  if (clock.suspended_at) return { kind: "suspended", ms: 0 };
  return { kind: "running", ms: Math.max(0, Date.parse(clock.ends_at) - now), endsAt: clock.ends_at };
}

/** The time of one table, with its own pauses and overtime: the same kinds, and `paused`. */
export function tableTime(state, table, now) {
  const session = sessionTime(state, now);
  if (session.kind !== "running") return session;
  if (table.pause) return { kind: "paused", ms: 0 };
  if (!table.ends_at) return session;
  return { kind: "running", ms: Math.max(0, Date.parse(table.ends_at) - now), endsAt: table.ends_at };
}

/** 28:14, 1:05:09. A second that has begun counts: 00:00 is shown when it is over. */
export function spoken(ms) {
  const seconds = Math.ceil(ms / 1000);
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${two(minutes)}:${two(seconds % 60)}`;
}

/** 17:15 in Hong Kong, wherever the tablet believes to be. */
export const hongKong = (iso) =>
  new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "Asia/Hong_Kong" }).format(new Date(iso));
