"""Places of the next stage as they are answered: accepted or declined, with who and why (R37).

The call of reserves follows by being computed; nothing of it is stored.
"""

from datetime import datetime

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.bridge.release_places import LivePlaces, live_places, places_of
from tournament.bridge.standings import entrant_id
from tournament.enums import Answer
from tournament.errors import BadInput, Refused, StaleVersion
from tournament.models import AuditHead, Entrant, PlaceAnswer, Stage
from tournament.moments import datetime_text
from tournament.services import audit


@transaction.atomic
def record_answer(
    stage: Stage,
    *,
    number: int,
    answer: str,
    by: AbstractUser,
    reason: str = "",
    seen: int = 0,
    now: datetime | None = None,
) -> PlaceAnswer:
    """Record what a finalist answered. `seen` is the answer that its maker saw on the page, by id; 0 for none.

    1. The audit head is the lock. 2. The same answer in force: it is returned and nothing is written; another than the
    one seen: 412. 3. Before the last moment for answers (409). 4. The entrant holds a place, or held one and takes it
    back while nobody who has accepted would lose theirs (409). 5. Row and audit entry.
    """
    now = now or timezone.now()
    reason = reason.strip()
    AuditHead.objects.select_for_update().get(event=stage.event_id)
    live, id = live_places(stage), entrant_id(number)
    standing = live.answers.get(id)
    if standing and standing.answer == answer:
        return standing
    if (standing.pk if standing else 0) != seen:
        raise StaleVersion(
            "answer_changed",
            _("Somebody else has recorded an answer of this entrant: nothing was written. Look again."),
            about=stage,
            current=standing,
        )
    if answer == Answer.DECLINED and not reason:
        raise BadInput("reason_missing", _("Write down why the place is declined."))
    if stage.answers_until and now >= stage.answers_until:
        raise Refused(
            "answers_closed",
            _("Answers were taken until %(at)s. An organiser may set a later moment."),
            at=datetime_text(stage.answers_until),
        )
    made = _made(stage, live, id, answer, reason, by, now)
    made.save(force_insert=True)
    said, digest = f"{answer}. {reason}".strip()[:500], digest_of(made)
    audit.record(stage.event, by, "record_answer", f"entrant {id}", digest=("", digest), reason=said, at=made.at)
    return made


def digest_of(answer: PlaceAnswer) -> str:
    """Of one answer: stage, words, and the release that was current."""
    return audit.digest_of([answer.stage.kind, answer.answer, answer.reason, answer.release])


def _made(
    stage: Stage, live: LivePlaces, id: str, answer: str, reason: str, by: AbstractUser, now: datetime
) -> PlaceAnswer:
    """The answer as a row not saved yet, where this entrant has one to give."""
    entrant = live.entrants.get(id)
    holding = {holder.id for holder in live.places.holders}
    if live.release is None or entrant is None or (id not in holding and id not in live.answers):
        raise Refused("no_place", _("Entrant %(number)s holds no place now: there is nothing to answer."), number=id)
    made = PlaceAnswer(
        stage=stage,
        entrant=Entrant.objects.get(pk=entrant.id),
        answer=answer,
        reason=reason,
        release=live.release.number,
        by=by,
        at=now,
    )
    if id not in holding:
        after = places_of(live.release, live.entrants, {**live.answers, id: made}, live.decisions)
        kept = {holder.id for holder in after.holders}
        accepted = {holder.id for holder in live.places.holders if holder.answer == Answer.ACCEPTED}
        if id not in kept or accepted - kept:
            raise Refused(
                "place_taken", _("The place of entrant %(number)s has been taken up by a reserve since."), number=id
            )
    return made


@transaction.atomic
def set_answers_until(stage: Stage, *, until: datetime | None, seen: datetime | None, by: AbstractUser) -> Stage:
    """Set the last moment for answers; None for none. `seen` is the one that its maker saw (412 otherwise).

    1. Compare-and-swap. 2. Audit entry. Set so already: nothing is written.
    """
    AuditHead.objects.select_for_update().get(event=stage.event_id)
    now = Stage.objects.only("answers_until").get(pk=stage.pk).answers_until
    if now != until:
        if not Stage.objects.filter(pk=stage.pk, answers_until=seen).update(answers_until=until):
            raise StaleVersion(
                "answers_until_changed", _("Somebody else has set another last moment. Look again."), current=now
            )
        audit.record(stage.event, by, "set_answers_until", f"stage {stage.kind}", reason=f"{until or 'none'}")
    stage.refresh_from_db(fields=["answers_until"])
    return stage
