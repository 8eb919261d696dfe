"""A text that will be published, where it is typed: as it will stand in both languages, refused, or asked about."""

from collections.abc import Sequence
from typing import ClassVar

from django import forms
from django.http import QueryDict
from django.utils import translation
from django.utils.safestring import mark_safe
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext_noop as _

from tournament.core.errors import Refused
from tournament.messages.exports.typed_words import REASON_PLACEHOLDER, end_with_stop, mark_text_language
from tournament.messages.services.published_text import PersonalDataQuestion

WORDS_CONFIRMED_FIELD, PREVIEW_FIELD = "words_confirmed", "look"
MAX_CONFIRMATION_TOKEN = 64
LANGUAGE_SUFFIX_TAGS = (("zh-hant", "zh-Hant-HK"), ("en", "en"))
REASON_GIVEN = _("Reason given by the chief judge: %(reason)s")


class QuestionedForm(forms.Form):
    """A form whose text may be asked about: `asked` is what looks like personal data in it."""

    asked: PersonalDataQuestion | None = None


class PreviewedForm(QuestionedForm):
    """A form whose page can be looked at before it is recorded: sent with `look` it never is valid, and its texts are
    shown as the public will read them (templates/_fragments/_words_asked.html)."""

    previews: ClassVar[bool] = True

    @property
    def looked(self) -> bool:
        """Whether it was sent to be looked at."""
        return PREVIEW_FIELD in self.data

    def is_valid(self) -> bool:
        """Not where it is only looked at."""
        return super().is_valid() and not self.looked

    def preview(self) -> Sequence[tuple[str, str]]:
        """In each language, with its `lang`: what the public will read of these texts."""
        said = []
        for language, lang in LANGUAGE_SUFFIX_TAGS:
            with translation.override(language):
                sentence = gettext(REASON_GIVEN) % {"reason": REASON_PLACEHOLDER}
                reason = mark_text_language(end_with_stop(self.cleaned_data.get("reason", "")))
                said.append((lang, mark_safe(sentence.replace(REASON_PLACEHOLDER, reason))))
        return said


class JudgedTextForm(PreviewedForm):
    """The words that go with any decision between equals. `replaces` is as the page showed it; the service compares."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("Published with the ranking: entrant numbers, no names."),
        error_messages={
            "required": gettext_lazy("Write down why it was decided so: the reason is published with the ranking.")
        },
    )
    replaces = forms.IntegerField(widget=forms.HiddenInput, required=False)
    words_confirmed = forms.CharField(max_length=MAX_CONFIRMATION_TOKEN, required=False)


def add_refusal(form: QuestionedForm, refused: Refused, field: str | None = None) -> None:
    """The sentence at its field, and what is asked for templates/_fragments/_words_asked.html."""
    form.add_error(field, str(refused))
    form.asked = refused.about if isinstance(refused.about, PersonalDataQuestion) else None


def confirmation_sent(sent: QueryDict) -> str:
    """What the box of the page before confirmed; nothing where it was not ticked."""
    return sent.get(WORDS_CONFIRMED_FIELD, "")[:MAX_CONFIRMATION_TOKEN]
