"""Changes of an event that is there: each compares the revision its author has seen and checks what rests on it.

What may still change once play has begun: names, venue, quota (not below the places taken), the embargo until a release
stands, the retention date, and sessions whose seats are not confirmed. Rules, the number that advance and how many
pairs a person may be in may not.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_noop as _
from django_stubs_ext import Annotations

from scoring.problems import Refusal
from scoring.rounds import ruleset_over
from scoring.ruleset import read_ruleset
from tournament.audit import services
from tournament.audit.models import AuditHead
from tournament.core.enums import SessionState
from tournament.core.errors import BadInput, Locked, StaleVersion
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.people import Entrant
from tournament.events.domain import STAGE_MAX_ROUNDS
from tournament.messages.services.published_text import check_published_texts
from tournament.setup import queries
from tournament.setup.services.plan import (
    PlanFault,
    PlannedSession,
    number_sessions,
    planned_session_of,
    session_plan_faults,
    with_kept_numbers,
)
from tournament.setup.services.setup import PUBLIC_TEXTS, USUAL_QUALIFYING, event_setup_digest

EVENT_FACT_FIELDS = (
    "name_zh",
    "name_en",
    "venue_zh",
    "venue_en",
    "contact",
    "quota",
    "several_pairs",
    "results_at",
    "retention_on",
    "erase_by_itself",
)
SETUP_REASON_MAX_LENGTH = 500
MAX_FAMILIES_LISTED = 5
# Far above any session's number: while numbers are given anew no two may meet.
TEMPORARY_NUMBER_OFFSET = 10_000
REHEARSAL_ZH, REHEARSAL_EN = "【演練】", "REHEARSAL: "

SLUG_LOCK = _("The address is in links and on printed sheets; it is given once.")
RULES_LOCK = _("The rules stay as they are: seats are confirmed, or a scoresheet was begun.")
PAIRS_LOCK = _(
    "Seats are confirmed, or a scoresheet was begun: how many pairs a person may be in stays as it was announced."
)
ADVANCE_LOCK = _("Seats are confirmed, or a scoresheet was begun: how many advance stays as it was announced.")
LATER_STAGE_SET_UP = _(
    "A later stage is set up already: %(stage)s. An event that ends with its first stage has no other."
)
ENTERED_FOR_OTHER_ROUNDS = _(
    "%(count)s entrants are entered for sessions after the first. Where all play every session, everybody is entered"
    " for the first: move them there, then change it."
)
ROUND_BEFORE_THE_FIRST = _("Entrants are entered for the first round: a round before it cannot be added any more.")
SHAPE_FIELDS = ("qualifying", "rounds")
EMBARGO_LOCK = _("Release no. %(number)s stands. Withdraw it before the hour is changed.")


def lock_event_setup(event: Event) -> Event:
    """The rows of the event, its stages and its sessions, then its audit head, locked in this order as by every act.

    Every act of the event ends with an entry under the head: whatever rests on the set-up is seen or waits.
    """
    current = Event.objects.select_for_update(no_key=True).get(pk=event.pk)
    list(Stage.objects.select_for_update(no_key=True).filter(event=current).order_by("pk"))
    list(Session.objects.select_for_update(no_key=True).filter(stage__event=current).order_by("pk"))
    AuditHead.objects.select_for_update(no_key=True).get(event=current)
    return current


def require_event_revision(current: Event, revision: int) -> None:
    """Somebody changed the set-up after the page was shown."""
    if current.revision == revision:
        return
    last = queries.last_setup_change(current)
    raise StaleVersion(
        "set_up_changed",
        _("Nothing was changed: %(who)s changed the set-up at %(when)s. See it as it stands, then repeat."),
        current=current,
        who=(last.actor.first_name or last.actor.get_username()) if last and last.actor else "?",
        when=f"{timezone.localtime(last.at):%H:%M}" if last else "?",
    )


def save_setup_revision(
    current: Event,
    by: User,
    action: str,
    before: str,
    reason: str,
    digest: Callable[[Event], str] = event_setup_digest,
) -> Event:
    """The next revision, from the one that was read, and the audit entry with the digests before and after."""
    seen = current.revision
    Event.objects.filter(pk=current.pk, revision=seen).update(revision=F("revision") + 1)
    current.refresh_from_db()
    services.append_audit_entry(
        current,
        by,
        action,
        f"event {current.slug}",
        revision=(seen, current.revision),
        digest=(before, digest(current)),
        reason=reason[:SETUP_REASON_MAX_LENGTH],
    )
    return current


def changes_log_text(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """`quota: 100 > 120; retention_on: ...`: what changed, for the audit."""
    names = [name for name in after if before[name] != after[name]]
    return "; ".join(f"{name}: {value_log_text(before[name])} > {value_log_text(after[name])}" for name in names)


def value_log_text(value: Any) -> str:
    """A moment in the event's zone, a list by commas, nothing as a dash."""
    if isinstance(value, datetime):
        return f"{timezone.localtime(value):%Y-%m-%d %H:%M}"
    if isinstance(value, list):
        return ", ".join(str(item) for item in value) or "-"
    return "-" if value in (None, "") else str(value)


