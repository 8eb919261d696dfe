/* The page's engine asked the questions of questions.py, its answers in the same form. */

import {
  Refusal,
  bestOpening,
  checkSheet,
  couldOpen,
  judgeMove,
  judgeSet,
  openingWords,
  scoreGame,
  scoreWordTurns,
  setReadings,
} from "./engine/engine.js";

function opening({ ruleset, rack }) {
  const { exact, ...best } = bestOpening(ruleset, rack);
  if (!exact) return { reached: best };
  return { ...best, stopping_early: couldOpen(ruleset, rack) };
}

function sheet({ ruleset, ...entry }) {
  const { games, totals, problems } = checkSheet(ruleset, entry);
  const shown = ({ win, points, tiles, rack_value, absent, because }) => ({ win, points, tiles, rack_value, absent, because });
  const seats = (game) => Object.fromEntries(Object.entries(game.seats).map(([letter, seat]) => [letter, shown(seat)]));
  return {
    games: games.map((game) => ({ ended_by: game.ended_by, starter: game.starter, ruling: game.ruling, seats: seats(game) })),
    totals,
    problems: problems.map((one) => [one.weight, one.code, one.where, one.facts]),
  };
}

const ANSWERS = {
  opening,
  sheet,
  set: ({ ruleset, set }) => ({ ...judgeSet(ruleset, set), readings: setReadings(ruleset, set) }),
  move: ({ ruleset, ...turn }) => judgeMove(ruleset, turn),
  word: ({ ruleset, turns, jokers_left }) => scoreWordTurns(ruleset, turns, jokers_left),
  letters: ({ ruleset, rack, words }) => openingWords(ruleset, rack, words),
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
