"""What is typed of a notice 通告: its kind and day to begin with, its texts in both languages, its publication."""

from datetime import date
from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.core import dateformat
from tournament.core.enums import BannerTone, NoticeKind
from tournament.core.models.event import Event
from tournament.events.templatetags.rounds import session_title
from tournament.mail.services.notices import NOTICE_TEXT_FIELDS, NOTICE_TEXT_MAX_LENGTHS, NoticeWording
from tournament.messages.forms import QuestionedForm
from tournament.messages.models import Notice
from tournament.messages.queries import notices as queries

NOTICE_FIELD_REQUIRED = _("Please fill this in.")
NOTICE_FIELD_TOO_LONG = _("This is too long.")
LARGEST_COUNT = 1_000_000
NOTICE_FIELD_LABELS = {
    "kind": _("Kind"),
    "day": _("Day"),
    "sessions": _("Sessions it is about"),
    "title_zh": _("Title in Chinese"),
    "body_zh": _("Text in Chinese"),
    "title_en": _("Title in English"),
    "body_en": _("Text in English"),
    "banner": _("Banner above every public page"),
    "tone": _("Look of the banner"),
}
TONE_CHOICES = (
    (BannerTone.INFO, _("Plain: for your information")),
    (BannerTone.WAIT, _("Orange: pending, please wait")),
    (BannerTone.STOP, _("Red: called off")),
)


def day_choices(event: Event) -> list[tuple[str, str]]:
    """Every day of play, and none."""
    days = [(day.isoformat(), dateformat.weekday_date_text(day)) for day in queries.days_with_sessions(event)]
    return [("", str(_("No day"))), *days]


class FillNoticeForm(forms.Form):
    """What a draft is filled from: a kind, a day."""

    kind = forms.ChoiceField(label=NOTICE_FIELD_LABELS["kind"], choices=NoticeKind)
    day = forms.ChoiceField(label=NOTICE_FIELD_LABELS["day"], required=False)

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast(forms.ChoiceField, self.fields["day"]).choices = day_choices(event)

    def clean_day(self) -> date | None:
        return date.fromisoformat(self.cleaned_data["day"]) if self.cleaned_data["day"] else None


class NoticeForm(FillNoticeForm):
    """A draft's words. `revision` is the one that the page showed, nothing for a new one."""

    title_zh = forms.CharField(label=NOTICE_FIELD_LABELS["title_zh"], max_length=NOTICE_TEXT_MAX_LENGTHS["title_zh"])
    body_zh = forms.CharField(
        label=NOTICE_FIELD_LABELS["body_zh"],
        max_length=NOTICE_TEXT_MAX_LENGTHS["body_zh"],
        widget=forms.Textarea(attrs={"rows": 14}),
    )
    title_en = forms.CharField(label=NOTICE_FIELD_LABELS["title_en"], max_length=NOTICE_TEXT_MAX_LENGTHS["title_en"])
    body_en = forms.CharField(
        label=NOTICE_FIELD_LABELS["body_en"],
        max_length=NOTICE_TEXT_MAX_LENGTHS["body_en"],
        widget=forms.Textarea(attrs={"rows": 14}),
    )
    sessions = forms.TypedMultipleChoiceField(
        label=NOTICE_FIELD_LABELS["sessions"], coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )
    banner = forms.BooleanField(label=NOTICE_FIELD_LABELS["banner"], required=False)
    tone = forms.ChoiceField(label=NOTICE_FIELD_LABELS["tone"], choices=TONE_CHOICES)
    revision = forms.IntegerField(required=False, widget=forms.HiddenInput)
    corrects = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, event=event, **kwargs)
        sessions = [(one.number, session_title(one)) for one in queries.sessions_not_void(event)]
        cast(forms.MultipleChoiceField, self.fields["sessions"]).choices = sessions
        for name in NOTICE_TEXT_FIELDS:
            self.fields[name].error_messages |= {"required": NOTICE_FIELD_REQUIRED, "max_length": NOTICE_FIELD_TOO_LONG}

    def wording(self) -> NoticeWording:
        """The typed fields as `services.notices` takes them."""
        kept = self.cleaned_data
        texts = {name: kept[name] for name in NOTICE_TEXT_FIELDS}
        chosen = {name: kept[name] for name in ("day", "sessions", "banner")}
        return NoticeWording(NoticeKind(kept["kind"]), tone=BannerTone(kept["tone"]), **texts, **chosen)


def notice_form_initial(notice: Notice) -> dict[str, Any]:
    """A form's first values from a row."""
    names = ("kind", *NOTICE_TEXT_FIELDS, "sessions", "banner", "tone", "revision")
    return {**{name: getattr(notice, name) for name in names}, "day": notice.day.isoformat() if notice.day else ""}


class PublishNoticeForm(QuestionedForm):
    """The last press: the revision that was looked at, whether it is mailed, and to how many, typed."""

    revision = forms.IntegerField(widget=forms.HiddenInput)
    mail = forms.BooleanField(required=False)
    words_confirmed = forms.CharField(max_length=64, required=False)
    confirmed = forms.IntegerField(
        label=_("Type the number of mails"), required=False, min_value=0, max_value=LARGEST_COUNT
    )

    def __init__(self, *args: Any, count: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.count = count

    def clean(self) -> dict[str, Any]:
        """Where it is mailed, the count was typed as it is."""
        kept: dict[str, Any] = super().clean() or {}
        if kept.get("mail") and "confirmed" in kept and kept["confirmed"] != self.count:
            facts = {"count": self.count}
            self.add_error("confirmed", _("Type %(count)s: so many mails go out. Nothing was published.") % facts)
        return kept
