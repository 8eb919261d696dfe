"""What is typed to make an event, to change its facts, to copy it."""

from collections.abc import Mapping
from datetime import date, time
from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from scoring.ruleset import PRESETS
from tournament.core.enums import StageKind
from tournament.core.models.event import Event
from tournament.events.domain import STAGE_MAX_ROUNDS
from tournament.messages.forms import LANGUAGE_SUFFIX_TAGS, PreviewedForm
from tournament.setup.queries import SetupProgress
from tournament.setup.services.changes import EMBARGO_LOCK, PAIRS_LOCK, SLUG_LOCK
from tournament.setup.services.plan import DayPace, PlannedSession, hall_time, number_sessions, plan_day
from tournament.setup.services.rehearsal import REHEARSAL_SUFFIX
from tournament.setup.services.setup import EVENT_CHOICE_FIELDS, RESERVED_SLUGS, moment_as_text

SETUP_FIELD_REQUIRED = _("Please fill this in.")
MAX_SETUP_DAYS = 6
MAX_SESSIONS_PER_DAY, MAX_SESSION_TABLES, MAX_SESSION_PLACES = 20, 500, 100_000
SLUG_ROOM = 50 - len(REHEARSAL_SUFFIX)
STAGE_ENDS_LABEL = _("After this stage")
STAGE_ENDS_CHOICES = {
    "": _("the best advance to a later stage, as a final"),
    "1": _("nothing: its ranking is the result of the event"),
}
STAGE_ROUNDS_LABEL = _("Who plays the sessions")
STAGE_ROUNDS_CHOICES = {
    "": _("each entrant one of them"),
    "1": _("everybody all of them, as rounds that are drawn one after the other"),
}
STAGE_ROUNDS_HELP = _("In rounds everybody is entered for the first, and the games of all rounds count together.")
RULESET_CHOICES = {
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
    words = {"required": SETUP_FIELD_REQUIRED, "invalid": _("Write the day as 2026-04-06.")}
    return forms.DateField(label=label, widget=DateInput(), input_formats=["%Y-%m-%d"], error_messages=words, **more)


def hour_field(label: Any, **more: Any) -> forms.TimeField:
    """An hour of the day in the hall."""
    words = {"required": SETUP_FIELD_REQUIRED, "invalid": _("Write the hour as 12:30.")}
    return forms.TimeField(label=label, widget=TimeInput(), input_formats=["%H:%M"], error_messages=words, **more)


def number_field(label: Any, least: int, most: int, **more: Any) -> forms.IntegerField:
    """A whole number within bounds that its sentence names."""
    said = format_lazy(_("Write a whole number from {least} to {most}."), least=least, most=most)
    words = {"required": SETUP_FIELD_REQUIRED, **dict.fromkeys(("invalid", "min_value", "max_value"), said)}
    return forms.IntegerField(label=label, min_value=least, max_value=most, error_messages=words, **more)


def choice_field(label: Any, choices: Mapping[str, Any], **more: Any) -> forms.TypedChoiceField:
    """One of two: what is chosen by nothing, and what "1" stands for."""
    return forms.TypedChoiceField(
        label=label,
        choices=list(choices.items()),
        coerce=bool,
        empty_value=False,  # type: ignore[arg-type]  # the stubs know texts alone
        required=False,
        **more,
    )


def text_field(label: Any, room: int, **more: Any) -> forms.CharField:
    words = {"required": SETUP_FIELD_REQUIRED, "max_length": _("This is too long.")}
    return forms.CharField(label=label, max_length=room, error_messages=words, **more)


def address_field(room: int, help_text: Any) -> forms.CharField:
    """A word that stands in links."""
    letters = RegexValidator(r"^[a-z0-9]+(-[a-z0-9]+)*\Z", _("Only small letters a to z, figures and single hyphens."))
    return text_field(_("Address"), room, help_text=help_text, validators=[letters])


class EventFactsForm(PreviewedForm):
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
        MAX_SESSION_PLACES,
        help_text=_("First come, first served; the import stops at this number."),
    )
    several_pairs = choice_field(
        _("Pairs of child and parent (R40)"),
        {
            "": _("one pair a person"),
            "1": _("a person may be in several: every child with every parent of a family"),
        },
        help_text=_("With several, all children and parents with one family code are entered together."),
    )
    results_on = day_field(_("Results on (R9)"), help_text=_("Nothing is released before this day and hour."))
    results_hour = hour_field(_("from (hour)"))
    retention_on = day_field(
        _("Personal data is kept until"), help_text=_("Results stay, by entrant number; names and contacts go.")
    )
    erase_by_itself = choice_field(
        _("After that day"),
        {"": _("an organiser erases it; the overview reminds"), "1": _("a worker erases it by itself")},
        help_text=_("A worker is manage.py work, or Celery. Without one nothing happens by itself."),
    )

    def preview(self) -> list[tuple[str, SafeString]]:
        """Name and venue in each language, as the list of events has them."""
        typed = self.cleaned_data
        said = [[typed.get(f"{part}_{of}", "") for part in ("name", "venue")] for of in ("zh", "en")]
        return [
            (lang, format_html("<b>{}</b><br>{}", *texts))
            for (_language, lang), texts in zip(LANGUAGE_SUFFIX_TAGS, said, strict=True)
        ]

    def facts(self) -> dict[str, Any]:
        """The `facts` that `services.changes.change_event` takes."""
        wanted = dict(self.cleaned_data)
        wanted["results_at"] = hall_time(wanted.pop("results_on"), wanted.pop("results_hour"))
        return wanted


