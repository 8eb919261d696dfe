"""Places of the next stage as they are answered: accepted or declined, with who and why (R37).

The call of reserves follows by being computed; nothing of it is stored.
"""

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from scoring.final_places import FinalistPlace
from tournament.audit import services
from tournament.audit.models import AuditHead
from tournament.core import canonical
from tournament.core.dateformat import datetime_text
from tournament.core.enums import Answer
from tournament.core.errors import BadInput, Refused, StaleVersion
from tournament.core.models.stage import Stage
from tournament.entrants.models.final import Invitation
from tournament.entrants.models.people import Entrant
from tournament.entrants.queries.finalists import next_stage
from tournament.finalists.domain.release_places import LivePlaces, holders_displaced_by, holds_place, live_places
from tournament.messages.services import mailings_ending
from tournament.ranking.domain.standings import ranking_entrant_id
from tournament.releases.models import PlaceAnswer

PLACE_ALREADY_TAKEN = _("The place of entrant %(number)s has been taken up by a reserve since.")
PLACE_ALREADY_OFFERED = _(
    "The place that entrant %(number)s gave up was offered to reserve %(reserve)s, who has a link for it. It is free "
    "again only when that reserve declines."
)


@transaction.atomic
def record_place_answer(
    stage: Stage,
    *,
    number: int,
    answer: str,
    by: User | None,
    reason: str = "",
    seen: int = 0,
    invitation: Invitation | None = None,
    now: datetime | None = None,
) -> PlaceAnswer:
    """Record what a finalist answered. `seen` is the answer that its maker saw on the page, by id; 0 for none.

    At the desk by an account, which writes down why a place is declined; by the private link `by` is None.

    1. The audit head is the lock. 2. The same answer in force: it is returned and nothing is written; another than the
    one seen: 412. 3. Before the last moment for answers, and not against the list of the final once it is frozen
    (409). 4. The entrant holds a place, or held one and takes it back while nobody who has accepted, or was offered it
    as a reserve, would lose theirs (409). 5. Row and audit entry.
    """
    now = now or timezone.now()
    reason = reason.strip()
    AuditHead.objects.select_for_update(no_key=True).get(event=stage.event_id)
    live, id = live_places(stage), ranking_entrant_id(number)
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
    if answer == Answer.DECLINED and not reason and invitation is None:
        raise BadInput("reason_missing", _("Write down why the place is declined."))
    if stage.answers_until and now >= stage.answers_until:
        raise Refused(
            "answers_closed",
            _("Answers were taken until %(at)s. An organiser may set a later moment."),
            at=datetime_text(stage.answers_until),
        )
    _refuse_frozen(stage, id, invitation)
    return write_answer(build_place_answer(stage, live, id, answer, reason, by, now, invitation))


def write_answer(made: PlaceAnswer) -> PlaceAnswer:
    """Save an answer that may be given, with its audit entry, and stop the mails of those whose place is another now;
    the caller holds the lock."""
    made.save(force_insert=True)
    digest, details = place_answer_digest(made), {"answer": str(made.answer)}
    subject = f"entrant {ranking_entrant_id(made.entrant.number)}"
    services.append_audit_entry(
        made.stage.event,
        made.by,
        "record_answer",
        subject,
        digest=("", digest),
        reason=made.reason[:500],
        details=details,
        at=made.at,
    )
    mailings_ending.end_outdated(made.stage.event, by=made.by, now=made.at)
    return made


def place_answer_digest(answer: PlaceAnswer) -> str:
    """Of one answer: stage, words, the release that was current, and the link where it came by one."""
    by_link = [link_digest(answer.invitation)] if answer.invitation else []
    return canonical.digest_of([answer.stage.kind, answer.answer, answer.reason, answer.release, *by_link])


def link_digest(invitation: Invitation) -> str:
    """Of one link: which stage's, whose, and what its text is made from; of an erased one what it was."""
    if invitation.erased_digest and not invitation.nonce:
        return invitation.erased_digest
    return canonical.digest_of([invitation.stage.kind, invitation.entrant.number, invitation.nonce])


def _refuse_frozen(stage: Stage, id: str, invitation: Invitation | None) -> None:
    """The frozen list changes by thawing alone; of reserves who are not on it the desk may still write answers."""
    final = next_stage(stage)
    if final is None or final.frozen_at is None:
        return
    if invitation is not None or final.finalists.filter(entrant__number=int(id)).exists():
        raise Refused("list_frozen", _("The list of finalists is fixed: an organiser changes it at the desk."))


def build_place_answer(
    stage: Stage,
    live: LivePlaces,
    id: str,
    answer: str,
    reason: str,
    by: User | None,
    now: datetime,
    invitation: Invitation | None,
) -> PlaceAnswer:
    """The answer as a row not saved yet, where this entrant has one to give."""
    entrant, holds = live.entrants.get(id), holds_place(live, id)
    if live.release is None or entrant is None or not (holds or id in live.answers):
        raise Refused("no_place", _("Entrant %(number)s holds no place now: there is nothing to answer."), number=id)
    made = PlaceAnswer(
        stage=stage,
        entrant=Entrant.objects.get(pk=entrant.id),
        answer=answer,
        reason=reason,
        release=live.release.number,
        by=by,
        invitation=invitation,
        at=now,
    )
    if not holds:
        refuse_taken_place(holders_displaced_by(live, made, id), id)
    return made


def refuse_taken_place(lost: tuple[FinalistPlace, ...] | None, id: str) -> None:
    """A place that was given up does not come back from a reserve who has it, or was told that it may be theirs."""
    if lost is None or any(one.answer for one in lost):
        raise Refused("place_taken", PLACE_ALREADY_TAKEN, number=id)
    if lost:
        raise Refused("place_offered", PLACE_ALREADY_OFFERED, number=id, reserve=lost[0].id)


@transaction.atomic
def set_answers_until(stage: Stage, *, until: datetime | None, seen: datetime | None, by: User) -> Stage:
    """Set the last moment for answers; None for none. `seen` is the one that its maker saw (412 otherwise).

    1. Compare-and-swap. 2. Audit entry. 3. What is mailed with another moment ends. Set so already: nothing is
    written.
    """
    now = Stage.objects.select_for_update(no_key=True).get(pk=stage.pk).answers_until
    AuditHead.objects.select_for_update(no_key=True).get(event=stage.event_id)
    if now != until:
        if not Stage.objects.filter(pk=stage.pk, answers_until=seen).update(answers_until=until):
            raise StaleVersion(
                "answers_until_changed", _("Somebody else has set another last moment. Look again."), current=now
            )
        details = {"until": until.isoformat() if until else ""}
        services.append_audit_entry(stage.event, by, "set_answers_until", f"stage {stage.kind}", details=details)
        mailings_ending.end_outdated(stage.event, by=by)
    stage.refresh_from_db(fields=["answers_until"])
    return stage
