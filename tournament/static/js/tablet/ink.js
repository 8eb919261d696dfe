/* What a signature is: strokes of whole numbers on a field of 1000 x 600, judged as the server judges them. */

export const WIDTH = 1000;
export const HEIGHT = 600;
const FEWEST = 20;
const MOST = 4000;
const NARROWEST = 80;
const LOWEST = 40;
const SHORTEST = 200;
const NEAR = 8;
const MOST_BYTES = 64 * 1024;

/** Whether strokes [[[x, y, t, p], ...], ...] are more than a dot or a straight line. */
export function isSignature(strokes) {
  const places = strokes.flat().map(([x, y]) => [x, y]);
  if (places.length < FEWEST || isTooLong(strokes)) return false;
  const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)];
  const wide = Math.max(...xs) - Math.min(...xs);
  const high = Math.max(...ys) - Math.min(...ys);
  return wide >= NARROWEST && high >= LOWEST && lengthOf(strokes) >= SHORTEST && !isStraight(places);
}

/** More than the server takes. */
export const isTooLong = (strokes) => strokes.flat().length > MOST || JSON.stringify(strokes).length > MOST_BYTES;

function lengthOf(strokes) {
  let way = 0;
  for (const stroke of strokes) {
    for (let at = 1; at < stroke.length; at += 1) {
      way += Math.sqrt((stroke[at][0] - stroke[at - 1][0]) ** 2 + (stroke[at][1] - stroke[at - 1][1]) ** 2);
    }
  }
  return way;
}

/** One straight line runs near every place: their hull is at most twice as thick. */
function isStraight(places) {
  const corners = hull(places);
  return corners.some((from, at) => {
    const to = corners[(at + 1) % corners.length];
    const thickest = Math.max(...corners.map((corner) => Math.abs(cross(from, to, corner))));
    return thickest ** 2 <= (2 * NEAR) ** 2 * ((to[0] - from[0]) ** 2 + (to[1] - from[1]) ** 2);
  });
}

const cross = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

function hull(places) {
  const once = [...new Map(places.map((place) => [place.join(), place])).values()];
  const ordered = once.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  if (ordered.length < 3) return ordered;
  return [...half(ordered).slice(0, -1), ...half([...ordered].reverse()).slice(0, -1)];
}

function half(ordered) {
  const side = [];
  for (const place of ordered) {
    while (side.length > 1 && cross(side.at(-2), side.at(-1), place) <= 0) side.pop();
    side.push(place);
  }
  return side;
}

/** The drawing as the `d` of a path in a view of 1000 x 600. */
export const pathOf = (strokes) =>
  strokes.map((stroke) => stroke.map(([x, y], at) => `${at ? "L" : "M"}${x} ${y}`).join("")).join("");
