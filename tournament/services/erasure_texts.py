"""Texts that people typed beside the persons' rows: in which an erasure puts a number in the place of a name, and which
it leaves and tells of.

Most are left: the log, which nobody changes, has the same text, and the row is held to it. So a verifier stays clean,
and the dry run names what a person has to know of. Every typed column of every table is listed here or is another
kind's (tests/tournament/services/test_erased_texts.py).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db import models
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.bridge.podium_families import is_of_family
from tournament.enums import LOCKED_STATES
from tournament.models import (
    ApiToken,
    ClockEvent,
    ContestDecision,
    Correction,
    Device,
    Dispute,
    EntrantFile,
    Event,
    Family,
    HeldItem,
    Incident,
    Job,
    JudgeCall,
    LotsAnnouncement,
    NoteEnd,
    Notice,
    PlaceAnswer,
    Proposal,
    Release,
    Ruling,
    Scoresheet,
    SessionMove,
    Signature,
    TieDecision,
    Voiding,
    Warning,
    WeatherDecision,
    WeatherReading,
    WeatherSignal,
)
from tournament.queries import scoresheets as sheets
from tournament.services.erasure_scope import Scope

Model = type[models.Model]


def never(row: Any) -> bool:
    """Of a row that the log holds, the guards keep or the public has read."""
    return False


def always(row: Any) -> bool:
    """Of a row that nothing holds."""
    return True


@dataclass(frozen=True)
class Column:
    """One column: how its row leads to the event, in words what it holds, whether a row of it may change, and which
    rows of it are looked at here."""

    model: Model
    name: str
    event: str
    label: Promise
    may_change: Callable[[Any], bool] = never
    looked_at: Callable[[Any], bool] = always

    def __str__(self) -> str:
        return f"{self.model.__name__}.{self.name}"


def columns(model: Model, event: str, names: str, label: Promise, **more: Any) -> Iterator[Column]:
    """Several columns of one table."""
    return (Column(model, name, event, label, **more) for name in names.split())


AT_TABLE, AT_SESSION = "table__session__stage__event", "session__stage__event"
AT_STAGE, AT_SHEET = "stage__event", f"scoresheet__{AT_TABLE}"


def is_unlocked(sheet: Scoresheet) -> bool:
    """Nobody has locked it."""
    return sheet.state not in LOCKED_STATES


def is_unsigned(sheet: Scoresheet) -> bool:
    """Its values, to which the confirmations belong, are not handed on: no digest holds them."""
    return is_unlocked(sheet) and not sheet.digest


def cited(event: int) -> frozenset[str]:
    """The pairs and members of families that a decision of the final is about."""
    rows = ContestDecision.objects.filter(stage__event=event).values_list("tied", flat=True)
    return frozenset(id for tied in rows for id in tied)


def is_cited(family: Family, ids: frozenset[str] | None = None) -> bool:
    """Whether a decision cites its code; of many families all that are cited are read once."""
    found = cited(family.event_id) if ids is None else ids
    return any(is_of_family(id, family.code) for id in found)


EQUALS = _("decisions between equals: reasons, witnesses, lots")
TABLETS = _("tablets: why they were ended, how late items were settled")
WEATHER = _("notes and reasons about the weather")
SHEETS = _("remarks on scoresheets")
HEADS = _("heads of lists that were imported")

COLUMNS = (
    *columns(Ruling, "entrant__event", "reason", _("reasons of rulings")),
    *columns(Warning, AT_TABLE, "reason", _("reasons of warnings")),
    *columns(Incident, AT_TABLE, "note", _("notes of incidents")),
    *columns(JudgeCall, AT_TABLE, "reason answer", _("calls of the judge and their answers")),
    *columns(NoteEnd, AT_TABLE, "reason", _("reasons why notes of a table were taken back")),
    *columns(ClockEvent, AT_SESSION, "reason escort", _("pauses and overtime: reasons, escorts")),
    *columns(Correction, AT_SHEET, "reason given_up_reason", _("reasons of corrections")),
    *columns(Dispute, AT_SHEET, "reason decision", _("disputes and how they were decided")),
    *columns(Voiding, AT_SHEET, "reason", _("reasons of void sheets")),
    *columns(Signature, AT_SHEET, "missing_reason", _("reasons of missing signatures")),
    *columns(Scoresheet, AT_TABLE, "rejected_reason", SHEETS, may_change=is_unlocked),
    *columns(Scoresheet, AT_TABLE, "confirmations", SHEETS, may_change=is_unsigned),
    *columns(TieDecision, AT_STAGE, "reason witnesses seed", EQUALS),
    *columns(ContestDecision, AT_STAGE, "reason witnesses seed", EQUALS),
    *columns(LotsAnnouncement, AT_STAGE, "reason public_value", EQUALS),
    *columns(PlaceAnswer, AT_STAGE, "reason", _("answers about places")),
    *columns(Release, AT_STAGE, "withdrawn_reason", _("reasons of withdrawn releases")),
    *columns(
        Notice,
        "event",
        "title_zh title_en body_zh body_en",
        _("published notices"),
        looked_at=lambda row: row.published_at is not None,
    ),
    *columns(Proposal, "event", "reason closing_reason", _("reasons of proposals")),
    *columns(Device, "event", "revoked_reason", TABLETS),
    *columns(HeldItem, "event", "settled_reason", TABLETS),
    *columns(WeatherReading, "event", "note", WEATHER),
    *columns(WeatherSignal, "event", "note", WEATHER),
    *columns(WeatherDecision, "event", "reason", WEATHER),
    *columns(SessionMove, AT_SESSION, "reason", _("reasons of new times")),
    *columns(Event, "pk", "name_zh name_en venue_zh venue_en contact", _("the event's own names and places")),
    *columns(Family, "event", "code", _("codes of families that a decision cites"), looked_at=is_cited),
    *columns(
        EntrantFile,
        "event",
        "sheet_name heads",
        HEADS,
        may_change=always,
        looked_at=lambda row: row.imported_at is not None,
    ),
    *columns(Job, "event", "facts", _("what jobs have reported"), may_change=always),
    *columns(ApiToken, "user__memberships__event", "name", _("names of API tokens"), may_change=always),
)


# What a person can do of a text that stays; of all others, that nobody hands them on.
HAND_ON_NONE = _("Only staff read it: hand on no export of the log and no backup that has it.")
RECORD_ANEW = _("Public with a release: record the decision in force again without the name, then release again.")
TO_DO: dict[Model, Promise] = {
    TieDecision: RECORD_ANEW,
    ContestDecision: RECORD_ANEW,
    LotsAnnouncement: RECORD_ANEW,
    Notice: _("Public: take its banner down. The notice itself stands."),
    Event: _("Public: change it in the set-up."),
}


class LeftText(NamedTuple):
    """What stays although it names somebody: what it is, of which things, as the log names them, and what to do."""

    label: Promise
    things: list[str]
    to_do: Promise


def rows(scope: Scope, column: Column) -> Iterator[tuple[Any, Any]]:
    """Every row of the column that holds something, with it."""
    held = column.model._default_manager.filter(**{column.event: scope.event.pk}).exclude(**{column.name: ""})
    for row in held.order_by("pk").distinct():
        value = getattr(row, column.name)
        if value:
            yield row, value


def changed(data: Any, change: Callable[[str], str]) -> Any:
    """A text, or data with texts in it, with each of them changed; names of fields stay."""
    if isinstance(data, dict):
        return {name: changed(part, change) for name, part in data.items()}
    if isinstance(data, list):
        return [changed(part, change) for part in data]
    return change(data) if isinstance(data, str) else data


def texts_in(data: Any) -> Iterator[str]:
    """Every text of it."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, (dict, list)):
        for part in data.values() if isinstance(data, dict) else data:
            yield from texts_in(part)


