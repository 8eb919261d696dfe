/* What a table has marked and the desk has not settled yet: who did not come, came late, left or is disqualified, a rack
   counted wrong. The game is recorded with the mark; the desk records it of the entrant. Pure: no page, no network. */

export const MARKS = ["absent", "late", "left", "disqualified", "miscount"];
const GONE = ["absent", "left", "disqualified"];
const NO_SHOW = "forfeited";

const isMark = (kind) => MARKS.includes(kind);
const sendable = (item) => item.state !== "refused";

/** The marks that wait, oldest first: {kind, game, letter, note, id, item}; `id` where the server has told it, `item` the key
    of what is still in the outbox. `table` as store.js gives it. */
export function marksOf({ incidents = [], open = [] }) {
  const taken = open.filter((item) => item.act === "withdraw" && sendable(item)).map(({ body }) => body.item ?? `${body.kind} ${body.note}`);
  const told = incidents.filter((one) => isMark(one.kind) && !one.end && !taken.includes(`incident ${one.id}`));
  const here = open.filter((item) => item.act === "incident" && isMark(item.body.kind) && sendable(item) && !taken.includes(item.key));
  return [
    ...told.map(({ kind, game, letter, note, id }) => ({ kind, game, letter, note, id, item: "" })),
    ...here.map(({ key, body }) => ({ kind: body.kind, game: body.game, letter: body.letter, note: body.note ?? "", id: 0, item: key })),
  ];
}

/** A seat under its marks: who is gone counts as having left, who came late plays, though the desk says otherwise yet. */
export function marked(seat, marks) {
  const own = marks.filter((mark) => mark.letter === seat.letter && mark.kind !== "miscount");
  const mark = own.at(-1);
  if (!mark) return { ...seat, waits: "" };
  if (GONE.includes(mark.kind) && seat.status === "ok") return { ...seat, status: "withdrawn", signs: false, waits: mark.kind };
  if (mark.kind === "late" && seat.status === NO_SHOW) return { ...seat, status: "ok", signs: true, waits: mark.kind };
  return { ...seat, waits: "" };
}

/** The seats whose rack in this game is marked as counted wrong. */
export const miscounted = (marks, place) => marks.filter((mark) => mark.kind === "miscount" && mark.game === place + 1).map(({ letter }) => letter);
