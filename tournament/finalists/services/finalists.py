"""The list of finalists, fixed for seating: frozen, thawed, one exchanged for the next reserve (R37, R38).

Who is on it has accepted. Whoever had not answered is struck, with the organiser's reason, so that the answers say of
everybody how they came to play or not, and silence is never written as somebody's word.
"""

from collections.abc import Collection, Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.audit import services
from tournament.audit.models import AuditHead
from tournament.core import canonical
from tournament.core.dateformat import datetime_text
from tournament.core.enums import Answer, EntrantStatus
from tournament.core.errors import BadInput, Refused, StaleVersion
from tournament.core.models.stage import Stage
from tournament.entrants.models.final import Finalist
from tournament.entrants.models.people import Entrant
from tournament.entrants.queries.finalists import previous_stage
from tournament.finalists.domain.release_places import LivePlaces, live_places
from tournament.finalists.services.release_places import write_answer
from tournament.messages.services import mailings_ending
from tournament.releases.models import PlaceAnswer
from tournament.sheets.queries.values import account_name_of
from tournament.tables.models import Draw

FINALISTS_REASON_MAX_LENGTH = 500
FINALISTS_REASON_MISSING = _("Write down why, in at most 500 characters.")
FINALISTS_CHANGED_MEANWHILE = _(
    "Nothing was written: the list or an answer has changed since this page was shown. The newest: %(what)s, by "
    "%(who)s, %(at)s. Look again."
)
NOT_ON_FINALIST_LIST = _("Entrant %(number)s is not on the list of finalists: nothing was written.")
ALREADY_ON_FINALIST_LIST = _("Entrant %(number)s is on the list of finalists already: nothing was written.")
EXCHANGE_NAMES_NOBODY = _("Write down who gives a place up, or let the next reserve take an empty place.")
PLACES_CHANGED = _("The places have changed since this page was shown: nothing was written. Look again.")
FINAL_DRAW_CONFIRMED = _(
    "A draw of the final is confirmed: its finalists stay as they are. Record an absence at the desk instead."
)


def finalists_seen_digest(live: LivePlaces, listed: Collection[int] = ()) -> str:
    """What a page has seen of the places: the release, every holder, the newest answer of each; and, once the list is
    fixed, the numbers on it."""
    holders = [[one.id, live.answers[one.id].pk if one.id in live.answers else 0] for one in live.places.holders]
    return canonical.digest_of(
        [live.release.number if live.release else 0, holders, *([sorted(listed)] if listed else [])]
    )


@transaction.atomic
def freeze_finalists(
    final: Stage, *, seen: str, by: User, strike: bool = False, reason: str = "", now: datetime | None = None
) -> Stage:
    """Fix the list: everyone who holds a place and has accepted. `strike`: who has not answered is struck for `reason`.

    1. The audit head is the lock. 2. Frozen already: it is returned and nothing is written. 3. The places are those
    that were `seen` (412); somebody has accepted. 4. Nobody is left without an answer, or they are struck after the
    last moment for answers. 5. The swap, the rows, the entry.
    """
    now = now or timezone.now()
    locked = lock_final(final)
    if locked.frozen_at is not None:
        return locked
    preliminary = preliminary_of_final(locked)
    live = released_places(preliminary)
    if seen != finalists_seen_digest(live):
        raise StaleVersion("places_changed", PLACES_CHANGED, about=locked)
    accepted = [one.id for one in live.places.holders if one.answer == Answer.ACCEPTED]
    if not accepted:
        raise Refused("nobody_accepted", _("Nobody has accepted a place yet: there is nobody to put on the list."))
    waiting = [one.id for one in live.places.holders if one.answer is None]
    if waiting and not strike:
        raise Refused(
            "unanswered", _("%(count)s who hold a place have not answered. Strike them, or wait."), count=len(waiting)
        )
    if waiting:
        strike_unanswered(preliminary, live, waiting, by, reason, now)
    write_frozen_list(locked, released_ranks(live, accepted), by, now)
    return locked


@transaction.atomic
def thaw_finalists(final: Stage, *, seen: str, reason: str, by: User, now: datetime | None = None) -> Stage:
    """Open the list again; answers count as they were given. Open already: nothing is written.

    Refused: `places_changed` (412, with what the other did) where places or list are no more as they were `seen`;
    `final_drawn` once a draw of the final is confirmed; `finalist_gone` for a finalist of whom a withdrawal
    or the like is recorded: it would count in the ranking that was won.
    """
    locked = lock_final(final)
    if locked.frozen_at is not None:
        reason, preliminary = check_finalists_reason(reason), preliminary_of_final(locked)
        if seen != finalists_seen_digest(
            live_places(preliminary), locked.finalists.values_list("entrant__number", flat=True)
        ):
            raise finalists_stale_error(preliminary, locked)
        _may_change(locked)
        clear_frozen_list(locked, reason, by, now or timezone.now())
    return locked


