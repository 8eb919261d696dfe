/* What is marked of a rack beside its tiles: each mark gives it a flat value, the ruleset's field of its name (R27). Repeats
   scoring/marks; of two marks the first gives the value, once. */

export const MARKS = ["pushed_over"];

/** Every mark by its name, false where nobody said. */
export const marksOf = (rack) => Object.fromEntries(MARKS.map((name) => [name, rack[name] ?? false]));

/** The marks that a rack has. */
export const marked = (rack) => MARKS.filter((name) => rack[name]);

/** The mark that gives the rack its value, and the value; null where its tiles count. */
export function rulingOn(ruleset, rack) {
  const name = marked(rack).find((one) => ruleset[one] !== null);
  return name === undefined ? null : { name, value: ruleset[name] };
}
