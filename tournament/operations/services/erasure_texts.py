"""Texts that people typed beside the persons' rows: in which an erasure puts a number in the place of a name, and which
it leaves and tells of.

Most are left: the log, which nobody changes, has the same text, and the row is held to it. So a verifier stays clean,
and the dry run names what a person has to know of. Every typed column of every table is listed here or is another
kind's (tests/operations/services/test_erased_texts.py).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db import models
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.accounts.models import Proposal
from tournament.api.models import ApiToken
from tournament.arrivals.models import Arrival
from tournament.core.enums import LOCKED_STATES, DecisionOf
from tournament.core.models.event import Event
from tournament.core.models.job import Job
from tournament.devices.models.device import Device, QuarantinedSubmission
from tournament.entrants.models.importing import EntrantFile
from tournament.entrants.models.people import Family, Ruling
from tournament.events.models import SessionMove
from tournament.hall.models import Announcement
from tournament.messages.models import Notice
from tournament.operations.queries.audit_rows import subject_ref
from tournament.operations.services.erasure_scope import ErasureScope
from tournament.ranking.models.lots import LotsAnnouncement
from tournament.ranking.models.tie_break import TieBreak
from tournament.releases.models import PlaceAnswer, Release
from tournament.scoresheets.models import Correction
from tournament.sheets.models.clock import ClockEvent
from tournament.sheets.models.conduct import Incident, JudgeCall, NoteEnd, Warning
from tournament.sheets.models.dispute import Dispute, Voiding
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.models.signing import Signature
from tournament.stages.domain.podium_families import is_of_family
from tournament.weather.models import WeatherDecision, WeatherReading, WeatherSignal

ModelClass = type[models.Model]


def never_changes(row: Any) -> bool:
    """Of a row that the log holds, the guards keep or the public has read."""
    return False


def always_changes(row: Any) -> bool:
    """Of a row that nothing holds."""
    return True


@dataclass(frozen=True)
class TextColumn:
    """One column: how its row leads to the event, in words what it holds, whether a row of it may change, and which
    rows of it are looked at here."""

    model: ModelClass
    name: str
    event: str
    label: Promise
    may_change: Callable[[Any], bool] = never_changes
    looked_at: Callable[[Any], bool] = always_changes

    def __str__(self) -> str:
        return f"{self.model.__name__}.{self.name}"


def text_columns(model: ModelClass, event: str, names: str, label: Promise, **more: Any) -> Iterator[TextColumn]:
    """Several columns of one table."""
    return (TextColumn(model, name, event, label, **more) for name in names.split())


EVENT_VIA_TABLE, EVENT_VIA_SESSION = "table__session__stage__event", "session__stage__event"
EVENT_VIA_STAGE, EVENT_VIA_SHEET = "stage__event", f"scoresheet__{EVENT_VIA_TABLE}"


def is_unlocked(sheet: Scoresheet) -> bool:
    """Whether the sheet is not locked now."""
    return sheet.state not in LOCKED_STATES


def is_unsigned(sheet: Scoresheet) -> bool:
    """Its values, to which the confirmations belong, are not handed on: no digest holds them."""
    return is_unlocked(sheet) and not sheet.digest


def cited_families(event: int) -> frozenset[str]:
    """The pairs and members of families that a decision of the final is about."""
    rows = TieBreak.objects.filter(stage__event=event, of=DecisionOf.AWARD).values_list("tied", flat=True)
    return frozenset(id for tied in rows for id in tied)


def is_cited(family: Family, ids: frozenset[str] | None = None) -> bool:
    """Whether a decision cites its code; of many families all that are cited are read once."""
    found = cited_families(family.event_id) if ids is None else ids
    return any(is_of_family(id, family.code) for id in found)


TEXTS_OF_TIES = _("decisions between equals: reasons, witnesses, lots")
TEXTS_OF_TABLETS = _("tablets: why they were ended, how late items were settled")
TEXTS_OF_WEATHER = _("notes and reasons about the weather")
TEXTS_OF_SHEETS = _("remarks on scoresheets")
TEXTS_OF_LIST_HEADS = _("heads of lists that were imported")

PERSONAL_TEXT_COLUMNS = (
    *text_columns(Ruling, "entrant__event", "reason", _("reasons of rulings")),
    *text_columns(Warning, EVENT_VIA_TABLE, "reason", _("reasons of warnings")),
    *text_columns(Incident, EVENT_VIA_TABLE, "note", _("notes of incidents")),
    *text_columns(JudgeCall, EVENT_VIA_TABLE, "reason answer", _("calls of the judge and their answers")),
    *text_columns(NoteEnd, EVENT_VIA_TABLE, "reason", _("reasons why notes of a table were taken back")),
    *text_columns(ClockEvent, EVENT_VIA_SESSION, "reason escort", _("pauses and overtime: reasons, escorts")),
    *text_columns(Arrival, EVENT_VIA_SESSION, "undone_reason", _("reasons why check-ins were undone")),
    *text_columns(Correction, EVENT_VIA_SHEET, "reason abandoned_reason", _("reasons of corrections")),
    *text_columns(Dispute, EVENT_VIA_SHEET, "reason decision", _("disputes and how they were decided")),
    *text_columns(Voiding, EVENT_VIA_SHEET, "reason", _("reasons of void sheets")),
    *text_columns(Signature, EVENT_VIA_SHEET, "missing_reason", _("reasons of missing signatures")),
    *text_columns(Scoresheet, EVENT_VIA_TABLE, "rejected_reason", TEXTS_OF_SHEETS, may_change=is_unlocked),
    *text_columns(Scoresheet, EVENT_VIA_TABLE, "confirmations", TEXTS_OF_SHEETS, may_change=is_unsigned),
    *text_columns(TieBreak, EVENT_VIA_STAGE, "reason witnesses seed", TEXTS_OF_TIES),
    *text_columns(LotsAnnouncement, EVENT_VIA_STAGE, "reason public_value", TEXTS_OF_TIES),
    *text_columns(PlaceAnswer, EVENT_VIA_STAGE, "reason", _("answers about places")),
    *text_columns(Release, EVENT_VIA_STAGE, "withdrawn_reason", _("reasons of withdrawn releases")),
    *text_columns(
        Notice,
        "event",
        "title_zh title_en body_zh body_en",
        _("published notices"),
        looked_at=lambda row: row.published_at is not None,
    ),
    *text_columns(Announcement, "event", "text_zh text_en", _("announcements in the hall")),
    *text_columns(Proposal, "event", "reason closing_reason", _("reasons of proposals")),
    *text_columns(Device, "event", "revoked_reason", TEXTS_OF_TABLETS),
    *text_columns(QuarantinedSubmission, "event", "resolved_reason", TEXTS_OF_TABLETS),
    *text_columns(WeatherReading, "event", "note", TEXTS_OF_WEATHER),
    *text_columns(WeatherSignal, "event", "note", TEXTS_OF_WEATHER),
    *text_columns(WeatherDecision, "event", "reason", TEXTS_OF_WEATHER),
    *text_columns(SessionMove, EVENT_VIA_SESSION, "reason", _("reasons of new times")),
    *text_columns(Event, "pk", "name_zh name_en venue_zh venue_en contact", _("the event's own names and places")),
    *text_columns(Family, "event", "code", _("codes of families that a decision cites"), looked_at=is_cited),
    *text_columns(
        EntrantFile,
        "event",
        "sheet_name heads",
        TEXTS_OF_LIST_HEADS,
        may_change=always_changes,
        looked_at=lambda row: row.imported_at is not None,
    ),
    *text_columns(Job, "event", "facts", _("what jobs have reported"), may_change=always_changes),
    *text_columns(ApiToken, "user__memberships__event", "name", _("names of API tokens"), may_change=always_changes),
)


# What a person can do of a text that stays; of all others, that nobody hands them on.
STAFF_ONLY_ADVICE = _("Only staff read it: hand on no export of the log and no backup that has it.")
RECORD_AGAIN_ADVICE = _(
    "Public with a release: record the decision in force again without the name, then release again."
)
ADVICE_BY_MODEL: dict[ModelClass, Promise] = {
    TieBreak: RECORD_AGAIN_ADVICE,
    LotsAnnouncement: RECORD_AGAIN_ADVICE,
    Notice: _("Public: take its banner down. The notice itself stands."),
    Event: _("Public: change it in the set-up."),
}


class LeftText(NamedTuple):
    """What stays although it names somebody: what it is, of which things, as the log names them, and what to do."""

    label: Promise
    things: list[str]
    to_do: Promise


def rows_with_text(scope: ErasureScope, column: TextColumn) -> Iterator[tuple[Any, Any]]:
    """Every row of the column that holds something, with it."""
    held = column.model._default_manager.filter(**{column.event: scope.event.pk}).exclude(**{column.name: ""})
    for row in held.order_by("pk").distinct():
        value = getattr(row, column.name)
        if value:
            yield row, value


def map_texts(data: Any, change: Callable[[str], str]) -> Any:
    """A text, or data with texts in it, with each of them changed; names of fields stay."""
    if isinstance(data, dict):
        return {name: map_texts(part, change) for name, part in data.items()}
    if isinstance(data, list):
        return [map_texts(part, change) for part in data]
    return change(data) if isinstance(data, str) else data


def texts_in(data: Any) -> Iterator[str]:
    """Every text in nested lists and objects, without the names of members."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, (dict, list)):
        for part in data.values() if isinstance(data, dict) else data:
            yield from texts_in(part)


