"""A released preliminary of twelve of whom four advance, with a final: what the tests of invitations begin with."""

from django.contrib.auth.models import User
from django.utils import timezone

from tests.core.finals import add_final, preliminary_played
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.finalists.domain.release_places import live_places
from tournament.finalists.services.release_places import record_place_answer
from tournament.publication.services.release import release_results
from tournament.releases.models import PlaceAnswer

ADVANCE = 4


def invited(session: Session, by: User, *, rounds: int = 1) -> tuple[Stage, Stage]:
    """The preliminary, released once, and its final; nobody has a link or has answered."""
    stage = preliminary_played(session, by)
    stage.advance = ADVANCE
    stage.save(update_fields=["advance"])
    Event.objects.filter(pk=stage.event_id).update(results_at=timezone.now())
    stage.event.refresh_from_db()
    release_results(stage, by=by)
    return stage, add_final(stage.event, rounds=rounds)


def holders(stage: Stage) -> list[int]:
    """The numbers of those who hold a place, in order."""
    return [int(holder.id) for holder in live_places(stage).places.holders]


def answered(stage: Stage, by: User, number: int, answer: str = "accepted") -> PlaceAnswer:
    """An answer at the desk, whatever stood before."""
    standing = live_places(stage).answers.get(f"{number:04d}")
    seen = standing.pk if standing else 0
    return record_place_answer(stage, number=number, answer=answer, by=by, reason="abroad", seen=seen)