@transaction.atomic
def change_event(
    event: Event, *, revision: int, facts: Mapping[str, Any], by: User, words_confirmed: str = ""
) -> Event:
    """Change names, venue, quota, `several_pairs`, `results_at`, `retention_on`, and who erases then. A rehearsal keeps
    its mark.

    1. Row and audit head are locked. 2. Nothing to change: as it stands, also when sent twice. 3. The revision. 4. What
    rests on it; what is public names nobody. 5. The row, the audit entry.
    """
    current = lock_event_setup(event)
    wanted = {name: facts.get(name, getattr(current, name)) for name in EVENT_FACT_FIELDS}
    if current.rehearsal:
        wanted |= rehearsal_names(wanted["name_zh"], wanted["name_en"])
    now = {name: getattr(current, name) for name in EVENT_FACT_FIELDS}
    if wanted == now:
        return current
    require_event_revision(current, revision)
    progress = queries.setup_progress_of(current)
    if wanted["results_at"] != now["results_at"] and progress.released:
        raise Locked("release_stands", EMBARGO_LOCK, number=progress.released)
    if wanted["quota"] < max(progress.taken, 1):
        raise BadInput(
            "quota_below_taken", _("%(taken)s places are taken; the quota cannot be less."), taken=progress.taken
        )
    if wanted["several_pairs"] != now["several_pairs"]:
        refuse_pairs(current, progress)
    texts = {name: wanted[name] for name in PUBLIC_TEXTS if wanted.get(name, now.get(name)) != now.get(name)}
    passed = check_published_texts(current, texts, confirmed=words_confirmed)
    before = event_setup_digest(current)
    Event.objects.filter(pk=current.pk).update(**wanted)
    passed.record(current, by, f"event {current.slug}")
    return save_setup_revision(current, by, "change_event", before, changes_log_text(now, wanted))


def refuse_pairs(current: Event, progress: queries.SetupProgress) -> None:
    """How many pairs a person may be in is a condition of entry: fixed once play has begun, and never taken back from
    families that rely on it."""
    if progress.play_begun:
        raise Locked("rules_locked", PAIRS_LOCK)
    larger = queries.larger_families(current) if current.several_pairs else []
    if larger:
        raise BadInput(
            "larger_families",
            _("A person is in several pairs already: part these families first (%(codes)s), then change it."),
            codes=", ".join(larger[:MAX_FAMILIES_LISTED]) + (" ..." if len(larger) > MAX_FAMILIES_LISTED else ""),
        )


@transaction.atomic
def announce_event(event: Event, *, by: User, now: datetime | None = None) -> Event:
    """Let the public have the event's page, its names, venue and the day of results; announced already: as it stands.

    1. The row is locked. 2. Names and venue name none of those who have come. 3. The row, the audit entry.
    """
    current = lock_event_setup(event)
    if current.announced_at is not None:
        return current
    check_published_texts(current, {name: getattr(current, name) for name in PUBLIC_TEXTS}, asks=False)
    current.announced_at = now or timezone.now()
    current.save(update_fields=["announced_at"])
    services.append_audit_entry(current, by, "announce_event", f"event {current.slug}", at=current.announced_at)
    return current


