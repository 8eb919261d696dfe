"""Who holds the places of the next stage now: the current release, the answers recorded since, who is gone (R37)."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.final_places import HELD_AS_RESERVE, FinalistPlace, FinalPlaces, fill_final_places
from scoring.tie_break import ReservePlace
from tournament.core.enums import Answer, DecisionOf, EntrantStatus
from tournament.core.models.stage import Stage
from tournament.finalists.queries import links_in_force, numbers_mailed
from tournament.publication.queries.release import newest_answers
from tournament.ranking.domain.standings import ranking_entrant_id
from tournament.ranking.domain.tie_breaks import decision_value
from tournament.ranking.models.tie_break import TieBreak
from tournament.ranking.queries.standings import EntrantRow, entrant_rows
from tournament.releases.models import PlaceAnswer, Release
from tournament.releases.queries import current_release


@dataclass(frozen=True, slots=True)
class LivePlaces:
    """The places as they stand. `release` None: nothing is released, or it was withdrawn, and there are none.

    `answers` by entrant's id: the newest of each; `entrants` by id; `decisions` of reserve places, newest first.
    """

    release: Release | None
    places: FinalPlaces
    answers: dict[str, PlaceAnswer]
    entrants: dict[str, EntrantRow]
    decisions: tuple[TieBreak, ...] = ()


NO_FINAL_PLACES = FinalPlaces((), (), (), None, 0)


def live_places(stage: Stage, *, people: bool = True) -> LivePlaces:
    """The places now; a fixed number of queries. Without a release nobody holds one; `people`: the entrants and their
    answers all the same, for a list that was fixed before."""
    release = current_release(stage)
    if release is None and not people:
        return LivePlaces(None, NO_FINAL_PLACES, {}, {})
    entrants = {ranking_entrant_id(row.number): row for row in entrant_rows(stage)}
    answers = {ranking_entrant_id(answer.entrant.number): answer for answer in newest_answers(stage)}
    if release is None:
        return LivePlaces(None, NO_FINAL_PLACES, answers, entrants)
    decided = reserve_decisions(stage)
    return LivePlaces(release, final_places_of_release(release, entrants, answers, decided), answers, entrants, decided)


def reserve_decisions(stage: Stage) -> tuple[TieBreak, ...]:
    """The chief judge's decisions of reserve places, newest first."""
    return tuple(stage.tie_breaks.filter(of=DecisionOf.RESERVE).select_related("by").order_by("-at", "-id"))


def final_places_of_release(
    release: Release,
    entrants: dict[str, EntrantRow],
    answers: dict[str, PlaceAnswer],
    decisions: Sequence[TieBreak],
) -> FinalPlaces:
    """The rules' answer for these answers and decisions of reserve places, newest first."""
    ranking = release.content["ranking"]
    reserves = [line for line in ranking if line["reserve"]]
    reserves.sort(key=lambda line: (line["reserve"][0], line["number"]))
    return fill_final_places(
        [ranking_entrant_id(line["number"]) for line in ranking if line["advancing"]],
        [ReservePlace(ranking_entrant_id(line["number"]), *line["reserve"]) for line in reserves],
        answers={id: answer.answer for id, answer in answers.items()},
        unavailable={id for id, row in entrants.items() if row.status != EntrantStatus.OK},
        decisions=[decision_value(one) for one in decisions],
    )


def holds_place(live: LivePlaces, id: str) -> bool:
    """Whether this entrant holds a place now."""
    return any(holder.id == id for holder in live.places.holders)


def holders_displaced_by(live: LivePlaces, made: PlaceAnswer, id: str) -> tuple[FinalistPlace, ...] | None:
    """Who would lose a place that they accepted, or that was offered to them as reserves by a link of their own, if one
    who gave it up held it again by this answer; None: that one would hold none by it."""
    if live.release is None:
        return None
    after = final_places_of_release(live.release, live.entrants, {**live.answers, id: made}, live.decisions)
    kept = {holder.id for holder in after.holders}
    if id not in kept:
        return None
    lost = [holder for holder in live.places.holders if holder.id not in kept]
    links = links_in_force(made.stage) if lost else {}
    return tuple(one for one in lost if one.answer == Answer.ACCEPTED or live.entrants[one.id].number in links)


def reserves_not_yet_mailed(stage: Stage, live: LivePlaces) -> list[int]:
    """Numbers of the reserves who were called, have not answered, and to whom no mail with their link has gone out:
    somebody telephones, or makes the link and mails it."""
    called = [one.id for one in live.places.holders if one.by == HELD_AS_RESERVE and one.answer is None]
    numbers = [live.entrants[id].number for id in called]
    mailed = numbers_mailed(stage) if numbers else frozenset()
    return [number for number in numbers if number not in mailed]
