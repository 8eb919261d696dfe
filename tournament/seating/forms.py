"""What is typed or pressed to draw, rearrange and confirm seats."""

import re
import unicodedata
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

# What the seed's column holds.
MAX_SEED = 2**63 - 1
SEAT_PATTERN = re.compile(r"(\d{1,3}) ?([A-D])")


class SeedField(forms.CharField):
    """A whole number as text; nothing typed: None, and the draw makes its own."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, max_length=30, label=_("Seed"), **kwargs)
        self.widget.attrs.update({"inputmode": "numeric", "autocomplete": "off"})

    def clean(self, value: Any) -> int | None:
        """Full-width digits are taken as digits."""
        text = super().clean(value)
        if not text:
            return None
        if not text.isdecimal() or int(text) > MAX_SEED:
            raise forms.ValidationError(
                _("A seed is a whole number of up to 18 digits. Left empty, the computer draws one.")
            )
        return int(text)


class NumberField(forms.CharField):
    """An entrant's number, with or without its noughts."""

    def __init__(self, label: Any) -> None:
        super().__init__(max_length=6, label=label, error_messages={"required": _("Type the number of an entrant.")})
        self.widget.attrs.update({"inputmode": "numeric", "autocomplete": "off"})

    def clean(self, value: Any) -> int:
        """Full-width digits are taken as digits."""
        text = super().clean(value)
        if not text.isdecimal():
            raise forms.ValidationError(_("An entrant's number has digits only, as 0302."))
        return int(text)


class DrawForm(forms.Form):
    """The draw of one session; over an earlier draw only with `again`."""

    seed = SeedField()
    revision = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    request_key = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)
    again = forms.BooleanField(required=False)

    def clean(self) -> dict[str, Any]:
        """A draw that stands is replaced by nobody who has not said so."""
        cleaned = super().clean() or {}
        if cleaned.get("revision") and not cleaned.get("again"):
            self.add_error("again", _("Tick this first: the seats that stand now are replaced."))
        return cleaned


class DrawAllForm(forms.Form):
    """The draw of all sessions; those drawn already only with `redraw`."""

    seed = SeedField()
    redraw = forms.BooleanField(required=False)


class SeatField(NumberField):
    """An entrant's number, or an empty seat as the desk names it: 3D is table 3, seat D."""

    def clean(self, value: Any) -> Any:
        """A number, or a place as (table, letter)."""
        text = unicodedata.normalize("NFKC", str(value or "")).strip().upper()
        if place := SEAT_PATTERN.fullmatch(text):
            return int(place[1]), place[2]
        return super().clean(value)


class SeatChoiceForm(forms.Form):
    """An entrant, and another one to swap with or an empty seat to go to; typed here, or ticked in the room."""

    use_required_attribute = False
    first = NumberField(_("Entrant"))
    second = SeatField(_("Other entrant, or a seat such as 3D"))


class SeenDrawForm(forms.Form):
    """The draw as it was seen."""

    revision = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    request_key = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)


class ExchangeSeatsForm(SeenDrawForm):
    """The exchange as it was looked at."""

    first = NumberField(_("First entrant"))
    second = NumberField(_("Second entrant"))


class MoveSeatForm(SeenDrawForm):
    """An entrant to a seat; `all_the_same` where what it breaks has been looked at."""

    entrant = NumberField(_("Entrant"))
    table = forms.IntegerField(min_value=1, max_value=999)
    letter = forms.ChoiceField(choices=[(letter, letter) for letter in "ABCD"])
    all_the_same = forms.BooleanField(required=False)


class EntrantSeenForm(SeenDrawForm):
    entrant = NumberField(_("Entrant"))


class TableSeenForm(SeenDrawForm):
    table = forms.IntegerField(min_value=1, max_value=999)


class OpenTableForm(SeenDrawForm):
    """Three or four entrants for a table of their own."""

    entrants = forms.CharField(max_length=60)

    def clean_entrants(self) -> list[int]:
        """Numbers with spaces or commas between."""
        numbers = re.split(r"[\s,、，]+", self.cleaned_data["entrants"].strip())
        if not all(number.isdecimal() and len(number) <= 6 for number in numbers):
            raise forms.ValidationError(_("An entrant's number has digits only, as 0302."))
        return [int(number) for number in numbers]


class RefereeForm(TableSeenForm):
    """A table's referee, by account; nothing chosen: nobody."""

    referee = forms.CharField(max_length=150, required=False)


class RoomPreviewForm(forms.Form):
    """What the room is asked to foresee: a table dissolved, a late entrant seated, a table opened for one."""

    dissolve = forms.IntegerField(required=False, min_value=1, max_value=999)
    late = forms.IntegerField(required=False, min_value=1, max_value=999_999)
    open = forms.IntegerField(required=False, min_value=1, max_value=999_999)