@transaction.atomic
def exchange_finalist(
    final: Stage,
    *,
    seen: str,
    by: User,
    reason: str,
    number: int | None = None,
    reserve: int | None = None,
    now: datetime | None = None,
) -> Stage:
    """Take a finalist off the frozen list, put the next reserve on it, or both: thawed and frozen in one act.

    `number` gives the place up, which is written as a decline; left out: a place is empty. `reserve` has accepted;
    left out: the place stays empty. Sent twice it is harmless where its caller runs it once for a request key.

    1. Lock; frozen, places and list as they were `seen` (412, with what the other did); no draw of the final confirmed.
    2. Who is named is on the list, and the reserve is not. 3. The decline. 4. The reserve is the first who is called in
    the true order and not on the list (409 `reserve_not_next`); the acceptance. 5. Old list off, new list on.
    """
    now, reason = now or timezone.now(), check_finalists_reason(reason)
    locked = lock_final(final)
    if locked.frozen_at is None:
        raise Refused("not_frozen", _("The list of finalists is open. Record the answers, then fix it."))
    listed = {one.entrant.number: one.rank for one in locked.finalists.select_related("entrant")}
    preliminary = preliminary_of_final(locked)
    live = released_places(preliminary)
    if seen != finalists_seen_digest(live, listed):
        raise finalists_stale_error(preliminary, locked)
    check_exchange_named(listed, number, reserve)
    _may_change(locked)
    if number is not None:
        write_organiser_answer(preliminary, live, f"{number:04d}", Answer.DECLINED, by, reason, now)
        del listed[number]
    if reserve is not None:
        live = live_places(preliminary)
        check_next_reserve(live, listed, reserve)
        write_organiser_answer(preliminary, live, f"{reserve:04d}", Answer.ACCEPTED, by, "", now)
        listed |= {called: rank for rank, called in released_ranks(live, [f"{reserve:04d}"])}
    clear_frozen_list(locked, reason, by, now)
    write_frozen_list(locked, sorted((rank, number) for number, rank in listed.items()), by, now)
    return locked


def next_reserve_id(live: LivePlaces, listed: Collection[int]) -> str | None:
    """The id of the first who holds a place and is not on this list: whom an exchange would put there."""
    return next((one.id for one in live.places.holders if live.entrants[one.id].number not in listed), None)


def finalist_list_digest(listed: Sequence[tuple[int, int]]) -> str:
    """Of a list: every rank with the entrant's number, in order."""
    return canonical.digest_of([list(one) for one in sorted(listed)])


def check_exchange_named(listed: Collection[int], number: int | None, reserve: int | None) -> None:
    """Whoever gives a place up has one, whoever takes one has none; somebody is named."""
    if number is None and reserve is None:
        raise BadInput("nobody_named", EXCHANGE_NAMES_NOBODY)
    if number is not None and number not in listed:
        raise Refused("not_listed", NOT_ON_FINALIST_LIST, number=f"{number:04d}")
    if reserve is not None and reserve in listed:
        raise Refused("reserve_listed", ALREADY_ON_FINALIST_LIST, number=f"{reserve:04d}")


def finalists_stale_error(preliminary: Stage, final: Stage) -> StaleVersion:
    """412 with the newest answers, given in one act; without any, the plain sentence."""
    rows = PlaceAnswer.objects.filter(stage=preliminary).select_related("entrant", "by").order_by("-at", "-pk")
    newest = rows.first()
    if newest is None:
        return StaleVersion("places_changed", PLACES_CHANGED, about=final)
    together = [one for one in rows if one.at == newest.at]
    what = "; ".join(f"{one.entrant.number:04d} {Answer(one.answer).label}" for one in reversed(together))
    who = account_name_of(newest.by) if newest.by else f"{newest.entrant.number:04d}"
    at = datetime_text(newest.at)
    return StaleVersion("places_changed", FINALISTS_CHANGED_MEANWHILE, about=final, what=what, who=who, at=at)


# --- Parts ----------------------------------------------------------------------------------------------
def lock_final(final: Stage) -> Stage:
    """The stage, locked before the head of the log, as by every act that changes a stage."""
    Stage.objects.select_for_update(no_key=True).get(pk=final.pk)
    AuditHead.objects.select_for_update(no_key=True).get(event=final.event_id)
    return Stage.objects.select_related("event").get(pk=final.pk)


def preliminary_of_final(final: Stage) -> Stage:
    """The stage that the final is fed by. Raises Refused where there is no final."""
    return previous_stage(final)


def released_places(preliminary: Stage) -> LivePlaces:
    """The places, which there are while a release stands."""
    live = live_places(preliminary)
    if live.release is None:
        raise Refused("nothing_released", _("Nothing is released: there are no places of the final."))
    return live


