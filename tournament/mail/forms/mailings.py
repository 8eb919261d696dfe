"""What begins a mailing, and what is done with one while it runs."""

import unicodedata
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _


class StartMailingForm(forms.Form):
    """`count` is typed and must be that of the recipients; `seen` is the newest mailing about the same that the page
    knew of, by id (0: none)."""

    count = forms.CharField(
        label=_("Type the number of recipients"),
        max_length=12,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        error_messages={"required": _("Type the number of recipients, so that nothing is mailed by a slip.")},
    )
    seen = forms.IntegerField(min_value=0, widget=forms.HiddenInput)

    def __init__(self, recipients: int, *args: Any, **kwargs: Any) -> None:
        """How many there are now."""
        super().__init__(*args, **kwargs)
        self.recipients = recipients

    def clean_count(self) -> int:
        """Digits of any width, commas aside."""
        typed = unicodedata.normalize("NFKC", self.cleaned_data["count"]).replace(",", "").strip()
        if typed != str(self.recipients):
            raise forms.ValidationError(
                _("There are %(recipients)s recipients, not %(typed)s. Look again before you mail."),
                params={"recipients": self.recipients, "typed": self.cleaned_data["count"]},
            )
        return self.recipients


class MailingActForm(forms.Form):
    """One press at a mailing. `number`: the entrant whose mail is tried again; none: all that failed."""

    act = forms.ChoiceField(choices=[(act, act) for act in ("pause", "resume", "stop", "retry")])
    number = forms.IntegerField(min_value=1, required=False)
