/* The server's time on a page whose own clock may be wrong by hours: measured with every answer, counted on by a counter that nobody
   can set. */

import { makeClock } from "../tablet/clock.js";

const KEPT = 10; // answers; an old one must not hold the clock for long

/** `monotonic()` in milliseconds. */
export function makeServerTime(monotonic = () => performance.now()) {
  const clock = makeClock({ monotonic });
  const answers = [];

  /** An answer that was asked for at `asked` and had come at `came`, by the counter, says that the server's time is `at`.

  The server's time at `came` is never before `at`. It may be later by the way back, and by the second for which a front gives the same
  answer to all. So the latest of what the last answers say is nearest the truth, but for half of the shortest way there and back. */
  function hear(at, asked, came) {
    answers.push({ ahead: at - came, way: came - asked });
    if (answers.length > KEPT) answers.shift();
    const ahead = Math.max(...answers.map((answer) => answer.ahead));
    clock.anchor(monotonic() + ahead + way() / 2);
  }

  const way = () => Math.min(...answers.map((answer) => answer.way));

  return { hear, now: clock.now };
}
