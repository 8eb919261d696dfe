"""What is typed to set up a final: its rules at first, one session or several rounds, its date or that it is open."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.ruleset import PRESETS
from tournament.forms.locked_fields import Dropped
from tournament.forms.setup import FILL_IN, RULESETS, PaceForm, day_field
from tournament.forms.setup_rules import RulesForm, preset_of
from tournament.models import Session, Stage
from tournament.services.setup_final import MOST_ROUNDS, FinalPlan, over_rows
from tournament.services.setup_plan import ROUND_TOO_EARLY, SEATS, Pace, PlannedSession, plan_day

TO_BE_ANNOUNCED, DATED = "open", "dated"
AS_BEFORE = "same"
WHEN = ((TO_BE_ANNOUNCED, _("to be announced")), (DATED, _("on the day below")))
# R38: unless the ruleset says otherwise as many play it as advance, four to a table.
PLACES = 120


def minutes_between(first: Any, then: Any) -> int:
    """Whole minutes from one moment to another."""
    return int((then - first).total_seconds()) // 60


def pace_of(sessions: Sequence[PlannedSession]) -> dict[str, Any]:
    """The day and pace of planned sessions as the form shows them, from the first of them and the next."""
    first, *others = sessions
    start = first.check_in_at
    gap = {"every": minutes_between(start, others[0].check_in_at)} if others else {}
    return {
        "day": first.day,
        "first": timezone.localtime(start).time(),
        **gap,
        "seating": minutes_between(start, first.seating_at),
        "play": minutes_between(start, first.play_at),
        "end": minutes_between(start, first.ends_at),
        "tables": first.table_count,
    }


class FinalForm(PaceForm):
    """The final: how it is played, when, and the pace of its day. A new one also asks whose rules it has."""

    revision = forms.IntegerField(widget=forms.HiddenInput)
    ruleset = forms.ChoiceField(
        label=_("Rules"), help_text=_("Each rule can be looked at and changed afterwards, for the final alone.")
    )
    sessions = forms.TypedChoiceField(
        label=_("How it is played (R38)"),
        coerce=int,
        choices=[
            (1, _("one session, like the preliminary")),
            *((n, format_lazy(_("{n} rounds, each with a new draw"), n=n)) for n in range(2, MOST_ROUNDS + 1)),
        ],
        help_text=_("A round is one scoresheet; ranked are all games of all rounds together."),
    )
    when = forms.ChoiceField(
        label=_("Date"), choices=WHEN, help_text=_("While it is to be announced, the finalists' page says so.")
    )
    day = day_field(_("Day"), required=False)
    field_order = ("ruleset", "sessions", "when")
    plan_names = ("ruleset", "sessions", "when")
    day_names = ("day", "first", "every", "seating", "play", "end", "tables")

    def __init__(self, *args: Any, first: Stage, places: int | None, now: FinalPlan | None, revision: int, **more: Any):
        tables = -(-(places or PLACES) // SEATS)
        initial: dict[str, Any] = {"revision": revision, "ruleset": AS_BEFORE, "tables": tables}
        if now:
            initial |= {"sessions": now.rounds, "when": DATED if now.sessions else TO_BE_ANNOUNCED}
            initial |= pace_of(now.sessions) if now.sessions else {}
        super().__init__(*args, initial=initial, **more)
        self.now, self.before = now, first.ruleset
        self.fields["every"].label = _("A round every … minutes")
        self.fields["tables"].label = _("Tables")
        for name in self.day_names:
            self.fields[name].required = False
        presets = [(name, RULESETS[name]) for name in PRESETS]
        self.base_rules = [(AS_BEFORE, _("as in the preliminary")), *presets]
        self.fields["ruleset"].choices = self.base_rules
        if now:
            del self.fields["ruleset"]

    def clean(self) -> dict[str, Any]:
        """A day that is known is known whole; of one that is not, nothing is read."""
        typed = self.cleaned_data
        if typed.get("when") == TO_BE_ANNOUNCED:
            for name in self.day_names:
                self.errors.pop(name, None)
            return typed
        if typed.get("sessions") == 1:
            self.errors.pop("every", None)
            typed["every"] = 0
        missing = [name for name in self.day_names if name not in self.errors and typed.get(name) is None]
        for name in missing:
            self.add_error(name, FILL_IN)
        if missing:
            return typed
        found = super().clean()
        if not self.errors and found["sessions"] > 1 and found["every"] + found["seating"] < found["end"]:
            self.add_error("every", _(ROUND_TOO_EARLY))
        return found

    def dropped(self) -> list[Dropped]:
        """The rules that a page sends which was opened before this final was set up: they are changed on their own
        page."""
        sent = self.data.get("ruleset") if self.now else None
        if self.now is None or not sent:
            return []
        wanted = self.before if sent == AS_BEFORE else sent
        if wanted == self.now.ruleset:
            return []
        words = dict(self.base_rules)
        return [Dropped(gettext("Rules"), words[preset_of(self.now.ruleset)], words.get(sent, sent))]

    @property
    def by_hand(self) -> bool:
        """Whether the hours that stand follow no pace: saved from here they get one."""
        if self.now is None or not self.now.sessions:
            return False
        pace = {"every": 0, **pace_of(self.now.sessions)}
        day, tables = pace.pop("day"), pace.pop("tables")
        even = plan_day(day, Pace(count=len(self.now.sessions), **pace), table_count=tables)
        return [each.values for each in even] != [each.values for each in self.now.sessions]

    def wanted(self, rounds: Sequence[Session]) -> FinalPlan:
        """The plan as typed, over the rounds that are there; hours that were set by hand stay where no pace was
        touched."""
        typed = self.cleaned_data
        rules = self.now.ruleset if self.now else self.before if typed["ruleset"] == AS_BEFORE else typed["ruleset"]
        if typed["when"] == TO_BE_ANNOUNCED:
            return FinalPlan(rules, typed["sessions"])
        untouched = not set(self.day_names) & set(self.changed_data)
        if self.now and self.now.sessions and typed["sessions"] == self.now.rounds and untouched:
            return FinalPlan(rules, typed["sessions"], self.now.sessions)
        return FinalPlan(rules, typed["sessions"], over_rows(self.plan(typed["day"]), rounds))

    def groups(self) -> dict[str, list[forms.BoundField]]:
        """The fields as the page has them."""
        names = {"plan": self.plan_names, "day": self.day_names}
        return {group: [self[name] for name in own if name in self.fields] for group, own in names.items()}


class FinalRulesForm(RulesForm):
    """The rules of the final; from it nobody advances."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, advance=None, **more)
        del self.fields["advance"]
