"""What is typed to set up a later stage: its rules at first, one session or several rounds, its date or that it is
open; of one before the last also its address and names, and how one advances from it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from django import forms
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.ruleset import PRESETS
from tournament.core.errors import BadInput
from tournament.core.models.stage import Session, Stage
from tournament.events.domain import STAGE_MAX_ROUNDS
from tournament.events.forms import DroppedValue
from tournament.ranking.domain.qualifying import QUALIFYING
from tournament.setup.forms.rules import RulesForm, preset_of_ruleset
from tournament.setup.forms.setup import (
    MAX_SESSION_PLACES,
    RULESET_CHOICES,
    SETUP_FIELD_REQUIRED,
    SessionPaceForm,
    address_field,
    day_field,
    number_field,
    text_field,
)
from tournament.setup.services.later_stage import STAGE_NAME_MAX_LENGTH, StagePlan, plan_over_existing_rows
from tournament.setup.services.plan import ROUND_TOO_EARLY, SEATS_PER_TABLE, DayPace, PlannedSession, plan_day
from tournament.setup.services.stage_address import STAGE_ADDRESS_MAX_LENGTH, STAGE_ADDRESS_TAKEN, refuse_stage_address

DATES_TO_BE_ANNOUNCED, DATES_GIVEN = "open", "dated"
SAME_RULES_CHOICE = "same"
STAGE_ADDRESS_HINT = _(
    "At most {most} small letters, figures and hyphens, as semi-final. It stands in links and is given once."
)
STAGE_DATE_CHOICES = ((DATES_TO_BE_ANNOUNCED, _("to be announced")), (DATES_GIVEN, _("on the day below")))
# R38: unless the ruleset says otherwise as many play it as advance, four to a table.
DEFAULT_STAGE_PLACES = 120


def minutes_between(first: Any, then: Any) -> int:
    """Whole minutes from one moment to another."""
    return int((then - first).total_seconds()) // 60


def pace_form_initial(sessions: Sequence[PlannedSession]) -> dict[str, Any]:
    """The day and pace of planned sessions as the form shows them, from the first of them and the next of that
    day."""
    first, *others = sessions
    start = first.check_in_at
    follows = [other.check_in_at for other in others if other.day == first.day]
    gap = {"every": minutes_between(start, follows[0])} if follows else {}
    return {
        "day": first.day,
        "first": timezone.localtime(start).time(),
        **gap,
        "seating": minutes_between(start, first.seating_at),
        "play": minutes_between(start, first.play_at),
        "end": minutes_between(start, first.ends_at),
        "tables": first.table_count,
    }


class StageForm(SessionPaceForm):
    """The last stage: how it is played, when, and the pace of its day. A new one also asks whose rules it has."""

    revision = forms.IntegerField(widget=forms.HiddenInput)
    ruleset = forms.ChoiceField(
        label=_("Rules"), help_text=_("Each rule can be looked at and changed afterwards, for this stage alone.")
    )
    sessions = forms.TypedChoiceField(
        label=_("How it is played (R38)"),
        coerce=int,
        choices=[
            (1, _("one session, like the preliminary")),
            *((n, format_lazy(_("{n} rounds, each with a new draw"), n=n)) for n in range(2, STAGE_MAX_ROUNDS + 1)),
        ],
        help_text=_("A round is one scoresheet; ranked are all games of all rounds together."),
    )
    when = forms.ChoiceField(
        label=_("Date"),
        choices=STAGE_DATE_CHOICES,
        help_text=_("While it is to be announced, the personal pages of those who play say so."),
    )
    day = day_field(_("Day"), required=False)
    field_order = ("ruleset", "sessions", "when")
    own_names: tuple[str, ...] = ()
    plan_names = ("ruleset", "sessions", "when")
    day_names = ("day", "first", "every", "seating", "play", "end", "tables")

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        first: Stage,
        places: int | None,
        now: StagePlan | None,
        revision: int,
        **more: Any,
    ):
        tables = -(-(places or DEFAULT_STAGE_PLACES) // SEATS_PER_TABLE)
        initial: dict[str, Any] = {"revision": revision, "ruleset": SAME_RULES_CHOICE, "tables": tables}
        if now:
            initial |= {"sessions": now.rounds, "when": DATES_GIVEN if now.sessions else DATES_TO_BE_ANNOUNCED}
            initial |= pace_form_initial(now.sessions) if now.sessions else {}
        super().__init__(data, initial=initial, **more)
        self.now, self.first_stage = now, first
        self.fields["every"].label = _("A round every … minutes")
        self.fields["tables"].label = _("Tables")
        for name in self.day_names:
            self.fields[name].required = False
        presets = [(name, RULESET_CHOICES[name]) for name in PRESETS]
        self.base_rules = [(SAME_RULES_CHOICE, _("as in the preliminary")), *presets]
        cast(forms.ChoiceField, self.fields["ruleset"]).choices = self.base_rules
        if now:
            del self.fields["ruleset"]

    def clean(self) -> dict[str, Any]:
        """A day that is known is known whole; of one that is not, nothing is read."""
        typed = self.cleaned_data
        if typed.get("when") == DATES_TO_BE_ANNOUNCED:
            for name in self.day_names:
                self.errors.pop(name, None)
            return typed
        if typed.get("sessions") == 1:
            self.errors.pop("every", None)
            typed["every"] = 0
        missing = [name for name in self.day_names if name not in self.errors and typed.get(name) is None]
        for name in missing:
            self.add_error(name, SETUP_FIELD_REQUIRED)
        if missing:
            return typed
        found = super().clean()
        if not self.errors and found["sessions"] > 1 and found["every"] + found["seating"] < found["end"]:
            self.add_error("every", _(ROUND_TOO_EARLY))
        return found

    def dropped(self) -> list[DroppedValue]:
        """The rules that a page sends which was opened before this final was set up: they are changed on their own
        page."""
        sent = self.data.get("ruleset") if self.now else None
        if self.now is None or not sent:
            return []
        wanted = self.first_stage.ruleset if sent == SAME_RULES_CHOICE else sent
        if wanted == self.now.ruleset:
            return []
        words = dict(self.base_rules)
        return [DroppedValue(gettext("Rules"), words[preset_of_ruleset(self.now.ruleset)], words.get(sent, sent))]

    @property
    def by_hand(self) -> bool:
        """Whether the hours that stand follow no pace: saved from here they get one."""
        if self.now is None or not self.now.sessions:
            return False
        pace = {"every": 0, **pace_form_initial(self.now.sessions)}
        day, tables = pace.pop("day"), pace.pop("tables")
        even = plan_day(day, DayPace(count=len(self.now.sessions), **pace), table_count=tables)
        return [each.values for each in even] != [each.values for each in self.now.sessions]

    def own_values(self) -> dict[str, Any]:
        """What the plan has of this form beside rules, rounds and sessions."""
        return {}

    def wanted(self, rounds: Sequence[Session]) -> StagePlan:
        """The plan as typed, over the rounds that are there; hours that were set by hand stay where no pace was
        touched."""
        typed, standing = self.cleaned_data, self.now
        if standing is None:
            rules = self.first_stage.ruleset if typed["ruleset"] == SAME_RULES_CHOICE else typed["ruleset"]
            standing = StagePlan(rules, typed["sessions"])
        plan = replace(standing, rounds=typed["sessions"], **self.own_values())
        if typed["when"] == DATES_TO_BE_ANNOUNCED:
            return replace(plan, sessions=())
        untouched = not set(self.day_names) & set(self.changed_data)
        if standing.sessions and plan.rounds == standing.rounds and untouched:
            return plan
        return replace(plan, sessions=plan_over_existing_rows(self.plan(typed["day"]), rounds))

    def groups(self) -> dict[str, list[forms.BoundField]]:
        """The fields as the page has them."""
        names = {"own": self.own_names, "plan": self.plan_names, "day": self.day_names}
        return {group: [self[name] for name in own if name in self.fields] for group, own in names.items()}


class StageBetweenForm(StageForm):
    """A stage before the last: also its names, and how many advance from it in which way."""

    name_zh = text_field(_("Stage's name in Chinese"), STAGE_NAME_MAX_LENGTH, help_text=_("For example 準決賽."))
    name_en = text_field(_("Stage's name in English"), STAGE_NAME_MAX_LENGTH, help_text=_("For example Semi-final."))
    advance = number_field(_("How many advance (R37)"), 1, MAX_SESSION_PLACES)
    qualifying = forms.ChoiceField(label=_("How one advances"))
    own_names = ("kind", "name_zh", "name_en", "advance", "qualifying")

    def __init__(self, *args: Any, now: StagePlan | None, **more: Any) -> None:
        super().__init__(*args, now=now, **more)
        ways = [(name, _(way.words)) for name, way in QUALIFYING.items() if name]
        self.initial["qualifying"] = ways[0][0]
        if now:
            self.initial.update({name: getattr(now, name) for name in ("name_zh", "name_en", "advance", "qualifying")})
        cast(forms.ChoiceField, self.fields["qualifying"]).choices = ways
        if len(ways) == 1:
            del self.fields["qualifying"]

    def own_values(self) -> dict[str, Any]:
        """Address, names, and how one advances; the way that stands where there is no choice."""
        given = {name: self.cleaned_data[name] for name in self.own_names if name in self.fields}
        return {"qualifying": self.initial["qualifying"], **given}


class NewStageForm(StageBetweenForm):
    """A stage before the last that is not there yet: also the address that it gets."""

    kind = address_field(STAGE_ADDRESS_MAX_LENGTH, format_lazy(STAGE_ADDRESS_HINT, most=STAGE_ADDRESS_MAX_LENGTH))

    def clean_kind(self) -> str:
        """An address that no other page and no other stage of the event has."""
        kind: str = self.cleaned_data["kind"]
        try:
            refuse_stage_address(kind)
        except BadInput as refused:
            raise forms.ValidationError(str(refused)) from refused
        if self.first_stage.event.stages.filter(kind=kind).exists():
            raise forms.ValidationError(gettext(STAGE_ADDRESS_TAKEN) % {"kind": kind})
        return kind


class StageRulesForm(RulesForm):
    """The rules of a later stage; how many advance, and its rounds, are typed elsewhere."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, advance=None, **more)
        for name in ("advance", "ends", "in_rounds"):
            del self.fields[name]
