/* What the hall's clock shows at a moment, from what the server has said: plain values in, plain values out. It decides alone, so that a
   page without network goes on through the day. Moments are milliseconds since 1970, by the server's time. */

const MINUTE = 60_000;
// So long after its end a session's racks are counted and its sheets signed: the hall is told so before the next check-in is shown.
const SIGNING = 15 * MINUTE;
export const TEN = 10 * MINUTE;
export const FIVE = 5 * MINUTE;

/** When the last of a session's tables ends; never while its time, or a table's, stands still. */
function lastEnd(session) {
  const ends = [session, ...session.tables].map((one) => one.end);
  return ends.includes(null) ? Infinity : Math.max(...ends);
}

/** Whether the hall still waits for something of it. */
function isUnfinished(session, now) {
  if (session.closed) return false;
  return now < (session.started ? lastEnd(session) + SIGNING : session.planned_end);
}

/** The session that the hall is in: the one that was started last, else the first whose check-in has begun; or none. */
export function currentSession(sessions, now) {
  const found = sessions.filter((session) => isUnfinished(session, now) && (session.started || session.check_in <= now));
  return found.filter((session) => session.started).at(-1) ?? found[0] ?? null;
}

/** The session after it, or the first that is still to come. */
export function nextSession(sessions, now) {
  const current = currentSession(sessions, now);
  const after = current?.check_in ?? now;
  const found = sessions.filter((session) => !session.started && !session.closed && session.planned_end > now);
  return found.find((session) => session !== current && session.check_in > after) ?? null;
}

/** Of a session: check_in, seating, late, held, play, stopped or signing. */
export function phaseOf(session, now) {
  if (session.held) return "held";
  if (!session.started) {
    if (now < session.seating) return "check_in";
    return now < session.play ? "seating" : "late";
  }
  if (session.left !== null) return "stopped";
  return now < session.end ? "play" : "signing";
}

/** The digits: milliseconds left to `until`, null where nothing is counted. */
function counted(session, phase, now) {
  if (phase === "stopped") return { until: null, ms: session.left };
  const until = { check_in: session.seating, seating: session.play, play: session.end }[phase] ?? null;
  return { until, ms: until === null ? null : until - now };
}

/** Black; orange under ten minutes; red under five. */
export function colourOf(ms) {
  if (ms > TEN) return "k";
  return ms > FIVE ? "o" : "r";
}

/** Which sentence is largest; at the door the last calls, ten and five minutes before everybody has to be seated. */
function sentenceOf(phase, ms) {
  if (!["check_in", "play"].includes(phase) || ms > TEN) return phase;
  if (phase === "check_in") return ms > FIVE ? "call_ten" : "call_five";
  if (ms > FIVE) return "ten";
  return ms > MINUTE ? "five" : "one";
}

/** A table with a time of its own, at this moment; null once it has ended as well. */
function tableShown(table, now) {
  const ms = table.end === null ? table.left : table.end - now;
  return ms > 0 ? { ...table, ms } : null;
}

/** Everything at this moment: {session, next, phase, sentence, until, ms, tables, announcements, calls}. Without a session: the next one, `ahead`; or
    `over`, the day's last is done; or `none`. */
export function shownAt({ sessions, announcements = [], calls = [] }, now) {
  const session = currentSession(sessions, now);
  const next = nextSession(sessions, now);
  const told = { announcements: announcements.filter((one) => one.until > now), calls };
  if (!session) {
    const phase = next ? "ahead" : sessions.length ? "closed" : "none";
    return { session: null, next, phase, sentence: phase, until: null, ms: null, tables: [], ...told };
  }
  const phase = phaseOf(session, now);
  const { until, ms } = counted(session, phase, now);
  const tables = session.tables.map((table) => tableShown(table, now)).filter(Boolean);
  return { session, next, phase, sentence: sentenceOf(phase, ms), until, ms, tables, ...told };
}

/** The four steps of a session with their moments; `now` is the one it is in, `done` are those before. */
export function stepsOf(session, phase) {
  const place = { check_in: 0, seating: 1, late: 1, held: 1, play: 2, stopped: 2, signing: 3 }[phase];
  const moments = {
    check_in: session.check_in,
    seating: session.seating,
    play: session.started ?? session.play,
    signing: session.started ? session.end : session.planned_end,
  };
  return Object.entries(moments).map(([name, at], index) => ({ name, at, done: index < place, now: index === place }));
}

// What sounds when so many milliseconds are left.
const MARKS = {
  check_in: [["call", TEN], ["call", FIVE]],
  play: [["ten", TEN], ["one", MINUTE], ["end", 0]],
};

/** Which marks of a phase were passed between two moments of one count; none where time jumped. */
export function marksPassed(phase, before, ms, jump = 5000) {
  if (before === null || ms === null || before - ms > jump || ms >= before) return [];
  return (MARKS[phase] ?? []).filter(([, mark]) => before > mark && ms <= mark).map(([name]) => name);
}
