"""What is typed to change one entrant: person, session, family. Texts are judged as those of a list."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.enums import FamilyRole
from tournament.exports.entrants_file import WORDS, row_of, written
from tournament.models import Entrant, Session
from tournament.readers.columns import BY_NAME, COLUMNS
from tournament.readers.entrants import CONSENTS
from tournament.readers.faults import Fault
from tournament.services.importing_names import ACCEPTABLE

TEXTS = ("name_zh", "name_en", "birth_date", "phone", "email", "school", "guardian", "fee")
NEEDED = frozenset({"name_en", "birth_date"})
NO_CELLS = frozenset({"revision", "reason", "accept_name"})
WHY = {"max_length": _("Say in a few words why (at most 500 characters).")}


def optional_reason() -> forms.CharField:
    """A reason that may be left out; the audit log has it."""
    return forms.CharField(label=_("Reason (may be left out)"), max_length=500, required=False, error_messages=WHY)


class PersonForm(forms.Form):
    """Names, date of birth, contact data and consents, each as a cell of a list."""

    revision = forms.IntegerField(min_value=1, widget=forms.HiddenInput)

    def __init__(self, *args: Any, entrant: Entrant, **kwargs: Any) -> None:
        stands = dict(zip(BY_NAME, row_of(entrant), strict=True))
        initial = {**stands, **{name: getattr(entrant.person, name) for name in CONSENTS}, "revision": entrant.revision}
        super().__init__(*args, initial=initial, **kwargs)
        self.entrant = entrant
        for column in COLUMNS:
            if column.name in TEXTS:
                self.fields[column.name] = forms.CharField(
                    label=column.label, required=False, max_length=1000, strip=True
                )
                self.fields[column.name].widget.attrs.update({"autocomplete": "off"})
            elif column.name in CONSENTS:
                self.fields[column.name] = forms.BooleanField(label=column.label, required=False)
            elif column.name == "language":
                texts = WORDS["language"].values()
                self.fields["language"] = forms.ChoiceField(
                    label=column.label, choices=[(text, text) for text in texts]
                )
        self.fields["accept_name"] = forms.BooleanField(
            label=_("The name is really written so: keep it as typed"), required=False
        )
        self.asks_of_name = bool(self.data.get("accept_name"))
        self.fields["reason"] = optional_reason()
        self.fields["reason"].widget.attrs["autocomplete"] = "off"

    @property
    def texts(self) -> list[forms.BoundField]:
        """The fields that are typed, in the order of a list's columns."""
        return [self[name] for name in self.fields if name in TEXTS or name == "language"]

    @property
    def consents(self) -> list[forms.BoundField]:
        """The four boxes."""
        return [self[name] for name in CONSENTS]

    def cells(self) -> Mapping[str, str]:
        """Texts by column, as a list has them."""
        wanted = {name: self.cleaned_data[name] for name in self.fields if name not in NO_CELLS}
        return {name: written(name, value) for name, value in wanted.items()}

    def tell(self, faults: Sequence[Fault]) -> None:
        """Each fault at its field; what belongs to none stands above all."""
        self.asks_of_name = any(fault.code in ACCEPTABLE for fault in faults)
        for fault in faults:
            column = fault.place.column
            self.add_error(column if column in self.fields else None, f"{fault.what} {fault.do}")

    def beside(self, now: Entrant) -> None:
        """What somebody else has entered meanwhile stands beside what was typed; saved again, the typed counts."""
        stands = dict(zip(BY_NAME, row_of(now), strict=True))
        typed = self.cells()
        for name in typed:
            if typed[name] != stands[name]:
                text = gettext("Entered now: %(text)s") % {"text": stands[name] or gettext("(blank)")}
                self[name].help_text = text
        self.data = {**{key: self.data[key] for key in self.data}, "revision": now.revision}


class MoveForm(forms.Form):
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
        error_messages={**WHY, "required": _("Say in a few words why (at most 500 characters).")},
    )
    revision = forms.IntegerField(min_value=1, widget=forms.HiddenInput)

    def __init__(self, *args: Any, sessions: list[tuple[Session, str]], **kwargs: Any) -> None:
        super().__init__(*args, auto_id="move_%s", **kwargs)
        self.fields["session"].choices = [("", _("Choose")), *((each.number, word) for each, word in sessions)]
        self.fields["reason"].widget.attrs["autocomplete"] = "off"


class JoinForm(forms.Form):
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

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, auto_id="join_%s", **kwargs)


class PartForm(forms.Form):
    """What the person had before them, and why."""

    reason = optional_reason()
    revision = forms.IntegerField(min_value=1, widget=forms.HiddenInput)
