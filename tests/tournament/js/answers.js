/* The page's engine asked the questions of questions.py, its answers in the same form. */

import { Refusal, bestOpening, checkSheet, couldOpen, judgeSet, scoreGame } from "./engine/engine.js";

function opening({ ruleset, rack }) {
  return { ...bestOpening(ruleset, rack), stopping_early: couldOpen(ruleset, rack) };
}

function sheet({ ruleset, ...entry }) {
  const { games, totals, problems } = checkSheet(ruleset, entry);
  const shown = ({ win, points, tiles, rack_value, absent, because }) => ({ win, points, tiles, rack_value, absent, because });
  const seats = (game) => Object.fromEntries(Object.entries(game.seats).map(([letter, seat]) => [letter, shown(seat)]));
  return {
    games: games.map((game) => ({ ended_by: game.ended_by, starter: game.starter, seats: seats(game) })),
    totals,
    problems: problems.map((one) => [one.weight, one.code, one.where, one.facts]),
  };
}

const ANSWERS = {
  opening,
  sheet,
  set: ({ ruleset, set }) => judgeSet(ruleset, set),
  game: ({ ruleset, ended_by, racks }) => scoreGame(ruleset, ended_by, racks),
};

export function answerAll(questions) {
  return questions.map((question) => {
    try {
      return ANSWERS[question.verb](question);
    } catch (refusal) {
      if (refusal instanceof Refusal) return { refused: [refusal.where, refusal.why] };
      return { broken: String(refusal.stack) };
    }
  });
}
