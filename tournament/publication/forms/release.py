"""Releasing and withdrawing: what many people are told is confirmed in typing."""

import unicodedata
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _


class ReleaseForm(forms.Form):
    """`number` is the release's number as the page showed it; `count` is typed and must be that of the ranked
    entrants."""

    number = forms.IntegerField(widget=forms.HiddenInput)
    count = forms.CharField(
        label=_("Type the number of ranked entrants"),
        max_length=12,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        error_messages={"required": _("Type the number of entrants, so that nothing is released by a slip.")},
    )

    def __init__(self, ranked: int, *args: Any, **kwargs: Any) -> None:
        """How many are ranked now."""
        super().__init__(*args, **kwargs)
        self.ranked = ranked

    def clean_count(self) -> int:
        """Digits of any width, commas aside."""
        typed = unicodedata.normalize("NFKC", self.cleaned_data["count"]).replace(",", "").strip()
        if typed != str(self.ranked):
            raise forms.ValidationError(
                _("%(ranked)s entrants are ranked, not %(typed)s. Look again before you release."),
                params={"ranked": self.ranked, "typed": self.cleaned_data["count"]},
            )
        return self.ranked


class WithdrawReleaseForm(forms.Form):
    """Why a release is taken back; for the record, not published."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Kept in the record, not published."),
        error_messages={"required": _("Write down why the release is withdrawn.")},
    )
