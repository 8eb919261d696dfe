"""What happens to an entry at the desk: a no-show, a withdrawal, a disqualification, and taking each of them back.

A locked sheet is never touched by it (R41): the status decides alone who is ranked. Of somebody with games on one it
therefore changes the ranking, and belongs to an organiser or the chief judge.
"""

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.audit import services
from tournament.core.acts import ACTS
from tournament.core.enums import LOCKED_STATES, EntrantStatus, Role, SessionState
from tournament.core.errors import BadInput, Forbidden, Refused, StaleVersion
from tournament.core.models.event import Event, Membership
from tournament.entrants.models.people import Entrant, Ruling
from tournament.entrants.queries import entrants as entrants_query
from tournament.entrants.queries.finalists import furthest, is_finalist
from tournament.sheets.models.scoresheet import Line

STATUS_REASON_MAX_LENGTH = 500
NO_SHOW_SESSION_POSTPONED = _(
    "The session of entrant %(number)s is postponed: nobody can miss it. Record a withdrawal instead."
)
ENTRANT_ALREADY_RANKED = _(
    "Entrant %(number)s has games on a signed scoresheet, so this changes the ranking. An organiser or the chief judge "
    "records it."
)
# Whose act a change of the ranking is.
ROLES_MAY_CHANGE_RANKING = frozenset({Role.ORGANISER, Role.CHIEF_JUDGE})
# The act by which an entrant comes to be absent, by the status that it leads to.
ENTRANT_STATUS_ACTS = {
    ACTS[name].leads_to: name for name in ("record_no_show", "record_withdrawal", "disqualify_entrant")
}


@transaction.atomic
def record_absence(
    entrant: Entrant,
    *,
    status: EntrantStatus,
    reason: str,
    by: User,
    seen: EntrantStatus | None = None,
    revision: int | None = None,
) -> Entrant:
    """Record that an entrant did not come, has withdrawn or is disqualified (R6, R44, R46); the same again is nothing.

    `seen` is the status, `revision` the entry, that its maker had before them; another meanwhile refuses (412).
    1. a reason; 2. the same already: nothing; 3. only one who takes part can be absent, though anybody can be
    disqualified; 4. nobody with games on a locked sheet, a finalist of the final, is a no-show, and what else becomes
    of them is recorded by who may change the ranking (403); 5. the swap; 6. the ruling; 7. the audit entry.
    """
    if status not in ENTRANT_STATUS_ACTS:
        raise BadInput("not_an_absence", _("Choose no-show, withdrawn or disqualified."))
    reason = check_status_reason(reason)
    # As who changes the list does: its several entries are written while it holds the rows of some entrants.
    Event.objects.select_for_update(no_key=True).get(pk=entrant.event_id)
    kept = Entrant.objects.select_related("event", "session").get(pk=entrant.pk)
    if kept.status == status:
        return kept
    refuse_stale_entrant(kept, seen, revision)
    if not ACTS[ENTRANT_STATUS_ACTS[status]].allows(kept.status):
        raise Refused(
            "already_absent",
            _("Entrant %(number)s is recorded as %(status)s. Readmit first, then record anew."),
            number=str(kept),
            status=EntrantStatus(kept.status).label,
        )
    postponed = kept.session.state == SessionState.POSTPONED and not is_finalist(kept)
    if status == EntrantStatus.FORFEITED and postponed:
        raise Refused("session_postponed", NO_SHOW_SESSION_POSTPONED, number=str(kept))
    if status == EntrantStatus.FORFEITED and has_played(kept):
        raise Refused(
            "has_played",
            _("A signed sheet has games of entrant %(number)s: no no-show. Record a withdrawal instead."),
            number=str(kept),
        )
    refuse_ranked(kept, by)
    return update_entrant_status(kept, status, ENTRANT_STATUS_ACTS[status], status.value, reason, by)


@transaction.atomic
def readmit_entrant(
    entrant: Entrant,
    *,
    reason: str,
    by: User,
    seen: EntrantStatus | None = None,
    revision: int | None = None,
) -> Entrant:
    """Take an absence or a disqualification back; nothing if the entrant takes part already.

    1. a reason; 2. under the event's lock, since a withdrawn entrant's place may be given away (R2); 3. with games on
    a locked sheet by who may change the ranking (403), and nobody whose locked sheet says that they left, since that
    sheet cannot change (R41); 4. swap, ruling, audit entry.
    """
    reason = check_status_reason(reason)
    Event.objects.select_for_update(no_key=True).get(pk=entrant.event_id)
    kept = Entrant.objects.select_related("event", "session").get(pk=entrant.pk)
    if kept.status == EntrantStatus.OK:
        return kept
    refuse_stale_entrant(kept, seen, revision)
    refuse_ranked(kept, by)
    if kept.status == EntrantStatus.WITHDRAWN and not is_finalist(kept):
        refuse_full(kept)
    if official_lines_of(kept).filter(left=True).exists():
        raise Refused(
            "left_on_a_locked_sheet",
            _("The signed sheet says that entrant %(number)s left during play; it cannot be changed."),
            number=str(kept),
        )
    return update_entrant_status(kept, EntrantStatus.OK, "readmit_entrant", "readmitted", reason, by)


