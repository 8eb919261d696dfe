"""An event, its stage, sessions and accounts, from data that people can read (fixtures/event.json)."""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from django.contrib.auth.models import AbstractUser, User
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.enums import Role, SessionState, StageKind
from tournament.errors import BadInput, Refused
from tournament.models import AuditHead, Event, Membership, Session, Stage
from tournament.services import audit
from tournament.services.published_text import Passed, pass_first_gate
from tournament.services.roles import found, grant

# Words that stand where a slug stands in an address of the desk, of the public's pages or of the tablets.
TAKEN_SLUGS = frozenset({"en", "files", "ice", "new-event"})


PUBLIC_TEXTS = ("slug", "name_zh", "name_en", "venue_zh", "venue_en", "contact")
# Said only where they are given, so that the digests of events from before them stay.
CHOICES = ("erase_by_itself", "several_pairs")
MOMENTS = ("check_in_at", "seating_at", "play_at", "ends_at")


@transaction.atomic
def create_event(data: Mapping[str, Any], by: AbstractUser | None = None) -> Event:
    """Make an event with its stages and sessions.

    `data` is the shape of fixtures/event.json: names, venue, `contact` where there is one, quota, `results_at` and
    session times as ISO 8601 with an offset, each stage with `kind`, `ruleset`, `advance`, its `sessions` and, where
    sheets are typed twice, `second_typing_percent`; a final, after the preliminary, with its `rounds` and without
    sessions while its date is to be announced; `announced`: public at once. An event whose slug exists is returned as
    it stands: sent twice it does nothing.
    """
    existing = Event.objects.filter(slug=data["slug"]).first()
    return existing or make_event(data, by)


def open_event(
    data: Mapping[str, Any], *, by: AbstractUser, rehearsal: bool = False, words_confirmed: str = ""
) -> Event:
    """Make a new event whose maker is its organiser; Refused `slug_taken` where the address is another's.

    Sent twice by the same organiser: the event that the first made, if it still reads the same.

    1. Names, venue and address name nobody whom its maker may know of. 2. The event as `make_event` has it. 3. Its
    maker's role with an audit entry.
    """
    if data["slug"] in TAKEN_SLUGS:
        raise slug_taken(data["slug"])
    texts = {name: data.get(name, "") for name in PUBLIC_TEXTS}
    passed = Passed() if rehearsal else pass_first_gate(texts, by=by, confirmed=words_confirmed)
    try:
        with transaction.atomic():
            event = make_event(data, by, rehearsal=rehearsal)
            found(event, by)
            passed.record(event, by, f"event {event.slug}")
            return event
    except IntegrityError as taken:
        own = Membership.objects.filter(user=by, role=Role.ORGANISER).values("event")
        existing = Event.objects.filter(slug=data["slug"], pk__in=own, rehearsal=rehearsal).first()
        if existing is None or event_as_data(existing) != as_kept(data):
            raise slug_taken(data["slug"]) from taken
        return existing


def slug_taken(slug: str) -> Refused:
    """The address belongs to something else."""
    return BadInput("slug_taken", _("The address %(slug)s is taken. Choose another."), slug=slug)


def make_event(data: Mapping[str, Any], by: AbstractUser | None, *, rehearsal: bool = False) -> Event:
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
    for stage_data in data["stages"]:
        create_stage(event, stage_data)
    audit.record(event, by, "create_event", f"event {event.slug}", digest=("", digest_of(event)))
    for final in event.stages.filter(kind=StageKind.FINAL):
        digest = plan_digest(final, list(final.sessions.order_by("number")))
        audit.record(event, by, "set_up_final", f"event {event.slug}", digest=("", digest))
    return event


def create_stage(event: Event, data: Mapping[str, Any]) -> Stage:
    """One stage and its sessions, numbered on over the event in the order given."""
    stage = Stage.objects.create(
        event=event,
        kind=data["kind"],
        ruleset=data["ruleset"],
        advance=data["advance"],
        second_typing_percent=data.get("second_typing_percent", 0),
        rounds=data.get("rounds", 1),
    )
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
    stages = event.stages.prefetch_related("sessions").order_by("pk")
    return {
        "slug": event.slug,
        "name_zh": event.name_zh,
        "name_en": event.name_en,
        "venue_zh": event.venue_zh,
        "venue_en": event.venue_en,
        "quota": event.quota,
        "results_at": text_of(event.results_at),
        "retention_on": event.retention_on.isoformat() if event.retention_on else None,
        **({"contact": event.contact} if event.contact else {}),
        **{name: True for name in CHOICES if getattr(event, name)},
        "stages": [
            {
                "kind": stage.kind,
                "ruleset": stage.ruleset,
                "advance": stage.advance,
                "second_typing_percent": stage.second_typing_percent,
                **rounds_as_data(stage.kind, stage.rounds),
                "sessions": [session_as_data(session) for session in stage.sessions.all() if not is_void(session)],
            }
            for stage in stages
        ],
    }


