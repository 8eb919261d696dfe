"""An event, its stage, sessions and accounts, from data that people can read (fixtures/event.json)."""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.accounts.services.roles import make_first_organiser
from tournament.audit import services
from tournament.audit.models import AuditHead
from tournament.core import canonical
from tournament.core.enums import Role, SessionState
from tournament.core.errors import BadInput, Refused
from tournament.core.models.event import Event, Membership
from tournament.core.models.stage import Session, Stage
from tournament.messages.services.published_text import CheckedTexts, check_first_event_texts

# Words that stand where a slug stands in an address of the desk, of the public's pages or of the tablets.
RESERVED_SLUGS = frozenset({"en", "files", "ice", "new-event"})


PUBLIC_TEXTS = ("slug", "name_zh", "name_en", "venue_zh", "venue_en", "contact")
# Said only where they are given, so that the digests of events from before them stay.
EVENT_CHOICE_FIELDS = ("erase_by_itself", "several_pairs")
USUAL_QUALIFYING = "top_places"
SESSION_MOMENT_FIELDS = ("check_in_at", "seating_at", "play_at", "ends_at")


@transaction.atomic
def create_event(data: Mapping[str, Any], by: User | None = None) -> Event:
    """Make an event with its stages and sessions.

    `data` is the shape of fixtures/event.json: names, venue, `contact` where there is one, quota, `results_at` and
    session times as ISO 8601 with an offset, each stage with `kind`, `ruleset`, `advance`, its `sessions` and, where
    sheets are typed twice, `second_typing_percent`; a final, after the preliminary, with its `rounds` and without
    sessions while its date is to be announced; `announced`: public at once. An event whose slug exists is returned as
    it stands: sent twice it does nothing.
    """
    existing = Event.objects.filter(slug=data["slug"]).first()
    return existing or make_event(data, by)


def open_event(data: Mapping[str, Any], *, by: User, rehearsal: bool = False, words_confirmed: str = "") -> Event:
    """Make a new event whose maker is its organiser; Refused `slug_taken_error` where the address is another's.

    Sent twice by the same organiser: the event that the first made, if it still reads the same.

    1. Names, venue and address name nobody whom its maker may know of. 2. The event as `make_event` has it. 3. Its
    maker's role with an audit entry.
    """
    if data["slug"] in RESERVED_SLUGS:
        raise slug_taken_error(data["slug"])
    texts = {name: data.get(name, "") for name in PUBLIC_TEXTS}
    passed = CheckedTexts() if rehearsal else check_first_event_texts(texts, by=by, confirmed=words_confirmed)
    try:
        with transaction.atomic():
            event = make_event(data, by, rehearsal=rehearsal)
            make_first_organiser(event, by)
            passed.record(event, by, f"event {event.slug}")
            return event
    except IntegrityError as taken:
        own = Membership.objects.filter(user=by, role=Role.ORGANISER).values("event")
        existing = Event.objects.filter(slug=data["slug"], pk__in=own, rehearsal=rehearsal).first()
        if existing is None or event_as_data(existing) != normalize_event_data(data):
            raise slug_taken_error(data["slug"]) from taken
        return existing


def slug_taken_error(slug: str) -> Refused:
    """The address belongs to something else."""
    return BadInput("slug_taken", _("The address %(slug)s is taken. Choose another."), slug=slug)


def make_event(data: Mapping[str, Any], by: User | None, *, rehearsal: bool = False) -> Event:
    """1. the event and its audit head; 2. its stages; 3. their sessions; 4. the audit entry."""
    event = Event.objects.create(
        slug=data["slug"],
        name_zh=data["name_zh"],
        name_en=data["name_en"],
        venue_zh=data["venue_zh"],
        venue_en=data["venue_en"],
        contact=data.get("contact", ""),
        quota=data["quota"],
        results_at=datetime.fromisoformat(data["results_at"]),
        retention_on=date.fromisoformat(data["retention_on"]),
        erase_by_itself=data.get("erase_by_itself", False),
        several_pairs=data.get("several_pairs", False),
        rehearsal=rehearsal,
        announced_at=timezone.now() if data.get("announced") else None,
    )
    AuditHead.objects.create(event=event)
    before: Stage | None = None
    for order, stage_data in enumerate(data["stages"], start=1):
        before = create_stage(event, stage_data, order=order, before=before)
    services.append_audit_entry(
        event, by, "create_event", f"event {event.slug}", digest=("", event_setup_digest(event))
    )
    later = list(event.stages.filter(order__gt=1).order_by("order"))
    if later:
        digest = plans_digest([(stage, list(stage.sessions.order_by("number"))) for stage in later])
        services.append_audit_entry(event, by, "set_up_final", f"event {event.slug}", digest=("", digest))
    return event


