"""What is sent to the import: a file, an answer about a row, a name typed anew."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.core.entrant_column_kinds import ColumnKind
from tournament.core.entrant_columns import keys_where
from tournament.core.readers import MAX_FILE_BYTES

# Whose cells may have lost characters, which are then typed here.
TYPED_ANEW = keys_where(lambda column: column.kind in (ColumnKind.NAME, ColumnKind.TEXT, ColumnKind.FAMILY))


class EntrantFileForm(forms.Form):
    """The list of entrants. What it is is judged by its content, so nothing is asked of its name."""

    file = forms.FileField(
        label=_("List of entrants"),
        allow_empty_file=True,
        max_length=255,
        error_messages={"required": _("Choose a file first."), "max_length": _("The file's name is too long.")},
    )

    def content(self) -> bytes:
        """The bytes, one more than allowed at most, so that the reader can refuse what is larger."""
        return bytes(self.cleaned_data["file"].read(MAX_FILE_BYTES + 1))


class ImportDecisionForm(forms.Form):
    """An answer about one row, with its reason."""

    row = forms.IntegerField(min_value=1)
    question = forms.CharField(max_length=40, required=False)
    accept = forms.TypedChoiceField(choices=[("yes", ""), ("no", "")], coerce=lambda text: text == "yes")
    reason = forms.CharField(
        label=_("Reason"),
        max_length=500,
        error_messages={
            "required": _("Say in a few words why (at most 500 characters)."),
            "max_length": _("Say in a few words why (at most 500 characters)."),
        },
    )

    def fault(self) -> str:
        """The one sentence to show where something is missing."""
        faults: dict[str, Any] = self.errors
        return str(next(iter(faults["reason"]), "")) if "reason" in faults else str(_("Reload the page and try again."))


class ImportRowForm(forms.Form):
    row = forms.IntegerField(min_value=1)


class RetypedTextForm(forms.Form):
    """A name, or another text, typed anew."""

    row = forms.IntegerField(min_value=1)
    column = forms.ChoiceField(choices=[(key, "") for key in TYPED_ANEW])
    text = forms.CharField(max_length=100, required=False)
