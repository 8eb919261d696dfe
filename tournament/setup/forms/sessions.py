"""The sessions of an event as rows to type in: what is locked is shown with its reason and not read from the form."""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django_stubs_ext import Annotations

from tournament.core.models.stage import Session
from tournament.events.forms import DroppedValue, dropped_values
from tournament.setup.forms.setup import MAX_SESSION_PLACES, MAX_SESSION_TABLES, day_field, hour_field, number_field
from tournament.setup.queries import SessionProgress
from tournament.setup.services.plan import (
    SEATS_PER_TABLE,
    PlanFault,
    PlannedSession,
    hall_time,
    planned_session_of,
    round_faults,
    session_locks,
    session_plan_faults,
)

# The field of the form for each field of a session.
SESSION_HOUR_FIELDS = {"check_in_at": "check_in", "seating_at": "seating", "play_at": "play", "ends_at": "ends"}
SESSION_FORM_FIELDS = {
    **SESSION_HOUR_FIELDS,
    "day": "day",
    "table_count": "tables",
    "capacity": "capacity",
    "remove": "remove",
}
BLANK_ROWS = 2
SESSION_ROW_PATTERN = re.compile(r"s([0-9]{1,9})-day\Z")
SESSION_ROW_FIELDS = ("day", "check_in", "seating", "play", "ends", "tables", "capacity")


class SessionForm(forms.Form):
    """One session: its day, four hours, tables, places."""

    session = forms.IntegerField(required=False, widget=forms.HiddenInput)
    day = day_field(_("Day"))
    check_in = hour_field(_("Check-in"))
    seating = hour_field(_("Seating time"))
    play = hour_field(_("Play"))
    ends = hour_field(_("End"))
    tables = number_field(_("Tables"), 1, MAX_SESSION_TABLES)
    capacity = number_field(_("Places"), 1, MAX_SESSION_PLACES, required=False)
    remove = forms.BooleanField(label=_("Remove"), required=False)

    def __init__(
        self, *args: Any, row: Annotated[Session, Annotations[SessionProgress]] | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.row = row
        self.locks: dict[str, str] = {}
        if row is None:
            return
        self.fields["session"].disabled = True
        for name, (sentence, facts) in session_locks(row).items():
            self.fields[SESSION_FORM_FIELDS[name]].disabled = True
            self.locks[name] = gettext(sentence) % facts

    @property
    def reasons(self) -> list[str]:
        """Why parts of the row are locked, each once."""
        return list(dict.fromkeys(self.locks.values()))

    @property
    def blank(self) -> bool:
        """A row for a new session that nobody has typed in."""
        return self.row is None and not self.has_changed()

    def planned(self) -> PlannedSession:
        """The row as a planned session; places left empty are four a table."""
        typed = self.cleaned_data
        hours = {
            name: self.moment(name, hall_time(typed["day"], typed[field]))
            for name, field in SESSION_HOUR_FIELDS.items()
        }
        return PlannedSession(
            **hours,
            table_count=typed["tables"],
            capacity=typed["capacity"] or SEATS_PER_TABLE * typed["tables"],
            session=self.row.pk if self.row else None,
        )

    def moment(self, name: str, typed: Any) -> Any:
        """What was typed; the row's own where the field shows no more than it (seconds)."""
        kept = getattr(self.row, name) if self.row else None
        return kept if kept and kept.replace(second=0, microsecond=0) == typed else typed


def session_form_initial(row: Session) -> dict[str, Any]:
    """A row as the form shows it."""
    plan = planned_session_of(row)
    hours = {field: timezone.localtime(getattr(row, name)).time() for name, field in SESSION_HOUR_FIELDS.items()}
    return {"session": row.pk, "day": plan.day, **hours, "tables": row.table_count, "capacity": row.capacity}


class SessionsForm:
    """All rows of a stage at once; every fault is told at its row. The preliminary has two blank rows more, a final
    has as many as it has rounds and none is removed. `others` are the sessions of the event's other stage."""

    def __init__(
        self,
        sessions: Sequence[Annotated[Session, Annotations[SessionProgress]]],
        data: Mapping[str, Any] | None = None,
        *,
        order: int = 1,
        others: Sequence[Session] = (),
    ) -> None:
        self.sessions, self.order, self.others = sessions, order, others
        self.bound, self.data = data is not None, data or {}
        blank = BLANK_ROWS if order == 1 else 0
        rows: list[Annotated[Session, Annotations[SessionProgress]] | None] = [*sessions, *[None] * blank]
        self.forms = [
            SessionForm(
                data,
                row=row,
                prefix=f"s{row.pk}" if row else f"new{place - len(sessions)}",
                initial=session_form_initial(row) if row else {},
                empty_permitted=row is None,
                use_required_attribute=row is not None,
            )
            for place, row in enumerate(rows)
        ]
        if order > 1:
            for form in self.forms:
                del form.fields["remove"]
        self.faults: list[str] = []

    def dropped(self) -> list[DroppedValue]:
        """What was sent of locked cells, and rows of sessions that are void or no longer there."""
        locked = [
            one
            for form in self.forms
            if form.row
            for one in dropped_values(form, form.row.code)
            if one.label != f"{form.row.code} session"
        ]
        there = {row.pk for row in self.sessions}
        gone = dict.fromkeys(int(row[1]) for name in self.data if (row := SESSION_ROW_PATTERN.match(name)))
        return [*locked, *(self.gone(pk) for pk in gone if pk not in there)]

    def gone(self, pk: int) -> DroppedValue:
        """A row that was sent of a session that is in no plan any more."""
        stages = {one.stage_id for one in (*self.sessions, *self.others)}
        row = Session.objects.filter(pk=pk, stage__in=stages).first()
        sent = " ".join(
            str(self.data[name]) for name in (f"s{pk}-{cell}" for cell in SESSION_ROW_FIELDS) if self.data.get(name)
        )
        now = row.get_state_display() if row else gettext("no longer there")
        return DroppedValue(row.code if row else gettext("Session"), now, sent)

    def plan(self) -> list[PlannedSession] | None:
        """What the rows say together; None where one of them cannot be read or the plan has a fault."""
        used = [form for form in self.forms if not form.blank]
        unread = [form for form in used if not form.is_valid()]
        if unread:
            return None
        kept = [form for form in used if not form.cleaned_data.get("remove")]
        plan = [form.planned() for form in kept]
        faults = session_plan_faults(plan, self.sessions, self.order, self.others)
        for fault in [*faults, *(round_faults(plan) if self.order > 1 else ())]:
            self.add(fault, kept)
        return None if self.faults or any(form.errors for form in used) else plan

    def add(self, fault: PlanFault, kept: Sequence[SessionForm]) -> None:
        """A fault at its cell; above the table where it has none."""
        said = gettext(fault.sentence) % fault.facts
        if fault.row is None:
            self.faults.append(said)
        else:
            kept[fault.row].add_error(SESSION_FORM_FIELDS[fault.field], said)

    @property
    def has_faults(self) -> bool:
        """Whether anything must be mended."""
        return bool(self.faults) or any(form.errors for form in self.forms if self.bound and not form.blank)