def create_stage(event: Event, data: Mapping[str, Any], *, order: int, before: Stage | None) -> Stage:
    """One stage and its sessions, numbered on over the event in the order given; `before` is the stage that feeds it.

    Unless the data says otherwise one advances from the first stage, and from a later one nobody.
    """
    stage = Stage.objects.create(
        event=event,
        kind=data["kind"],
        ruleset=data["ruleset"],
        advance=data["advance"],
        second_typing_percent=data.get("second_typing_percent", 0),
        rounds=data.get("rounds", 1),
        order=order,
        qualifying=data.get("qualifying", usual_qualifying(order)),
        name_zh=data.get("name_zh", ""),
        name_en=data.get("name_en", ""),
    )
    if before is not None:
        before.feeds = stage
        before.save(update_fields=["feeds"])
    first = Session.objects.filter(stage__event=event).count() + 1
    sessions: Sequence[Mapping[str, Any]] = data["sessions"]
    for number, session in enumerate(sessions, start=first):
        check_in = datetime.fromisoformat(session["check_in_at"])
        Session.objects.create(
            stage=stage,
            number=number,
            number_of_day=session["number_of_day"],
            original_date=timezone.localtime(check_in).date(),
            check_in_at=check_in,
            seating_at=datetime.fromisoformat(session["seating_at"]),
            play_at=datetime.fromisoformat(session["play_at"]),
            ends_at=datetime.fromisoformat(session["ends_at"]),
            table_count=session["table_count"],
            capacity=session["capacity"],
        )
    return stage


def event_as_data(event: Event) -> dict[str, Any]:
    """The set-up in the shape of fixtures/event.json: `create_event` makes the same event of it. No people."""
    stages = event.stages.prefetch_related("sessions").order_by("order")
    return {
        "slug": event.slug,
        "name_zh": event.name_zh,
        "name_en": event.name_en,
        "venue_zh": event.venue_zh,
        "venue_en": event.venue_en,
        "quota": event.quota,
        "results_at": moment_as_text(event.results_at),
        "retention_on": event.retention_on.isoformat() if event.retention_on else None,
        **({"contact": event.contact} if event.contact else {}),
        **{name: True for name in EVENT_CHOICE_FIELDS if getattr(event, name)},
        "stages": [
            {
                "kind": stage.kind,
                "ruleset": stage.ruleset,
                "advance": stage.advance,
                "second_typing_percent": stage.second_typing_percent,
                **({"rounds": stage.rounds} if stage.has_rounds_for_all else {}),
                **names_as_data(stage),
                "sessions": [session_as_data(session) for session in stage.sessions.all() if not is_void(session)],
            }
            for stage in stages
        ],
    }


def is_void(session: Session) -> bool:
    """It is not played, and a copy of the event has none of it."""
    return session.state == SessionState.VOID


