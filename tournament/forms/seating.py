"""What is typed to draw, swap and confirm seats."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

# What the seed's column holds.
LARGEST_SEED = 2**63 - 1


class SeedField(forms.CharField):
    """A whole number as text; nothing typed: None, and the draw makes its own."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, max_length=30, label=_("Seed"), **kwargs)
        self.widget.attrs.update({"inputmode": "numeric", "autocomplete": "off"})

    def clean(self, value: Any) -> int | None:
        """Full-width digits are digits."""
        text = super().clean(value)
        if not text:
            return None
        if not text.isdecimal() or int(text) > LARGEST_SEED:
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
        """Full-width digits are digits."""
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


class SwapForm(forms.Form):
    """Two entrants to exchange."""

    first = NumberField(_("First entrant"))
    second = NumberField(_("Second entrant"))


class SwapSeatsForm(SwapForm):
    """The exchange as it was looked at."""

    revision = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    request_key = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)


class ConfirmForm(forms.Form):
    """The draw as it was seen."""

    revision = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    request_key = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)
