/* A page on which a sheet's cells are decided (a dispute, a third look): what is typed and chosen is kept in this browser
   until a press has brought it to the server, and the page says where it cannot go. Nothing goes by itself: a decision is a
   press. Without this file the page works the same, and keeps nothing. */
onPagesWith("sheet_decided", () => {
  const { offerKept, say, withOffered } = sheetOffer;
  const { drop, figuresOf, isFigure, keep, nameOf, onTheirWay } = sheetStore;
  const { FINE, holdBack, OTHER, watch } = sheetWatch;

  const form = document.querySelector("[data-decides]");

  function begin(place) {
    const name = nameOf(place.dataset);
    let keptAt = 0; // when the cells were last kept, 0 while nothing was typed
    let leaving = false;
    let offered = {}; // cells that are offered and neither taken nor dropped yet

    const watching = watch({ address: place.dataset.who, account: place.dataset.account, dirty: () => keptAt > 0 && !leaving, told });

    const tell = (said) => say(place, said, keptAt);

    function told(state) {
      if (state === OTHER) drop(name);
      tell(state === FINE ? keptAt && "here" : state);
    }

    /** At each key; somebody else's sign-in keeps nothing of it. */
    function changed({ target }) {
      if (!isFigure(target.name) || watching.state() === OTHER) return;
      keptAt = Date.now();
      const there = keep(name, withOffered(figuresOf(form), offered), keptAt);
      if (watching.state() === FINE) tell(there ? "here" : "nowhere");
    }

    const goes = () => {
      leaving = true;
      onTheirWay(name);
    };

    form.addEventListener("input", changed);
    form.addEventListener("submit", holdBack(form, watching, { tell, goes }));
    window.addEventListener("beforeunload", (event) => {
      if (keptAt && !leaving) event.preventDefault();
    });
    offered = offerKept(place, form, name, (taken) => {
      offered = {};
      if (!taken) return;
      keptAt = Date.now();
      tell("here");
    });
  }

  const place = form?.querySelector("[data-kept]");
  if (place) begin(place);
});