def stages_in_time_order(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The stages with their sessions by their hours, counted anew on each day: a copy has no weather behind it."""
    counts: Counter[str] = Counter()
    stages = []
    for stage in data["stages"]:
        sessions = []
        for session in sorted(stage["sessions"], key=lambda each: datetime.fromisoformat(each["check_in_at"])):
            day = session["check_in_at"][:10]
            counts[day] += 1
            sessions.append({**session, "number_of_day": counts[day]})
        stages.append({**stage, "sessions": sessions})
    return stages


def names_as_data(stage: Stage) -> dict[str, str]:
    """What a stage says besides: its names, and how one advances from it where that is not the usual."""
    said = {name: getattr(stage, name) for name in ("name_zh", "name_en") if getattr(stage, name)}
    return said if stage.qualifying == usual_qualifying(stage.order) else {**said, "qualifying": stage.qualifying}


def usual_qualifying(order: int) -> str:
    """How one advances from a stage of which nothing is said: from the first to a final, from a later one nobody."""
    return USUAL_QUALIFYING if order == 1 else ""


def session_as_data(session: Session) -> dict[str, Any]:
    """One session of that shape."""
    return {
        "number_of_day": session.number_of_day,
        "check_in_at": moment_as_text(session.check_in_at),
        "seating_at": moment_as_text(session.seating_at),
        "play_at": moment_as_text(session.play_at),
        "ends_at": moment_as_text(session.ends_at),
        "table_count": session.table_count,
        "capacity": session.capacity,
    }


def moment_as_text(moment: datetime) -> str:
    """ISO 8601 in the event's zone."""
    return timezone.localtime(moment).isoformat()


def normalize_event_data(data: Mapping[str, Any]) -> dict[str, Any]:
    """Given data as `event_as_data` would write it: the same moments in the event's zone."""
    kept = {
        name: data[name] for name in ("slug", "name_zh", "name_en", "venue_zh", "venue_en", "quota", "retention_on")
    }
    kept |= {"contact": data["contact"]} if data.get("contact") else {}
    kept |= {name: True for name in EVENT_CHOICE_FIELDS if data.get(name)}
    kept["results_at"] = moment_as_text(datetime.fromisoformat(data["results_at"]))
    kept["stages"] = [
        {
            "kind": stage["kind"],
            "ruleset": stage["ruleset"],
            "advance": stage["advance"],
            "second_typing_percent": stage.get("second_typing_percent", 0),
            **({} if place == 0 and stage.get("rounds", 1) == 1 else {"rounds": stage.get("rounds", 1)}),
            **({"qualifying": stage["qualifying"]} if "qualifying" in stage else {}),
            "sessions": [shift_session_data(session, timedelta()) for session in stage["sessions"]],
        }
        for place, stage in enumerate(data["stages"])
    ]
    return kept


def shift_session_data(session: Mapping[str, Any], by: timedelta) -> dict[str, Any]:
    """A session of that shape, moved by so many days at the same hours."""
    moments = {
        name: moment_as_text(datetime.fromisoformat(session[name]) + by)
        for name in ("check_in_at", "seating_at", "play_at", "ends_at")
    }
    return {
        "number_of_day": session["number_of_day"],
        **moments,
        "table_count": session["table_count"],
        "capacity": session["capacity"],
    }


def plan_digest(final: Stage, sessions: Sequence[Session]) -> str:
    """Of a later stage's rules, rounds, hours and tables, and how one advances: what both verifiers compare with the
    rows."""
    hours = [[canonical.instant(getattr(one, name)) for name in SESSION_MOMENT_FIELDS] for one in sessions]
    rooms = [[one.table_count, one.capacity] for one in sessions]
    between = [] if final.is_last else [final.kind, final.advance, final.qualifying]
    return canonical.digest_of([final.ruleset, final.rounds, hours, rooms, *between])


def plans_digest(planned: Sequence[tuple[Stage, Sequence[Session]]]) -> str:
    """Of the plans of all later stages, in their order; of one alone its own."""
    found = [plan_digest(stage, sessions) for stage, sessions in planned]
    return found[0] if len(found) == 1 else canonical.digest_of(found)


def event_setup_digest(event: Event) -> str:
    """SHA-256 of the set-up as data: what an audit entry of a change says before and after."""
    text = json.dumps(event_as_data(event), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def copy_event(
    event: Event,
    *,
    slug: str,
    name_zh: str,
    name_en: str,
    first_day: date,
    by: User,
    words_confirmed: str = "",
) -> Event:
    """A new event with this one's structure and no people: the days keep their distances from the first.

    Rules, hours, tables and places are taken over; embargo and retention move with the days. Refused:
    `slug_taken_error`.
    """
    data = event_as_data(event)
    data["stages"] = stages_in_time_order(data)
    sessions = [session for stage in data["stages"] for session in stage["sessions"]]
    began = min(datetime.fromisoformat(session["check_in_at"]).date() for session in sessions)
    moved = first_day - began
    data |= {"slug": slug, "name_zh": name_zh, "name_en": name_en}
    data["results_at"] = moment_as_text(datetime.fromisoformat(data["results_at"]) + moved)
    if data["retention_on"]:
        data["retention_on"] = (date.fromisoformat(data["retention_on"]) + moved).isoformat()
    for stage in data["stages"]:
        stage["sessions"] = [shift_session_data(session, moved) for session in stage["sessions"]]
    return open_event(data, by=by, words_confirmed=words_confirmed)
