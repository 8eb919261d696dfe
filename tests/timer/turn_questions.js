/* Runs acts on the turn timer and tells what it shows after each; `acts` are [name, ms, value], ms since the act before. */

import * as turns from "/turns.js";

const ACTS = {
  press: (timer, now) => turns.press(timer, now),
  intime: (timer, now) => turns.passInTime(timer, now),
  hold: (timer, now, reason) => turns.hold(timer, now, reason),
  seat: (timer, now, at) => turns.seatTurn(timer, now, at),
  choose: (timer, now, choice) => turns.choose(timer, now, choice),
  new: (timer, now) => turns.newGame(timer, now),
  undo: (timer, now) => turns.undo(timer, now),
  // Kept as text and opened again by a browser whose clock begins anew.
  reload: (timer, now) => turns.reopened(turns.readKept(JSON.stringify(turns.settled(timer, now))), now),
  wait: (timer) => timer,
};

const told = (timer, now) => {
  const { state, seat, left, over, held } = turns.look(timer, now);
  return [state, seat, left, over, held, timer.overtime.map(({ turns: count, ms }) => [count, ms])];
};

export function played({ settings, acts }) {
  let timer = turns.newTimer(settings);
  let now = 5000;
  return acts.map(([name, after, value]) => {
    now += after;
    timer = ACTS[name](timer, now, value);
    return told(timer, now);
  });
}

export const allPlayed = (games) => games.map(played);

export const keptTexts = (texts) => texts.map((text) => turns.readKept(text) !== null);

export const keptText = (settings) => JSON.stringify(turns.settled(turns.press(turns.newTimer(settings), 1), 5));
