"""What is typed to change one entrant: person, session, family. Texts are judged as those of a list."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.core.entrant_column_kinds import ColumnKind, Edited, EntrantColumn
from tournament.core.entrant_columns import columns_where
from tournament.core.enums import FamilyRole
from tournament.core.models.stage import Session
from tournament.entrants.exports.file import CHOICE_WORDS_OF_COLUMN, importer_cell_text
from tournament.entrants.models.people import Entrant
from tournament.entrants.queries.entrant_values import value_of
from tournament.entrants.readers.faults import ImportFault
from tournament.registration.services.importing_names import ACCEPTABLE_NAME_FAULTS

FORM_COLUMNS = columns_where(lambda column: column.edited is Edited.FORM)
REASON_FIELD_MESSAGES = {"max_length": _("Say in a few words why (at most 500 characters).")}


def optional_reason() -> forms.CharField:
    """A reason that may be left out; the audit log has it."""
    return forms.CharField(
        label=_("Reason (may be left out)"), max_length=500, required=False, error_messages=REASON_FIELD_MESSAGES
    )


def is_box(column: EntrantColumn) -> bool:
    """Whether it is ticked, not typed or chosen."""
    return column.kind is ColumnKind.YES_NO


def entered_cells(entrant: Entrant) -> dict[str, str]:
    """What is entered, as a list has it."""
    return {column.key: importer_cell_text(column.key, value_of(entrant, column.key)) for column in FORM_COLUMNS}


def form_field(column: EntrantColumn) -> forms.Field:
    """A cell of a list as a field: a box, a choice of the words that the importer reads, or a text."""
    if is_box(column):
        return forms.BooleanField(label=column.label, required=False)
    if column.kind in CHOICE_WORDS_OF_COLUMN:
        return forms.ChoiceField(
            label=column.label, choices=[(text, text) for text in CHOICE_WORDS_OF_COLUMN[column.kind].values()]
        )
    field = forms.CharField(label=column.label, required=False, max_length=1000, strip=True)
    field.widget.attrs["autocomplete"] = "off"
    return field


class PersonForm(forms.Form):
    """Names, date of birth, contact data and consents, each as a cell of a list."""

    revision = forms.IntegerField(min_value=1, widget=forms.HiddenInput)

    def __init__(self, data: QueryDict | None = None, *, entrant: Entrant, **kwargs: Any) -> None:
        ticked = {column.key: value_of(entrant, column.key) for column in FORM_COLUMNS if is_box(column)}
        initial = {**entered_cells(entrant), **ticked, "revision": entrant.revision}
        super().__init__(data, initial=initial, **kwargs)
        self.entrant = entrant
        self.fields |= {column.key: form_field(column) for column in FORM_COLUMNS}
        self.fields["accept_name"] = forms.BooleanField(
            label=_("The name is really written so: keep it as typed"), required=False
        )
        self.asks_of_name = bool(self.data.get("accept_name"))
        self.fields["reason"] = optional_reason()
        self.fields["reason"].widget.attrs["autocomplete"] = "off"

    @property
    def texts(self) -> list[forms.BoundField]:
        """The fields that are typed or chosen, in the order of a list's columns."""
        return [self[column.key] for column in FORM_COLUMNS if not is_box(column)]

    @property
    def consents(self) -> list[forms.BoundField]:
        return [self[column.key] for column in FORM_COLUMNS if is_box(column)]

    def cells(self) -> Mapping[str, str]:
        """Texts by column, as a list has them."""
        return {column.key: importer_cell_text(column.key, self.cleaned_data[column.key]) for column in FORM_COLUMNS}

    def tell(self, faults: Sequence[ImportFault]) -> None:
        """Each fault at its field; what belongs to none stands above all."""
        self.asks_of_name = any(fault.code in ACCEPTABLE_NAME_FAULTS for fault in faults)
        for fault in faults:
            column = fault.place.column
            self.add_error(column if column in self.fields else None, f"{fault.what} {fault.do}")

    def beside(self, now: Entrant) -> None:
        """What somebody else has entered meanwhile stands beside what was typed; saved again, the typed counts."""
        stands, typed = entered_cells(now), self.cells()
        for name in typed:
            if typed[name] != stands[name]:
                text = gettext("Entered now: %(text)s") % {"text": stands[name] or gettext("(blank)")}
                self[name].help_text = text
        self.data = {**{key: self.data[key] for key in self.data}, "revision": now.revision}


class MoveSessionForm(forms.Form):
    """Another session, and why; whether an organiser accepts a birthday on its very day; the seat given up, `5C`."""

    session = forms.TypedChoiceField(
        label=_("To session"), coerce=int, error_messages={"required": _("Choose the session.")}
    )
    accept_birthday = forms.BooleanField(
        label=_("The day is the very birthday of 7: accepted by the organiser"), required=False
    )
    seat = forms.CharField(max_length=5, required=False)
    reason = forms.CharField(
        label=_("Reason"),
        max_length=500,
        help_text=_("It stays in the log for good: no names."),
        error_messages={**REASON_FIELD_MESSAGES, "required": _("Say in a few words why (at most 500 characters).")},
    )
    revision = forms.IntegerField(min_value=1, widget=forms.HiddenInput)

    def __init__(self, data: QueryDict | None = None, *, sessions: list[tuple[Session, str]], **kwargs: Any) -> None:
        super().__init__(data, auto_id="move_%s", **kwargs)
        choices = [("", _("Choose")), *((each.number, word) for each, word in sessions)]
        cast(forms.ChoiceField, self.fields["session"]).choices = choices
        self.fields["reason"].widget.attrs["autocomplete"] = "off"


class JoinFamilyForm(forms.Form):
    """The other one of a pair, and which of the two this entrant is (R40)."""

    role = forms.ChoiceField(
        label=_("This entrant is the"),
        choices=[("", _("Choose")), *FamilyRole.choices],
        error_messages={"required": _("Choose child or parent.")},
    )
    other = forms.IntegerField(
        label=_("Number of the other one"),
        min_value=1,
        max_value=9999,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value", "max_value"), _("Type the other one's entrant number.")
        ),
    )
    reason = optional_reason()
    revision = forms.IntegerField(min_value=1, widget=forms.HiddenInput)

    def __init__(self, data: QueryDict | None = None, **kwargs: Any) -> None:
        super().__init__(data, auto_id="join_%s", **kwargs)


class LeaveFamilyForm(forms.Form):
    """What the person had before them, and why."""

    reason = optional_reason()
    revision = forms.IntegerField(min_value=1, widget=forms.HiddenInput)
