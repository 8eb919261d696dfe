"""How one advances from a stage to the next: registered classes, named by `Stage.qualifying` (R37)."""

from typing import Protocol

from django.utils.translation import gettext_noop as _

from scoring.qualification import qualify_by_rank
from scoring.ruleset import Ruleset
from scoring.values import Qualification, Ranking


class Qualifying(Protocol):
    """Who advances by a ranking, who waits in which order, and which full tie the chief judge decides."""

    words: str
    """How the set-up names it: a msgid."""

    def line(self, ruleset: Ruleset, ranking: Ranking, places: int | None) -> Qualification:
        """The cut-off, for so many places; None: no number is fixed yet."""


class TopPlaces:
    """The best of the ranking, as many as there are places; the others wait as reserves in its order."""

    words = _("the best of the ranking; the others wait as reserves in its order")

    def line(self, ruleset: Ruleset, ranking: Ranking, places: int | None) -> Qualification:
        return qualify_by_rank(ruleset, ranking, places)


class NobodyAdvances:
    """Of the last stage: there is no cut-off and no reserve."""

    words = _("nobody: it is the last stage")

    def line(self, ruleset: Ruleset, ranking: Ranking, places: int | None) -> Qualification:
        return Qualification((), None, ())


TOP_PLACES = "top_places"
QUALIFYING: dict[str, Qualifying] = {TOP_PLACES: TopPlaces(), "": NobodyAdvances()}