def check_status_reason(reason: str) -> str:
    """The reason trimmed; none or too long is refused (R46)."""
    reason = reason.strip()
    if not reason or len(reason) > STATUS_REASON_MAX_LENGTH:
        raise BadInput("reason_needed", _("Say in a few words why (at most 500 characters)."))
    return reason


def refuse_stale_entrant(entrant: Entrant, seen: EntrantStatus | None, revision: int | None = None) -> None:
    """Somebody changed the status, or anything of the entry, after it was shown."""
    if revision is not None and revision != entrant.revision:
        raise entrant_stale_error(entrant)
    if seen is not None and seen != entrant.status:
        raise StaleVersion(
            "status_changed",
            _("Entrant %(number)s was meanwhile recorded as %(status)s. Look again before you record anything."),
            current=entrant.status,
            number=str(entrant),
            status=EntrantStatus(entrant.status).label,
        )


def refuse_full(entrant: Entrant) -> None:
    """The place that a withdrawal gave back may be somebody else's by now."""
    taken = entrants_query.places_taken(entrant.event)
    if taken.get(entrant.session_id, 0) >= entrant.session.capacity or sum(taken.values()) >= entrant.event.quota:
        raise Refused(
            "no_place_left",
            _("The place of entrant %(number)s has been given away: session %(session)s is full."),
            number=str(entrant),
            session=entrant.session.code,
        )


def refuse_ranked(entrant: Entrant, by: User) -> None:
    """Whose games count already is taken out of the ranking, or back into it, by an organiser or the chief judge."""
    if has_played(entrant) and not may_change_ranking(entrant.event, by):
        raise Forbidden("changes_the_ranking", ENTRANT_ALREADY_RANKED, about=entrant, number=str(entrant))


def may_change_ranking(event: Event, account: User) -> bool:
    """Whether a change of the ranking is this account's act."""
    return Membership.objects.filter(event=event, user=account.pk, role__in=ROLES_MAY_CHANGE_RANKING).exists()


def has_played(entrant: Entrant) -> bool:
    """Whether a locked sheet holds games of this entrant; of a finalist, one of the final, to which alone they can now
    fail to come."""
    lines = official_lines_of(entrant)
    if listed := furthest(entrant):
        # By its few tables: PostgreSQL, where it has counted nothing yet, begins a join from the wrong end.
        seats = entrant.seats.filter(session__stage=listed.stage_id)
        lines = lines.filter(game__scoresheet__table__in=list(seats.values_list("table", flat=True)))
    return lines.exists()


def official_lines_of(entrant: Entrant) -> QuerySet[Line]:
    """The entrant's lines on the locked sheet that counts: a version that a correction has replaced says nothing, nor
    does a session that is void."""
    return Line.objects.filter(
        entrant=entrant, game__scoresheet__state__in=LOCKED_STATES, game__scoresheet__official_for__isnull=False
    ).exclude(game__scoresheet__table__session__state=SessionState.VOID)


def update_entrant_status(
    entrant: Entrant, status: EntrantStatus, action: str, kind: str, reason: str, by: User
) -> Entrant:
    """Change the status from what was read, and write down who, when and why."""
    before = entrant.revision
    same = Entrant.objects.filter(pk=entrant.pk, status=entrant.status, revision=before)
    if not same.update(status=status, revision=before + 1):
        refuse_stale_entrant(Entrant.objects.get(pk=entrant.pk), EntrantStatus(entrant.status))
        raise entrant_stale_error(entrant)
    entrant.status, entrant.revision = status, before + 1
    Ruling.objects.create(entrant=entrant, kind=kind, reason=reason, by=by, at=timezone.now())
    services.append_audit_entry(
        entrant.event, by, action, f"entrant {entrant}", revision=(before, entrant.revision), reason=reason
    )
    return entrant


def entrant_stale_error(entrant: Entrant) -> StaleVersion:
    """The refusal where somebody changed the entrant meanwhile."""
    return StaleVersion(
        "entrant_changed",
        _("Nothing was changed: somebody changed entrant %(number)s meanwhile. Look at it as it stands, then repeat."),
        number=str(entrant),
    )
