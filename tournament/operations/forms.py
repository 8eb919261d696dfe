"""What is typed before personal data is erased: the event's address or the entrant's number, and why."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.operations.services.erasure import ERASURE_REASON_MAX_LENGTH


class ConfirmErasureForm(forms.Form):
    """Somebody who types what is to be erased has read what it is."""

    confirm = forms.CharField(max_length=60, widget=forms.TextInput(attrs={"autocomplete": "off"}))

    def __init__(self, *args: Any, wanted: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.wanted = wanted
        self.fields["confirm"].label = _("Type %(wanted)s to confirm") % {"wanted": wanted}
        self.fields["confirm"].error_messages = {"required": self.sentence()}

    def sentence(self) -> str:
        return _("Type exactly %(wanted)s. Nothing was erased.") % {"wanted": self.wanted}

    def clean_confirm(self) -> str:
        typed: str = self.cleaned_data["confirm"].strip()
        if typed != self.wanted:
            raise forms.ValidationError(self.sentence())
        return typed


class EraseOnePersonForm(ConfirmErasureForm):
    """Of one person also the reason, which stays in the log for good."""

    reason = forms.CharField(
        label=_("Why"),
        max_length=ERASURE_REASON_MAX_LENGTH,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_(
            "This stays in the log, which nobody changes: no names here. For example: a parent asked by phone."
        ),
        error_messages={"required": _("Write down why this person's data is erased, without any name.")},
    )
    field_order = ("reason", "confirm")
