/* The rules for previews without network, in one place: what pages ask. The server's answer counts; this one is
   there at once. Compared with scoring/ over all worked cases and at random (tests/tournament/js). */

export { COLOURS, HIGHEST, JOKERS, Refusal, TILES, copiesOf, faceBounds, faceValue, hasNumbers, jokersNeeded, setSize } from "./tiles.js";
export { judgeSet, setReadings } from "./sets.js";
export { judgeMove } from "./move.js";
export { bestOpening, couldOpen } from "./opening.js";
export { SEATS, TWELFTHS, scoreGame } from "./game.js";
export { MARKS, marked, marksOf, rulingOn } from "./marks.js";
export { openingWords, scoreWordTurns } from "./letters.js";
export { readRacks } from "./racks.js";
export { checkSheet, startersNext } from "./sheet.js";
