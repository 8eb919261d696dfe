/* The rules for previews without network, in one place: what the tablet asks. The server's answer counts; this one is
   there at once. Compared with scoring/ over all worked cases and at random (tests/tournament/js). */

export { COLOURS, Refusal, TILES, copiesOf, faceBounds, faceValue, jokersNeeded, setSize } from "./tiles.js";
export { judgeSet } from "./sets.js";
export { bestOpening, couldOpen } from "./opening.js";
export { SEATS, TWELFTHS, scoreGame } from "./game.js";
export { readRacks } from "./racks.js";
export { checkSheet, startersNext } from "./sheet.js";
