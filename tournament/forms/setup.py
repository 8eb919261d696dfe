"""What is typed to make an event, to change its facts, to copy it."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from scoring.ruleset import PRESETS
from tournament.enums import StageKind
from tournament.forms.published_text import LANGUAGES, PreviewedForm
from tournament.models import Event
from tournament.queries.setup import Progress
from tournament.services.setup import CHOICES, TAKEN_SLUGS, text_of
from tournament.services.setup_changes import EMBARGO_LOCK, PAIRS_LOCK, SLUG_LOCK
from tournament.services.setup_plan import Pace, PlannedSession, at, placed, plan_day
from tournament.services.setup_rehearsal import SUFFIX

FILL_IN = _("Please fill this in.")
DAYS = 6
MOST_DAYS_SESSIONS, MOST_TABLES, MOST_PLACES = 20, 500, 100_000
SLUG_ROOM = 50 - len(SUFFIX)
RULESETS = {
    "hk-2026": _("Hong Kong 2026: 3 games in 60 minutes, flat values for an unopened rack"),
    "twist": _("Twist: four kinds of jokers, wins and total points"),
    "school": _("School: 3 games, total points"),
    "word": _("WORD: letters, 1 game, total points"),
    "french": _("French: jokers cost 20, total points"),
}


class DateInput(forms.DateInput):
    """The browser's own field for a day."""

    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class TimeInput(forms.TimeInput):
    """The browser's own field for an hour."""

    input_type = "time"

    def __init__(self) -> None:
        super().__init__(format="%H:%M")


def day_field(label: Any, **more: Any) -> forms.DateField:
    """A day."""
    words = {"required": FILL_IN, "invalid": _("Write the day as 2026-04-06.")}
    return forms.DateField(label=label, widget=DateInput(), input_formats=["%Y-%m-%d"], error_messages=words, **more)


def hour_field(label: Any, **more: Any) -> forms.TimeField:
    """An hour of the day in the hall."""
    words = {"required": FILL_IN, "invalid": _("Write the hour as 12:30.")}
    return forms.TimeField(label=label, widget=TimeInput(), input_formats=["%H:%M"], error_messages=words, **more)


def number_field(label: Any, least: int, most: int, **more: Any) -> forms.IntegerField:
    """A whole number within bounds that its sentence names."""
    said = format_lazy(_("Write a whole number from {least} to {most}."), least=least, most=most)
    words = {"required": FILL_IN, **dict.fromkeys(("invalid", "min_value", "max_value"), said)}
    return forms.IntegerField(label=label, min_value=least, max_value=most, error_messages=words, **more)


def text_field(label: Any, room: int, **more: Any) -> forms.CharField:
    """A line of text."""
    words = {"required": FILL_IN, "max_length": _("This is too long.")}
    return forms.CharField(label=label, max_length=room, error_messages=words, **more)


class FactsForm(PreviewedForm):
    """Names in both languages, venue, places, the hour of the results, the day of erasure."""

    name_zh = text_field(_("Event's name in Chinese"), 200)
    name_en = text_field(_("Event's name in English"), 200)
    venue_zh = text_field(_("Venue in Chinese"), 300, required=False)
    venue_en = text_field(_("Venue in English"), 300, required=False)
    contact = text_field(
        _("Contact"),
        200,
        required=False,
        help_text=_(
            "Telephone, e-mail or address by which families reach you. It is public: on pages, notices, posters and in"
            " mails. Needed before a notice of new dates."
        ),
    )
    quota = number_field(
        _("Places in all (R2)"),
        1,
        MOST_PLACES,
        help_text=_("First come, first served; the import stops at this number."),
    )
    several_pairs = forms.TypedChoiceField(
        label=_("Pairs of child and parent (R40)"),
        choices=[
            ("", _("one pair a person")),
            ("1", _("a person may be in several: every child with every parent of a family")),
        ],
        coerce=bool,
        empty_value=False,
        required=False,
        help_text=_("With several, all children and parents with one family code are entered together."),
    )
    results_on = day_field(_("Results on (R9)"), help_text=_("Nothing is released before this day and hour."))
    results_hour = hour_field(_("from (hour)"))
    retention_on = day_field(
        _("Personal data is kept until"), help_text=_("Results stay, by entrant number; names and contacts go.")
    )
    erase_by_itself = forms.TypedChoiceField(
        label=_("After that day"),
        choices=[("", _("an organiser erases it; the overview reminds")), ("1", _("a worker erases it by itself"))],
        coerce=bool,
        empty_value=False,
        required=False,
        help_text=_("A worker is manage.py work, or Celery. Without one nothing happens by itself."),
    )

    def preview(self) -> list[tuple[str, SafeString]]:
        """Name and venue in each language, as the list of events has them."""
        typed = self.cleaned_data
        said = [[typed.get(f"{part}_{of}", "") for part in ("name", "venue")] for of in ("zh", "en")]
        return [
            (lang, format_html("<b>{}</b><br>{}", *texts))
            for (_language, lang), texts in zip(LANGUAGES, said, strict=True)
        ]

    def facts(self) -> dict[str, Any]:
        """As services.setup_changes.change_event takes them."""
        wanted = dict(self.cleaned_data)
        wanted["results_at"] = at(wanted.pop("results_on"), wanted.pop("results_hour"))
        return wanted