def iter_renamed_rows(scope: ErasureScope) -> Iterator[tuple[TextColumn, int, Any]]:
    """The rows that may change and name somebody, with what will stand there."""
    for column in PERSONAL_TEXT_COLUMNS:
        if column.may_change is not never_changes:
            for row, value in rows_with_text(scope, column):
                left = map_texts(value, scope.without_names)
                if left != value and column.looked_at(row) and column.may_change(row):
                    yield column, row.pk, truncate_to_column(column, left)


def truncate_to_column(column: TextColumn, value: Any) -> Any:
    """What the column has room for: a number may be longer than a name of two characters."""
    room = getattr(column.model._meta.get_field(column.name), "max_length", None)
    return value[:room] if isinstance(value, str) else value


def replace_names(scope: ErasureScope) -> int:
    """The number in the place of each name; how many texts it was."""
    found = list(iter_renamed_rows(scope))
    for column, key, value in found:
        column.model._default_manager.filter(pk=key).update(**{column.name: value})
    return len(found)


def remaining_texts(scope: ErasureScope) -> list[LeftText]:
    """What names somebody and may not change, by what it is."""
    found: dict[str, LeftText] = {}
    for column in PERSONAL_TEXT_COLUMNS:
        to_do = ADVICE_BY_MODEL.get(column.model, STAFF_ONLY_ADVICE)
        for row, value in rows_with_text(scope, column):
            named = any(map(scope.is_named_in, texts_in(value)))
            if named and column.looked_at(row) and not column.may_change(row):
                found.setdefault(str(column.label), LeftText(column.label, [], to_do)).things.append(subject_ref(row))
    return list(found.values())


CHANGEABLE_MODELS = tuple(
    dict.fromkeys(column.model for column in PERSONAL_TEXT_COLUMNS if column.may_change is not never_changes)
)
