"""Whether a stage may be called finished, settled or certain: what is still open of its sheets and ties."""

from scoring.certainty import Certainty
from tournament.core.models.stage import Stage
from tournament.ranking.domain.standings import LiveRanking, certainty_by_number
from tournament.ranking.queries.open_stages import StillOpen, still_open


def stage_still_open(stage: Stage) -> StillOpen:
    """What the stage waits for; `is_finished` where its ranking waits for nothing."""
    return still_open(stage)


def is_ready_but_for_hour(open_still: StillOpen, *, contested: bool) -> bool:
    """Whether nothing but its hour is missing for a release. `contested`: a tie that only a person may part is left,
    across the line, of the podium or of the award."""
    return open_still.is_settled(contested=contested)


def certainty_now_by_number(live: LiveRanking) -> dict[int, Certainty]:
    """By number: what no sheet that is still to come changes. A correction, a disqualification or a replay does."""
    return certainty_by_number(live)