def is_void(session: Session) -> bool:
    """It is not played, and a copy of the event has none of it."""
    return session.state == SessionState.VOID


def in_time_order(data: Mapping[str, Any]) -> list[dict[str, Any]]:
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


def rounds_as_data(kind: str, rounds: int) -> dict[str, int]:
    """Only a final says in how many rounds it is played (R38)."""
    return {"rounds": rounds} if kind == StageKind.FINAL else {}


def session_as_data(session: Session) -> dict[str, Any]:
    """One session of that shape."""
    return {
        "number_of_day": session.number_of_day,
        "check_in_at": text_of(session.check_in_at),
        "seating_at": text_of(session.seating_at),
        "play_at": text_of(session.play_at),
        "ends_at": text_of(session.ends_at),
        "table_count": session.table_count,
        "capacity": session.capacity,
    }


def text_of(moment: datetime) -> str:
    """ISO 8601 in the event's zone."""
    return timezone.localtime(moment).isoformat()


def as_kept(data: Mapping[str, Any]) -> dict[str, Any]:
    """Given data as `event_as_data` would write it: the same moments in the event's zone."""
    kept = {
        name: data[name] for name in ("slug", "name_zh", "name_en", "venue_zh", "venue_en", "quota", "retention_on")
    }
    kept |= {"contact": data["contact"]} if data.get("contact") else {}
    kept |= {name: True for name in CHOICES if data.get(name)}
    kept["results_at"] = text_of(datetime.fromisoformat(data["results_at"]))
    kept["stages"] = [
        {
            "kind": stage["kind"],
            "ruleset": stage["ruleset"],
            "advance": stage["advance"],
            "second_typing_percent": stage.get("second_typing_percent", 0),
            **rounds_as_data(stage["kind"], stage.get("rounds", 1)),
            "sessions": [shifted(session, timedelta()) for session in stage["sessions"]],
        }
        for stage in data["stages"]
    ]
    return kept


def shifted(session: Mapping[str, Any], by: timedelta) -> dict[str, Any]:
    """A session of that shape, moved by so many days at the same hours."""
    moments = {
        name: text_of(datetime.fromisoformat(session[name]) + by)
        for name in ("check_in_at", "seating_at", "play_at", "ends_at")
    }
    return {
        "number_of_day": session["number_of_day"],
        **moments,
        "table_count": session["table_count"],
        "capacity": session["capacity"],
    }


def plan_digest(final: Stage, sessions: Sequence[Session]) -> str:
    """Of a final's rules, rounds, hours and tables: what both verifiers compare with the rows."""
    hours = [[audit.instant(getattr(one, name)) for name in MOMENTS] for one in sessions]
    rooms = [[one.table_count, one.capacity] for one in sessions]
    return audit.digest_of([final.ruleset, final.rounds, hours, rooms])


def digest_of(event: Event) -> str:
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
    by: AbstractUser,
    words_confirmed: str = "",
) -> Event:
    """A new event with this one's structure and no people: the days keep their distances from the first.

    Rules, hours, tables and places are taken over; embargo and retention move with the days. Refused: `slug_taken`.
    """
    data = event_as_data(event)
    data["stages"] = in_time_order(data)
    sessions = [session for stage in data["stages"] for session in stage["sessions"]]
    began = min(datetime.fromisoformat(session["check_in_at"]).date() for session in sessions)
    moved = first_day - began
    data |= {"slug": slug, "name_zh": name_zh, "name_en": name_en}
    data["results_at"] = text_of(datetime.fromisoformat(data["results_at"]) + moved)
    if data["retention_on"]:
        data["retention_on"] = (date.fromisoformat(data["retention_on"]) + moved).isoformat()
    for stage in data["stages"]:
        stage["sessions"] = [shifted(session, moved) for session in stage["sessions"]]
    return open_event(data, by=by, words_confirmed=words_confirmed)


@transaction.atomic
def create_account(
    event: Event, username: str, password: str, name: str, roles: Sequence[Role], by: AbstractUser | None = None
) -> User:
    """An account with these roles at the event; one that exists keeps its password and gains the roles it lacks.

    Given by the program they are in effect; given by an account, as `grant` has it.
    """
    user, made = User.objects.get_or_create(username=username, defaults={"first_name": name})
    if made:
        user.set_password(password)
        user.save(update_fields=["password"])
    grant(event, user, roles, by)
    return user
