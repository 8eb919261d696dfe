/* A server that cannot record for now (its disk is full, it is being started again) says when to ask again: 503 with
   Retry-After. One wait at a time; every other refusal waits for a person. */
const sheetLater = (() => {
  const SOON = 5; // seconds, where it says nothing
  let timer = 0;

  /** What to say of a refusal: "later", and `act` is done then, or "refused". */
  function laterOf(answer, act) {
    clearTimeout(timer);
    if (answer.status !== 503) return "refused";
    timer = setTimeout(act, 1000 * (Number(answer.headers.get("Retry-After")) || SOON));
    return "later";
  }

  return { laterOf };
})();
