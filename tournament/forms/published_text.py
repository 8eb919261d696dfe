"""A text that will be published, where it is typed: as it will stand in both languages, refused, or asked about."""

from collections.abc import Sequence
from typing import ClassVar

from django import forms
from django.http import QueryDict
from django.utils import translation
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as lazily
from django.utils.translation import gettext_noop as _

from tournament.errors import Refused
from tournament.exports.released_decisions import REASON, ended, in_its_language
from tournament.services.published_text import Asked

CONFIRMED, LOOK = "words_confirmed", "look"
LONGEST_TOKEN = 64
LANGUAGES = (("zh-hant", "zh-Hant-HK"), ("en", "en"))
REASON_GIVEN = _("Reason given by the chief judge: %(reason)s")


class PreviewedForm(forms.Form):
    """A form whose page can be looked at before it is recorded: sent with `look` it never is valid, and its texts are
    shown as the public will read them (templates/_fragments/_words_asked.html)."""

    previews: ClassVar[bool] = True

    @property
    def looked(self) -> bool:
        """Whether it was sent to be looked at."""
        return LOOK in self.data

    def is_valid(self) -> bool:
        """Not where it is only looked at."""
        return super().is_valid() and not self.looked

    def preview(self) -> Sequence[tuple[str, SafeString]]:
        """In each language, with its `lang`: what the public will read of these texts."""
        said = []
        for language, lang in LANGUAGES:
            with translation.override(language):
                sentence = gettext(REASON_GIVEN) % {"reason": REASON}
                reason = in_its_language(ended(self.cleaned_data.get("reason", "")))
                said.append((lang, mark_safe(sentence.replace(REASON, reason))))
        return said


class JudgedTextForm(PreviewedForm):
    """The words that go with any decision between equals. `replaces` is as the page showed it; the service compares."""

    reason = forms.CharField(
        label=lazily("Reason"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=lazily("Published with the ranking: entrant numbers, no names."),
        error_messages={
            "required": lazily("Write down why it was decided so: the reason is published with the ranking.")
        },
    )
    replaces = forms.IntegerField(widget=forms.HiddenInput, required=False)
    words_confirmed = forms.CharField(max_length=LONGEST_TOKEN, required=False)


def add_refusal(form: forms.Form, refused: Refused, field: str | None = None) -> None:
    """The sentence at its field, and what is asked for templates/_fragments/_words_asked.html."""
    form.add_error(field, str(refused))
    form.asked = refused.about if isinstance(refused.about, Asked) else None


def confirmed_in(sent: QueryDict) -> str:
    """What the box of the page before confirmed; nothing where it was not ticked."""
    return sent.get(CONFIRMED, "")[:LONGEST_TOKEN]