class EventForm(FactsForm):
    """The facts of an event that is there: what is locked is shown with the reason and is not read from the form."""

    revision = forms.IntegerField(widget=forms.HiddenInput)
    slug = forms.CharField(label=_("Address"), required=False, disabled=True, help_text=_(SLUG_LOCK))
    field_order = ("name_zh", "name_en", "venue_zh", "venue_en", "contact", "slug")

    def __init__(self, *args: Any, event: Event, progress: Progress, **kwargs: Any) -> None:
        kept = {name: getattr(event, name) for name in (*self.field_order, "quota")}
        results = timezone.localtime(event.results_at)
        kept |= {"results_on": results.date(), "results_hour": results.time(), "retention_on": event.retention_on}
        kept |= {name: "1" if getattr(event, name) else "" for name in CHOICES}
        super().__init__(*args, initial={"revision": event.revision, **kept}, **kwargs)
        if progress.play_begun:
            self.fields["several_pairs"].disabled = True
            self.fields["several_pairs"].help_text = _(PAIRS_LOCK)
        if progress.released:
            for name in ("results_on", "results_hour"):
                self.fields[name].disabled = True
            self.fields["results_on"].help_text = _(EMBARGO_LOCK) % {"number": progress.released}

    def facts(self) -> dict[str, Any]:
        """Without what only the page needs."""
        wanted = super().facts()
        return {name: value for name, value in wanted.items() if name not in ("revision", "slug")}


class PaceForm(forms.Form):
    """A day of sessions: how many, from when, how far apart, and what follows each check-in (R2)."""

    sessions = number_field(_("Sessions a day"), 1, MOST_DAYS_SESSIONS, initial=4)
    first = hour_field(_("First check-in"), initial="12:00")
    every = number_field(_("A session every … minutes"), 1, 720, initial=105)
    seating = number_field(_("Seating and briefing after … minutes"), 0, 720, initial=30)
    play = number_field(_("Play after … minutes"), 0, 720, initial=45)
    end = number_field(_("End after … minutes"), 1, 900, initial=105)
    tables = number_field(_("Tables in each session"), 1, MOST_TABLES, initial=25)

    def clean(self) -> dict[str, Any]:
        """Seating, play and end follow one another, and the last session ends on its day."""
        found = super().clean()
        names = ("sessions", "first", "every", "seating", "play", "end")
        if all(name in found for name in names):
            ordered = found["seating"] <= found["play"] < found["end"]
            minutes = found["first"].hour * 60 + found["first"].minute
            last = minutes + found["every"] * (found["sessions"] - 1) + found["end"]
            # add_error takes the field out of what was read, so all is looked at first.
            if not ordered:
                self.add_error("end", _("The order is check-in, seating, play, end."))
            if last >= 24 * 60:
                self.add_error("sessions", _("The last session would end after midnight. Begin earlier or plan fewer."))
        return found

    def plan(self, day: date) -> list[PlannedSession]:
        """The day's sessions."""
        typed = self.cleaned_data
        names = ("first", "every", "seating", "play", "end")
        pace = Pace(count=typed["sessions"], **{name: typed[name] for name in names})
        return plan_day(day, pace, table_count=typed["tables"])


class DayForm(PaceForm):
    """One more day of sessions for an event that is there."""

    day = day_field(_("Day"))
    revision = forms.IntegerField(widget=forms.HiddenInput)
    field_order = ("day",)