def rehearsal_names(name_zh: str, name_en: str) -> dict[str, str]:
    """A rehearsal's names: whoever reads them anywhere, on screen or paper, sees what it is."""
    room = Event._meta.get_field("name_zh").max_length
    zh = name_zh if name_zh.startswith(REHEARSAL_ZH) else REHEARSAL_ZH + name_zh
    en = name_en if name_en.startswith(REHEARSAL_EN) else REHEARSAL_EN + name_en
    return {"name_zh": zh[:room], "name_en": en[:room]}


@transaction.atomic
def change_rules(
    event: Event,
    *,
    revision: int,
    ruleset: Any,
    advance: int | None,
    by: User,
    ends: bool | None = None,
    in_rounds: bool | None = None,
) -> Event:
    """Change the first stage's ruleset (as scoring.ruleset reads it), how many advance (R37), whether the event `ends`
    with it, and whether all play each of its sessions; the last two None: as they are.

    1. Locked; 2. nothing to change; 3. the revision; 4. play has not begun, the rules read it, nothing stands against
    the stage's shape; 5. row, audit entry.
    """
    current = lock_event_setup(event)
    stage = queries.first_stage(current)
    if stage is None:
        raise BadInput("no_stage", _("This event has no stage."))
    sessions = queries.sessions_of_first_stage(current)
    now = {"ruleset": stage.ruleset, "advance": stage.advance, "qualifying": stage.qualifying, "rounds": stage.rounds}
    wanted = now | {"ruleset": ruleset, "advance": advance}
    if ends is not None and ends != stage.is_last:
        wanted["qualifying"] = "" if ends else USUAL_QUALIFYING
    if not wanted["qualifying"]:
        wanted["advance"] = None
    if in_rounds is not None and in_rounds != (stage.rounds > 1):
        wanted["rounds"] = max(len(sessions), 1) if in_rounds else 1
    if wanted == now:
        return current
    require_event_revision(current, revision)
    if queries.setup_progress_of(current).play_begun:
        raise Locked("rules_locked", RULES_LOCK)
    try:
        ruleset_over(read_ruleset(ruleset), wanted["rounds"])
    except Refusal as refusal:
        raise BadInput("ruleset_refused", _("These rules do not fit together. Look at each option again.")) from refusal
    refuse_shape_of_first_stage(current, sessions, wanted)
    before = event_setup_digest(current)
    current.stages.filter(pk=stage.pk).update(**wanted)
    changes = changes_log_text(first_stage_values(now), first_stage_values(wanted))
    return save_setup_revision(current, by, "change_rules", before, changes)


def refuse_shape_of_first_stage(
    event: Event,
    sessions: Sequence[Annotated[Session, Annotations[queries.SessionProgress]]],
    wanted: Mapping[str, Any],
) -> None:
    """An event ends with its first stage only where no other is set up; of rounds there are not too many, and
    everybody is entered for the first."""
    later = event.stages.filter(order__gt=1).order_by("order").first()
    if not wanted["qualifying"] and later is not None:
        raise BadInput("later_stage_set_up", LATER_STAGE_SET_UP, stage=later.title)
    if wanted["rounds"] > STAGE_MAX_ROUNDS:
        raise BadInput("rounds_refused", _("A stage has %(most)s rounds at most."), most=STAGE_MAX_ROUNDS)
    entered = sum(one.entered for one in sessions[1:])
    if wanted["rounds"] > 1 and entered:
        raise BadInput("entered_for_other_rounds", ENTERED_FOR_OTHER_ROUNDS, count=entered)


def first_stage_values(stage: Mapping[str, Any]) -> dict[str, Any]:
    """What an organiser sets of the first stage, for the audit."""
    return {**all_rule_values(stage["ruleset"], stage["advance"]), **{name: stage[name] for name in SHAPE_FIELDS}}


def all_rule_values(ruleset: Any, advance: int | None) -> dict[str, Any]:
    """Every field of the rules, with the stage's own number that advance."""
    return {**read_ruleset(ruleset).as_data(), "advance": advance}


