"""Changes of an event that is there: each compares the revision its author has seen and checks what rests on it.

What may still change once play has begun: names, venue, quota (not below the places taken), the embargo until a release
stands, the retention date, and sessions whose seats are not confirmed. Rules, the number that advance and how many
pairs a person may be in may not.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from scoring.problems import Refusal
from scoring.ruleset import read_ruleset
from tournament.enums import SessionState, StageKind
from tournament.errors import BadInput, Locked, StaleVersion
from tournament.models import AuditHead, Event, Session, Stage
from tournament.queries import setup as queries
from tournament.services import audit
from tournament.services.published_text import pass_gate
from tournament.services.setup import PUBLIC_TEXTS, digest_of
from tournament.services.setup_plan import Fault, PlannedSession, faults_of, keeping, placed, plan_of

FACTS = (
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
REASON_ROOM = 500
SAID_FAMILIES = 5
# Far above any session's number: while numbers are given anew no two may meet.
ASIDE = 10_000
REHEARSAL_ZH, REHEARSAL_EN = "【演練】", "REHEARSAL: "

SLUG_LOCK = _("The address is in links and on printed sheets; it is given once.")
RULES_LOCK = _("The rules stay as they are: seats are confirmed, or a scoresheet was begun.")
PAIRS_LOCK = _(
    "Seats are confirmed, or a scoresheet was begun: how many pairs a person may be in stays as it was announced."
)
ADVANCE_LOCK = _("Seats are confirmed, or a scoresheet was begun: how many advance stays as it was announced.")
EMBARGO_LOCK = _("Release no. %(number)s stands. Withdraw it before the hour is changed.")


def held(event: Event) -> Event:
    """The rows of the event, its stages and its sessions, then its audit head, locked in this order as by every act.

    Every act of the event ends with an entry under the head: whatever rests on the set-up is seen or waits.
    """
    current = Event.objects.select_for_update(no_key=True).get(pk=event.pk)
    list(Stage.objects.select_for_update(no_key=True).filter(event=current).order_by("pk"))
    list(Session.objects.select_for_update(no_key=True).filter(stage__event=current).order_by("pk"))
    AuditHead.objects.select_for_update(no_key=True).get(event=current)
    return current


def refuse_stale(current: Event, revision: int) -> None:
    """Somebody changed the set-up after the page was shown."""
    if current.revision == revision:
        return
    last = queries.last_change(current)
    raise StaleVersion(
        "set_up_changed",
        _("Nothing was changed: %(who)s changed the set-up at %(when)s. See it as it stands, then repeat."),
        current=current,
        who=(last.actor.first_name or last.actor.get_username()) if last and last.actor else "?",
        when=f"{timezone.localtime(last.at):%H:%M}" if last else "?",
    )


def stepped(
    current: Event, by: AbstractUser, action: str, before: str, reason: str, digest: Callable[[Event], str] = digest_of
) -> Event:
    """The next revision, from the one that was read, and the audit entry with the digests before and after."""
    seen = current.revision
    Event.objects.filter(pk=current.pk, revision=seen).update(revision=F("revision") + 1)
    current.refresh_from_db()
    audit.record(
        current,
        by,
        action,
        f"event {current.slug}",
        revision=(seen, current.revision),
        digest=(before, digest(current)),
        reason=reason[:REASON_ROOM],
    )
    return current


def said_changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """`quota: 100 > 120; retention_on: ...`: what changed, for the audit."""
    names = [name for name in after if before[name] != after[name]]
    return "; ".join(f"{name}: {said_value(before[name])} > {said_value(after[name])}" for name in names)


def said_value(value: Any) -> str:
    """A moment in the event's zone, a list by commas, nothing as a dash."""
    if isinstance(value, datetime):
        return f"{timezone.localtime(value):%Y-%m-%d %H:%M}"
    if isinstance(value, list):
        return ", ".join(str(item) for item in value) or "-"
    return "-" if value in (None, "") else str(value)


@transaction.atomic
def change_event(
    event: Event, *, revision: int, facts: Mapping[str, Any], by: AbstractUser, words_confirmed: str = ""
) -> Event:
    """Change names, venue, quota, `several_pairs`, `results_at`, `retention_on`, and who erases then. A rehearsal keeps
    its mark.

    1. Row and audit head are locked. 2. Nothing to change: as it stands, also when sent twice. 3. The revision. 4. What
    rests on it; what is public names nobody. 5. The row, the audit entry.
    """
    current = held(event)
    wanted = {name: facts.get(name, getattr(current, name)) for name in FACTS}
    if current.rehearsal:
        wanted |= marked(wanted["name_zh"], wanted["name_en"])
    now = {name: getattr(current, name) for name in FACTS}
    if wanted == now:
        return current
    refuse_stale(current, revision)
    progress = queries.progress_of(current)
    if wanted["results_at"] != now["results_at"] and progress.released:
        raise Locked("release_stands", EMBARGO_LOCK, number=progress.released)
    if wanted["quota"] < max(progress.taken, 1):
        raise BadInput(
            "quota_below_taken", _("%(taken)s places are taken; the quota cannot be less."), taken=progress.taken
        )
    if wanted["several_pairs"] != now["several_pairs"]:
        refuse_pairs(current, progress)
    texts = {name: wanted[name] for name in PUBLIC_TEXTS if wanted.get(name, now.get(name)) != now.get(name)}
    passed = pass_gate(current, texts, confirmed=words_confirmed)
    before = digest_of(current)
    Event.objects.filter(pk=current.pk).update(**wanted)
    passed.record(current, by, f"event {current.slug}")
    return stepped(current, by, "change_event", before, said_changes(now, wanted))