def check_finalists_reason(reason: str) -> str:
    """The reason without surrounding spaces. Raises BadInput when it is empty or too long."""
    reason = reason.strip()
    if not 0 < len(reason) <= FINALISTS_REASON_MAX_LENGTH:
        raise BadInput("reason_missing", FINALISTS_REASON_MISSING)
    return reason


def strike_unanswered(
    preliminary: Stage, live: LivePlaces, ids: Sequence[str], by: User, reason: str, now: datetime
) -> None:
    """Each who has not answered: struck, by the organiser and for this reason."""
    until = preliminary.answers_until
    if until is not None and now < until:
        raise Refused(
            "answers_open",
            _("Answers are taken until %(at)s: until then nobody is struck. Set an earlier moment first."),
            at=datetime_text(until),
        )
    kept = check_finalists_reason(reason)
    for id in ids:
        write_organiser_answer(preliminary, live, id, Answer.STRUCK, by, kept, now)


def write_organiser_answer(
    preliminary: Stage, live: LivePlaces, id: str, answer: str, by: User, reason: str, now: datetime
) -> None:
    """An answer that an organiser writes with the list, also after the last moment; one in force is not repeated."""
    standing = live.answers.get(id)
    if standing is None or standing.answer != answer:
        entrant = Entrant.objects.get(pk=live.entrants[id].id)
        assert live.release is not None
        facts = {"entrant": entrant, "release": live.release.number, "by": by, "at": now}
        write_answer(PlaceAnswer(stage=preliminary, answer=answer, reason=reason, **facts))


def released_ranks(live: LivePlaces, ids: Sequence[str]) -> list[tuple[int, int]]:
    """Rank as released and number of these entrants, in that order."""
    lines = live.release.content["ranking"] if live.release else []
    ranks = {line["number"]: line["rank"] for line in lines}
    numbers = [live.entrants[id].number for id in ids]
    return sorted((ranks[number], number) for number in numbers)


def check_next_reserve(live: LivePlaces, listed: Collection[int], reserve: int) -> None:
    """R37: called in the true order, nobody passed over in silence."""
    first = next_reserve_id(live, listed)
    if first is None or live.entrants[first].number != reserve:
        raise Refused(
            "reserve_not_next",
            _("Entrant %(number)s is not the next reserve. Next: %(next)s. Who declines before is recorded first."),
            number=f"{reserve:04d}",
            next=first or "—",
        )


def _may_change(final: Stage) -> None:
    """No draw of the final stands, and nobody on the list has gone."""
    if Draw.objects.filter(session__stage=final, confirmed_at__isnull=False).exists():
        raise Refused("final_drawn", FINAL_DRAW_CONFIRMED, about=final)
    gone = final.finalists.exclude(entrant__status=EntrantStatus.OK).order_by("entrant__number")
    numbers = ", ".join(f"{one.entrant.number:04d}" for one in gone.select_related("entrant"))
    if numbers:
        raise Refused(
            "finalist_gone",
            _("%(numbers)s: recorded as absent or disqualified. Readmit them first; the place is given up here."),
            numbers=numbers,
        )


def write_frozen_list(final: Stage, listed: Sequence[tuple[int, int]], by: User, now: datetime) -> None:
    """Open to frozen, with these ranks and numbers."""
    if not Stage.objects.filter(pk=final.pk, frozen_at=None).update(frozen_at=now, frozen_by=by):
        raise StaleVersion("places_changed", PLACES_CHANGED, about=final)
    entrants = Entrant.objects.filter(event=final.event_id, number__in=[number for _rank, number in listed])
    by_number = {entrant.number: entrant for entrant in entrants}
    Finalist.objects.bulk_create(Finalist(stage=final, entrant=by_number[number], rank=rank) for rank, number in listed)
    digest, details = ("", finalist_list_digest(listed)), {"finalists": len(listed)}
    services.append_audit_entry(
        final.event, by, "freeze_finalists", f"stage {final.kind}", digest=digest, details=details, at=now
    )
    final.frozen_at, final.frozen_by = now, by
    mailings_ending.end_outdated(final.event, by=by, now=now)


def clear_frozen_list(final: Stage, reason: str, by: User, now: datetime) -> None:
    """Empty the list, open it again, and end open mailings about its places."""
    rows = final.finalists.values_list("rank", "entrant__number")
    before = finalist_list_digest(list(rows))
    Finalist.objects.filter(stage=final).delete()
    Stage.objects.filter(pk=final.pk).update(frozen_at=None, frozen_by=None)
    subject = f"stage {final.kind}"
    services.append_audit_entry(final.event, by, "thaw_finalists", subject, digest=(before, ""), reason=reason, at=now)
    final.frozen_at = final.frozen_by = None
    mailings_ending.end_places(final.event, by=by, now=now)