@transaction.atomic
def change_sessions(event: Event, *, revision: int, plan: Sequence[PlannedSession], by: User) -> Event:
    """Make the first stage's sessions what the plan says: the whole of it, a session that it leaves out is removed.

    Numbers follow check-in; those of a final follow them, so long as none is on printed sheets. BadInput
    `sessions_refused` has every Fault in `about`.

    1. Locked; 2. nothing to change; 3. the revision; 4. what rests on each session; 5. removed, changed, added and
    numbered; 6. the audit entry.
    """
    current = lock_event_setup(event)
    stage = queries.first_stage(current)
    sessions, others = queries.sessions_of_first_stage(current), queries.sessions_outside_plan(current)
    now = [planned_session_of(session).values for session in sessions]
    if stage is None or sorted(planned.values for planned in plan) == sorted(now):
        return current
    require_event_revision(current, revision)
    refuse_unknown(plan, sessions)
    faults = session_plan_faults(plan, sessions, others=others)
    if faults:
        raise refused_sessions(faults)
    if stage.rounds > 1:
        refuse_rounds(plan, sessions)
    before = event_setup_digest(current)
    write_sessions(stage, with_kept_numbers(plan, sessions), others=others)
    if stage.rounds > 1:
        current.stages.filter(pk=stage.pk).update(rounds=max(len(plan), 1))
    return save_setup_revision(current, by, "change_sessions", before, f"sessions: {len(now)} > {len(plan)}")


def refuse_rounds(plan: Sequence[PlannedSession], sessions: Sequence[Session]) -> None:
    """Of rounds there are not too many, and none comes before the one for which everybody is entered."""
    if len(plan) > STAGE_MAX_ROUNDS:
        raise BadInput("rounds_refused", _("A stage has %(most)s rounds at most."), most=STAGE_MAX_ROUNDS)
    first = min(plan, key=lambda planned: planned.check_in_at, default=None)
    if first is not None and first.session != sessions[0].pk and Entrant.objects.filter(session=sessions[0]).exists():
        raise BadInput("rounds_refused", ROUND_BEFORE_THE_FIRST)


def refuse_unknown(plan: Sequence[PlannedSession], sessions: Sequence[Session]) -> None:
    """The plan names a session that is not among these."""
    known = {session.pk for session in sessions}
    if any(planned.session not in known for planned in plan if planned.session is not None):
        raise BadInput("no_such_session", _("A session of this list is no longer there. Reload the page."))


def refused_sessions(faults: Sequence[PlanFault]) -> BadInput:
    """The first fault in words, all of them for the page."""
    first = faults[0]
    return BadInput("sessions_refused", first.sentence, about=tuple(faults), **first.facts)


def write_sessions(stage: Stage, plan: Sequence[PlannedSession], others: Sequence[Session]) -> None:
    """The stage's sessions as planned and no other; all of the event numbered anew, `others` at their hours. What the
    weather has moved keeps its numbers."""
    kept = {planned.session for planned in plan if planned.session is not None}
    stage.sessions.exclude(pk__in=kept).exclude(state=SessionState.VOID).delete()
    Session.objects.filter(stage__event=stage.event_id).update(number=F("number") + TEMPORARY_NUMBER_OFFSET)
    stages = {other.pk: other.stage_id for other in others}
    for place in number_sessions([*plan, *map(planned_session_of, others)]):
        of = stages.get(place.planned.session or 0, stage.pk)
        write_session(of, place.planned, place.number, place.number_of_day)


def write_session(stage: int, planned: PlannedSession, number: int, number_of_day: int) -> None:
    """A planned session as a row. Ages are judged on its day, which only changes while nobody is entered (R1)."""
    values = {
        "number": number,
        "number_of_day": number_of_day,
        "check_in_at": planned.check_in_at,
        "seating_at": planned.seating_at,
        "play_at": planned.play_at,
        "ends_at": planned.ends_at,
        "table_count": planned.table_count,
        "capacity": planned.capacity,
    }
    if planned.session is None:
        Session.objects.create(stage_id=stage, original_date=planned.day, **values)
        return
    row = Session.objects.filter(pk=planned.session, stage_id=stage)
    moved = planned_session_of(row.get()).day != planned.day
    row.update(**values, **({"original_date": planned.day} if moved else {}))