def refuse_pairs(current: Event, progress: queries.Progress) -> None:
    """How many pairs a person may be in is a condition of entry: fixed once play has begun, and never taken back from
    families that rely on it."""
    if progress.play_begun:
        raise Locked("rules_locked", PAIRS_LOCK)
    larger = queries.larger_families(current) if current.several_pairs else []
    if larger:
        raise BadInput(
            "larger_families",
            _("A person is in several pairs already: part these families first (%(codes)s), then change it."),
            codes=", ".join(larger[:SAID_FAMILIES]) + (" ..." if len(larger) > SAID_FAMILIES else ""),
        )


@transaction.atomic
def announce_event(event: Event, *, by: AbstractUser, now: datetime | None = None) -> Event:
    """Let the public have the event's page, its names, venue and the day of results; announced already: as it stands.

    1. The row is locked. 2. Names and venue name none of those who have come. 3. The row, the audit entry.
    """
    current = held(event)
    if current.announced_at is not None:
        return current
    pass_gate(current, {name: getattr(current, name) for name in PUBLIC_TEXTS}, asks=False)
    current.announced_at = now or timezone.now()
    current.save(update_fields=["announced_at"])
    audit.record(current, by, "announce_event", f"event {current.slug}", at=current.announced_at)
    return current


def marked(name_zh: str, name_en: str) -> dict[str, str]:
    """A rehearsal's names: whoever reads them anywhere, on screen or paper, sees what it is."""
    room = Event._meta.get_field("name_zh").max_length
    zh = name_zh if name_zh.startswith(REHEARSAL_ZH) else REHEARSAL_ZH + name_zh
    en = name_en if name_en.startswith(REHEARSAL_EN) else REHEARSAL_EN + name_en
    return {"name_zh": zh[:room], "name_en": en[:room]}


@transaction.atomic
def change_rules(event: Event, *, revision: int, ruleset: Any, advance: int | None, by: AbstractUser) -> Event:
    """Change the first stage's ruleset (as scoring.ruleset reads it) and how many advance (R37).

    1. Locked; 2. nothing to change; 3. the revision; 4. play has not begun, the rules read it; 5. row, audit entry.
    """
    current = held(event)
    stage = queries.first_stage(current)
    if stage is None:
        raise BadInput("no_stage", _("This event has no stage."))
    now = {"ruleset": stage.ruleset, "advance": stage.advance}
    wanted = {"ruleset": ruleset, "advance": advance}
    if wanted == now:
        return current
    refuse_stale(current, revision)
    if queries.progress_of(current).play_begun:
        raise Locked("rules_locked", RULES_LOCK)
    try:
        read_ruleset(ruleset)
    except Refusal as refusal:
        raise BadInput("ruleset_refused", _("These rules do not fit together. Look at each option again.")) from refusal
    before = digest_of(current)
    current.stages.filter(pk=stage.pk).update(**wanted)
    changes = said_changes(every_rule(now["ruleset"], stage.advance), every_rule(ruleset, advance))
    return stepped(current, by, "change_rules", before, changes)


def every_rule(ruleset: Any, advance: int | None) -> dict[str, Any]:
    """Every field of the rules, with the stage's own number that advance."""
    return {**read_ruleset(ruleset).as_data(), "advance": advance}


@transaction.atomic
def change_sessions(event: Event, *, revision: int, plan: Sequence[PlannedSession], by: AbstractUser) -> Event:
    """Make the first stage's sessions what the plan says: the whole of it, a session that it leaves out is removed.

    Numbers follow check-in; those of a final follow them, so long as none is on printed sheets. BadInput
    `sessions_refused` has every Fault in `about`.

    1. Locked; 2. nothing to change; 3. the revision; 4. what rests on each session; 5. removed, changed, added and
    numbered; 6. the audit entry.
    """
    current = held(event)
    stage = queries.first_stage(current)
    sessions, others = queries.sessions_of(current), queries.beside(current, StageKind.PRELIMINARY)
    now = [plan_of(session).values for session in sessions]
    if stage is None or sorted(planned.values for planned in plan) == sorted(now):
        return current
    refuse_stale(current, revision)
    refuse_unknown(plan, sessions)
    faults = faults_of(plan, sessions, others=others)
    if faults:
        raise refused_sessions(faults)
    before = digest_of(current)
    write_sessions(stage, keeping(plan, sessions), others=others)
    return stepped(current, by, "change_sessions", before, f"sessions: {len(now)} > {len(plan)}")


def refuse_unknown(plan: Sequence[PlannedSession], sessions: Sequence[Session]) -> None:
    """The plan names a session that is not among these."""
    known = {session.pk for session in sessions}
    if any(planned.session not in known for planned in plan if planned.session is not None):
        raise BadInput("no_such_session", _("A session of this list is no longer there. Reload the page."))


def refused_sessions(faults: Sequence[Fault]) -> BadInput:
    """The first fault in words, all of them for the page."""
    first = faults[0]
    return BadInput("sessions_refused", first.sentence, about=tuple(faults), **first.facts)


def write_sessions(stage: Stage, plan: Sequence[PlannedSession], others: Sequence[Session]) -> None:
    """The stage's sessions as planned and no other; all of the event numbered anew, `others` at their hours. What the
    weather has moved keeps its numbers."""
    kept = {planned.session for planned in plan}
    stage.sessions.exclude(pk__in=kept - {None}).exclude(state=SessionState.VOID).delete()
    Session.objects.filter(stage__event=stage.event_id).update(number=F("number") + ASIDE)
    stages = {other.pk: other.stage_id for other in others}
    for place in placed([*plan, *map(plan_of, others)]):
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
    moved = plan_of(row.get()).day != planned.day
    row.update(**values, **({"original_date": planned.day} if moved else {}))
