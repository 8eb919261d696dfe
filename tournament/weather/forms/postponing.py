"""New times for the postponed sessions of a day: one date and the same hours, or hours one by one."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.core.models.stage import Session
from tournament.events.forms import DroppedValue
from tournament.setup.forms.setup import SETUP_FIELD_REQUIRED, day_field, hour_field, text_field
from tournament.setup.services.plan import PlanFault, hall_time
from tournament.weather.services.postponing_times import NewTimes

# The field of the form for each field of a session.
NEW_HOUR_FIELDS = {"check_in_at": "check_in", "seating_at": "seating", "play_at": "play", "ends_at": "ends"}
NEW_TIMES_FIELDS = {**NEW_HOUR_FIELDS, "day": "day"}
NOTHING_CHOSEN = _("Tick at least one session.")


class NewSessionTimesForm(forms.Form):
    """One session: whether it gets times now, its own date where it differs, its four hours."""

    take = forms.BooleanField(label=_("Set now"), required=False, initial=True)
    day = day_field(_("Another date"), required=False)
    check_in = hour_field(_("Check-in"))
    seating = hour_field(_("Seating time"))
    play = hour_field(_("Play"))
    ends = hour_field(_("End"))

    def __init__(self, data: Mapping[str, Any] | None = None, *, row: Session, **kwargs: Any) -> None:
        hours = {field: timezone.localtime(getattr(row, name)).time() for name, field in NEW_HOUR_FIELDS.items()}
        super().__init__(data, prefix=f"s{row.pk}", initial=hours, **kwargs)
        self.row = row

    @property
    def ticked(self) -> bool:
        """Whether it gets times now; what stands in another row is not read."""
        return bool(self["take"].value())


def session_times_and_state(row: Session) -> str:
    """A session's day and hours as they stand, and its state."""
    hours = " ".join(f"{timezone.localtime(getattr(row, name)):%H:%M}" for name in NEW_HOUR_FIELDS)
    return f"{timezone.localtime(row.check_in_at).date()} {hours} ({row.get_state_display()})"


class NewDayForm(forms.Form):
    """What holds for all of them."""

    day = day_field(_("New date"), required=False)
    reason = text_field(_("Reason"), 500)


class NewTimesForm:
    """The sessions of one day at once; every fault is told at its row."""

    def __init__(self, sessions: Sequence[Session], data: Mapping[str, Any] | None = None) -> None:
        self.bound = data is not None
        self.whole = NewDayForm(data)
        self.forms = [NewSessionTimesForm(data, row=row) for row in sessions]
        self.faults: list[str] = []

    def gone(self, others: Sequence[Session]) -> list[DroppedValue]:
        """The times that were sent of sessions that wait for none any more, beside those that they have."""
        return [DroppedValue(row.code, session_times_and_state(row), self.sent(row)) for row in others]

    def sent(self, row: Session) -> str:
        """What stands in a row of what was sent, the day of all where it has none of its own."""
        data = self.whole.data
        cells = [data.get(f"s{row.pk}-{name}", "") for name in ("day", *NEW_HOUR_FIELDS.values())]
        return " ".join([cells[0] or data.get("day", ""), *cells[1:]]).strip()

    def wanted(self) -> list[NewTimes] | None:
        """The sessions that were ticked with their times; None where something cannot be read."""
        read = self.whole.is_valid()
        if not self.taken:
            self.faults.append(str(NOTHING_CHOSEN))
        if any(form.is_valid() and not self.day_of(form) for form in self.taken):
            self.whole.add_error("day", SETUP_FIELD_REQUIRED)
        if not read or self.has_faults:
            return None
        return [self.times_of(form) for form in self.taken]

    @property
    def taken(self) -> list[NewSessionTimesForm]:
        """Those that were ticked, in order."""
        return [form for form in self.forms if form.ticked]

    def day_of(self, form: NewSessionTimesForm) -> Any:
        """Its own date, else that of all."""
        return form.cleaned_data["day"] or self.whole.cleaned_data.get("day")

    def times_of(self, form: NewSessionTimesForm) -> NewTimes:
        """One session's, by the hall's clock."""
        day = self.day_of(form)
        moments = {name: hall_time(day, form.cleaned_data[field]) for name, field in NEW_HOUR_FIELDS.items()}
        return NewTimes(form.row.pk, **moments)

    def add(self, faults: Sequence[PlanFault]) -> None:
        """What stands against it, each at its cell."""
        for fault in faults:
            said = gettext(fault.sentence) % fault.facts
            if fault.row is None:
                self.faults.append(said)
            else:
                self.taken[fault.row].add_error(NEW_TIMES_FIELDS[fault.field], said)

    @property
    def has_faults(self) -> bool:
        """Whether anything must be mended."""
        return self.bound and bool(self.faults or self.whole.errors or any(form.errors for form in self.taken))