def renamed(scope: Scope) -> Iterator[tuple[Column, int, Any]]:
    """The rows that may change and name somebody, with what will stand there."""
    for column in COLUMNS:
        if column.may_change is not never:
            for row, value in rows(scope, column):
                left = changed(value, scope.without_names)
                if left != value and column.looked_at(row) and column.may_change(row):
                    yield column, row.pk, cut(column, left)


def cut(column: Column, value: Any) -> Any:
    """What the column has room for: a number may be longer than a name of two characters."""
    room = getattr(column.model._meta.get_field(column.name), "max_length", None)
    return value[:room] if isinstance(value, str) else value


def rename(scope: Scope) -> int:
    """The number in the place of each name; how many texts it was."""
    found = list(renamed(scope))
    for column, key, value in found:
        column.model._default_manager.filter(pk=key).update(**{column.name: value})
    return len(found)


def left(scope: Scope) -> list[LeftText]:
    """What names somebody and may not change, by what it is."""
    found: dict[str, LeftText] = {}
    for column in COLUMNS:
        to_do = TO_DO.get(column.model, HAND_ON_NONE)
        for row, value in rows(scope, column):
            named = any(map(scope.is_named_in, texts_in(value)))
            if named and column.looked_at(row) and not column.may_change(row):
                found.setdefault(str(column.label), LeftText(column.label, [], to_do)).things.append(thing_of(row))
    return list(found.values())


def thing_of(row: Any) -> str:
    """A row as the log names what it is about, as near as one can say it of every table."""
    named: tuple[tuple[str, Callable[[Any], str]], ...] = (
        ("entrant", lambda one: f"entrant {one}"),
        ("scoresheet", lambda one: sheets.thing(one.table, one.version)),
        ("table", lambda one: f"table {sheets.serial(one)}"),
        ("session", lambda one: f"session {one.code}"),
    )
    for name, said in named:
        if one := getattr(row, name, None):
            return said(one)
    number = getattr(row, "number", None) or getattr(row, "slug", None) or row.pk
    return f"{row._meta.verbose_name} {number}"


TABLES = tuple(dict.fromkeys(column.model for column in COLUMNS if column.may_change is not never))
