/* What the turn timer says of what it shows: a head, what is to be done, and what a press of the joker does. */

import { book, fill, gettext, pgettext, shownLanguage } from "../tablet/words.js";

const seconds = (ms) => Math.ceil(ms / 1000);

/** What running over costs, by the rules at this place of the page's list. */
export const costOf = (index) =>
  book().overtime[index] || gettext("These rules name no cost for it: settle it at the table, or raise your hand.");

/** {head, rule, act} of `seen` (turns.js: look). */
export function stateSaid(seen, timer, rules) {
  const facts = { seat: seen.seat, next: seen.next, seconds: timer.seconds };
  const filled = (sentence) => fill(sentence, facts);
  const passes = filled(gettext("Done, pass to %(next)s"));
  if (seen.state === "unset") {
    return {
      head: gettext("No time limit"),
      rule: gettext("These rules give a turn no limit. To count the time, choose the seconds."),
      act: gettext("Choose the seconds"),
    };
  }
  if (seen.state === "held") return pauseSaid(seen);
  if (seen.state === "over") {
    return { head: filled(gettext("%(seat)s is out of time")), rule: costOf(rules), act: filled(gettext("After the penalty, pass to %(next)s")) };
  }
  if (seen.state === "warn") {
    return { head: timer.seconds < 20 ? gettext("Last seconds") : gettext("Last ten seconds"), rule: gettext("Leave valid sets on the table, or draw a tile."), act: passes };
  }
  const head = filled(gettext("%(seat)s's turn"));
  if (seen.state === "ready") {
    return {
      head,
      rule: filled(gettext("Take the timer and press the joker: the %(seconds)s seconds begin.")),
      act: filled(gettext("Begin the turn of %(seat)s")),
    };
  }
  return { head, rule: filled(gettext("When done say \"finish\" and press the joker. Then it is %(next)s.")), act: passes };
}

function pauseSaid(seen) {
  const [head, then] = {
    break: [
      gettext("Toilet break, paused"),
      gettext("The others may cover their racks with black paper. Back at the table, press the joker."),
    ],
    hand: [gettext("Hand raised, paused"), gettext("Wait for the referee. Then press the joker.")],
    slept: [
      gettext("The device slept, paused"),
      gettext("The time of its sleep is not counted. Agree at the table, then press the joker."),
    ],
  }[seen.reason] ?? [gettext("Opened again, paused"), gettext("This is what was kept. Agree at the table, then press the joker.")];
  const facts = { seat: seen.seat, left: seconds(seen.left), over: Math.floor(seen.over / 1000) };
  const left = seen.over > 0 ? gettext("%(seat)s is %(over)s seconds over.") : gettext("%(seat)s has %(left)s seconds left.");
  return { head, rule: [fill(left, facts), then].join(shownLanguage() === "en" ? " " : ""), act: gettext("Go on") };
}

const two = (number) => String(number).padStart(2, "0");

/** [figures, unit]: 43 s, 08 s, +07 s, of a pause 02:15. */
export function figuresOf(seen) {
  if (seen.state === "unset") return ["–", ""];
  if (seen.state === "held") {
    const all = Math.floor(seen.held / 1000);
    return [`${two(Math.floor(all / 60))}:${two(all % 60)}`, ""];
  }
  const unit = pgettext("timer", "s");
  return seen.state === "over" ? [`+${two(Math.floor(seen.over / 1000))}`, unit] : [two(seconds(seen.left)), unit];
}

/** "B: 2 times, 14 s" of every seat that ran over. */
export function overtimeSaid(timer, letters) {
  return timer.overtime
    .map(({ turns, ms }, at) => ({ seat: letters[at], turns, seconds: Math.floor(ms / 1000) }))
    .filter(({ turns }) => turns > 0)
    .map((facts) => fill(gettext("%(seat)s ×%(turns)s, +%(seconds)s s"), facts));
}