class SlugForm(forms.Form):
    """The address of a new event."""

    slug = forms.CharField(
        label=_("Address"),
        max_length=SLUG_ROOM,
        help_text=_("Small letters, figures and hyphens, as hk-2027. It stands in every link and stays as it is."),
        validators=[
            RegexValidator(r"^[a-z0-9]+(-[a-z0-9]+)*\Z", _("Only small letters a to z, figures and single hyphens."))
        ],
        error_messages={"required": FILL_IN, "max_length": _("This is too long.")},
    )

    def clean_slug(self) -> str:
        """An address that nothing else has."""
        slug = self.cleaned_data["slug"]
        if slug in TAKEN_SLUGS or Event.objects.filter(slug=slug).exists():
            raise forms.ValidationError(_("The address %(slug)s is taken. Choose another.") % {"slug": slug})
        return slug


class NewEventForm(SlugForm, FactsForm, PaceForm):
    """An event from nothing: its facts, its days and their pace, its rules."""

    ruleset = forms.ChoiceField(
        label=_("Rules"),
        choices=[(name, RULESETS[name]) for name in PRESETS],
        help_text=_("Each rule can be looked at and changed afterwards."),
    )
    advance = number_field(_("How many advance (R37)"), 1, MOST_PLACES, required=False, initial=120)
    facts_names = ("name_zh", "name_en", "venue_zh", "venue_en", "contact", "slug")
    day_names = tuple(f"day{number}" for number in range(1, DAYS + 1))
    pace_names = ("sessions", "first", "every", "seating", "play", "end", "tables")
    rest_names = (
        "quota",
        "several_pairs",
        "ruleset",
        "advance",
        "results_on",
        "results_hour",
        "retention_on",
        "erase_by_itself",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for number, name in enumerate(self.day_names, start=1):
            self.fields[name] = day_field(_("Day %(number)s") % {"number": number}, required=number == 1)
        self.fields["quota"].required = False
        self.fields["quota"].help_text = _("Left empty: as many as there are seats.")
        self.fields["advance"].help_text = _("Left empty: as the rules say.")
        self.fields["results_hour"].initial = "00:00"

    def clean(self) -> dict[str, Any]:
        """No day twice; the data outlives the last day."""
        found = super().clean()
        days = [found[name] for name in self.day_names if found.get(name)]
        for name in self.day_names:
            if found.get(name) and days.count(found[name]) > 1:
                self.add_error(name, _("This day is there twice."))
        erased = found.get("retention_on")
        if erased and days and erased < max(days):
            self.add_error("retention_on", _("This is before the last day of the event."))
        return found

    def groups(self) -> Mapping[str, list[forms.BoundField]]:
        """The fields as the page has them."""
        names = {"facts": self.facts_names, "days": self.day_names, "pace": self.pace_names, "rest": self.rest_names}
        return {group: [self[name] for name in own] for group, own in names.items()}

    def data_of_event(self) -> dict[str, Any]:
        """In the shape of fixtures/event.json."""
        typed = self.cleaned_data
        days = sorted(typed[name] for name in self.day_names if typed[name])
        sessions = placed([planned for day in days for planned in self.plan(day)])
        places = sum(place.planned.capacity for place in sessions)
        stage = {"kind": StageKind.PRELIMINARY.value, "ruleset": typed["ruleset"], "advance": typed["advance"]}
        return {
            **{name: typed[name] for name in self.facts_names},
            "quota": typed["quota"] or places,
            "results_at": text_of(at(typed["results_on"], typed["results_hour"])),
            "retention_on": typed["retention_on"].isoformat(),
            **{name: True for name in CHOICES if typed[name]},
            "stages": [{**stage, "sessions": [session_data(place.planned, place.number_of_day) for place in sessions]}],
        }


def session_data(planned: PlannedSession, number_of_day: int) -> dict[str, Any]:
    """A planned session in the shape of fixtures/event.json."""
    return {
        "number_of_day": number_of_day,
        "check_in_at": text_of(planned.check_in_at),
        "seating_at": text_of(planned.seating_at),
        "play_at": text_of(planned.play_at),
        "ends_at": text_of(planned.ends_at),
        "table_count": planned.table_count,
        "capacity": planned.capacity,
    }


class CopyForm(SlugForm):
    """A new event with the structure of this one."""

    name_zh = text_field(_("Event's name in Chinese"), 200)
    name_en = text_field(_("Event's name in English"), 200)
    first_day = day_field(_("First day"), help_text=_("The other days, the results and the erasure move with it."))
    field_order = ("name_zh", "name_en", "slug", "first_day")


class RevisionForm(forms.Form):
    """The revision of the set-up that the page showed."""

    revision = forms.IntegerField(widget=forms.HiddenInput)