class EventForm(EventFactsForm):
    """The facts of an event that is there: what is locked is shown with the reason and is not read from the form."""

    revision = forms.IntegerField(widget=forms.HiddenInput)
    slug = forms.CharField(label=_("Address"), required=False, disabled=True, help_text=_(SLUG_LOCK))
    field_order = ("name_zh", "name_en", "venue_zh", "venue_en", "contact", "slug")

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, event: Event, progress: SetupProgress, **kwargs: Any
    ) -> None:
        kept = {name: getattr(event, name) for name in (*self.field_order, "quota")}
        results = timezone.localtime(event.results_at)
        kept |= {"results_on": results.date(), "results_hour": results.time(), "retention_on": event.retention_on}
        kept |= {name: "1" if getattr(event, name) else "" for name in EVENT_CHOICE_FIELDS}
        super().__init__(data, initial={"revision": event.revision, **kept}, **kwargs)
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


class SessionPaceForm(forms.Form):
    """A day of sessions: how many, from when, how far apart, and what follows each check-in (R2)."""

    sessions: forms.Field = number_field(_("Sessions a day"), 1, MAX_SESSIONS_PER_DAY, initial=4)
    first = hour_field(_("First check-in"), initial=time(12))
    every = number_field(_("A session every … minutes"), 1, 720, initial=105)
    seating = number_field(_("Seating and briefing after … minutes"), 0, 720, initial=30)
    play = number_field(_("Play after … minutes"), 0, 720, initial=45)
    end = number_field(_("End after … minutes"), 1, 900, initial=105)
    tables = number_field(_("Tables in each session"), 1, MAX_SESSION_TABLES, initial=25)

    def clean(self) -> dict[str, Any]:
        """Seating, play and end follow one another, and the last session ends on its day."""
        super().clean()
        found = self.cleaned_data
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
        typed = self.cleaned_data
        names = ("first", "every", "seating", "play", "end")
        pace = DayPace(count=typed["sessions"], **{name: typed[name] for name in names})
        return plan_day(day, pace, table_count=typed["tables"])


class SetupDayForm(SessionPaceForm):
    """One more day of sessions for an event that is there."""

    day = day_field(_("Day"))
    revision = forms.IntegerField(widget=forms.HiddenInput)
    field_order = ("day",)


class SlugForm(forms.Form):
    """The address of a new event."""

    slug = address_field(
        SLUG_ROOM, _("Small letters, figures and hyphens, as hk-2027. It stands in every link and stays as it is.")
    )

    def clean_slug(self) -> str:
        """An address that nothing else has."""
        slug: str = self.cleaned_data["slug"]
        if slug in RESERVED_SLUGS or Event.objects.filter(slug=slug).exists():
            raise forms.ValidationError(_("The address %(slug)s is taken. Choose another.") % {"slug": slug})
        return slug


class NewEventForm(SlugForm, EventFactsForm, SessionPaceForm):
    """An event from nothing: its facts, its days and their pace, its rules."""

    ruleset = forms.ChoiceField(
        label=_("Rules"),
        choices=[(name, RULESET_CHOICES[name]) for name in PRESETS],
        help_text=_("Each rule can be looked at and changed afterwards."),
    )
    ends = choice_field(STAGE_ENDS_LABEL, STAGE_ENDS_CHOICES)
    advance = number_field(_("How many advance (R37)"), 1, MAX_SESSION_PLACES, required=False, initial=120)
    in_rounds = choice_field(STAGE_ROUNDS_LABEL, STAGE_ROUNDS_CHOICES, help_text=STAGE_ROUNDS_HELP)
    facts_names = ("name_zh", "name_en", "venue_zh", "venue_en", "contact", "slug")
    day_names = tuple(f"day{number}" for number in range(1, MAX_SETUP_DAYS + 1))
    pace_names = ("sessions", "first", "every", "seating", "play", "end", "tables")
    rest_names = (
        "quota",
        "several_pairs",
        "ruleset",
        "ends",
        "advance",
        "in_rounds",
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
        if found.get("in_rounds") and days and len(days) * (found.get("sessions") or 0) > STAGE_MAX_ROUNDS:
            self.add_error("in_rounds", _("A stage has %(most)s rounds at most.") % {"most": STAGE_MAX_ROUNDS})
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
        sessions = number_sessions([planned for day in days for planned in self.plan(day)])
        capacities = [place.planned.capacity for place in sessions]
        places = min(capacities) if typed["in_rounds"] else sum(capacities)
        stage = {"kind": StageKind.PRELIMINARY.value, "ruleset": typed["ruleset"], "advance": typed["advance"]}
        if typed["ends"]:
            stage |= {"qualifying": "", "advance": None}
        if typed["in_rounds"]:
            stage["rounds"] = len(sessions)
        return {
            **{name: typed[name] for name in self.facts_names},
            "quota": typed["quota"] or places,
            "results_at": moment_as_text(hall_time(typed["results_on"], typed["results_hour"])),
            "retention_on": typed["retention_on"].isoformat(),
            **{name: True for name in EVENT_CHOICE_FIELDS if typed[name]},
            "stages": [
                {**stage, "sessions": [planned_session_data(place.planned, place.number_of_day) for place in sessions]}
            ],
        }


def planned_session_data(planned: PlannedSession, number_of_day: int) -> dict[str, Any]:
    """A planned session in the shape of fixtures/event.json."""
    return {
        "number_of_day": number_of_day,
        "check_in_at": moment_as_text(planned.check_in_at),
        "seating_at": moment_as_text(planned.seating_at),
        "play_at": moment_as_text(planned.play_at),
        "ends_at": moment_as_text(planned.ends_at),
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
