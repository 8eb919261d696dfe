"""The options of a ruleset that an organiser may set, each with its clause in words: the options of docs/rules.md."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.problems import Refusal
from scoring.ruleset import PRESETS, Ruleset, read_ruleset
from tournament.setup.forms.setup import (
    MAX_SESSION_PLACES,
    RULESET_CHOICES,
    STAGE_ENDS_CHOICES,
    STAGE_ENDS_LABEL,
    STAGE_ROUNDS_CHOICES,
    STAGE_ROUNDS_HELP,
    STAGE_ROUNDS_LABEL,
    choice_field,
    number_field,
)
from tournament.setup.services.changes import ADVANCE_LOCK
from tournament.sheets.exports.mark_words import MARK_WORDS

SCORING_CHOICES = {
    "difference": _("difference to the lowest rack"),
    "raw": _("each loses the whole rack"),
    "": _("the text does not say: the chief judge rules on such a game"),
}
LOWEST_TIE_CHOICES = {
    "fewest_tiles": _("the fewest tiles win"),
    "unresolved": _("the text does not say: the chief judge rules on such a game"),
}
DIVISOR_CHOICES = {"games": _("the number of games of the rules"), "played": _("the games that were played")}
TABLE_SIZES_CHOICES = {"4,3": _("four, else three"), "4": _("four only"), "4,3,2": _("four, else three or two")}
CRITERION_CHOICES = {"wins": _("wins"), "average": _("average"), "total": _("total points"), "tiles": _("tiles left")}
CRITERION_ORDERS = ("wins,average,tiles", "wins,total,tiles", "wins,total", "total")
ALLOWED_CHOICES = {"yes": _("allowed"), "no": _("not allowed")}


@dataclass(frozen=True, slots=True)
class RuleOption:
    """One field of a ruleset: its clause, its label, the clause in words, and how it is typed."""

    field: str
    clause: str
    label: Any
    words: Any
    kind: str
    choices: Mapping[str, Any] | None = None
    most: int = 10_000
    least: int = 0
    empty: Any = None
    """What an empty number means; None: it may not be empty."""


NO_FLAT_VALUE_WORDS = _("its tiles are counted")
RULE_OPTIONS = (
    RuleOption(
        "games",
        "R31",
        _("Games"),
        _("So many games are played at a table."),
        "number",
        least=1,
        most=20,
        empty=_("as agreed at the table"),
    ),
    RuleOption(
        "minutes",
        "R31",
        _("Minutes in all"),
        _("When they are over the running game is scored as it stands, and later ones are not played."),
        "number",
        least=1,
        most=1_000,
        empty=_("no limit"),
    ),
    RuleOption(
        "turn_seconds",
        "",
        _("Seconds a turn"),
        _("Who takes longer draws a tile."),
        "number",
        least=1,
        most=3_600,
        empty=_("no limit"),
    ),
    RuleOption(
        "table_sizes",
        "R13",
        _("Players at a table"),
        _("As many fours as possible; two at a table only where the rules know it."),
        "list",
        TABLE_SIZES_CHOICES,
    ),
    RuleOption(
        "joker_value", "R24", _("A joker on the rack"), _("What a joker left on the rack costs."), "number", most=1_000
    ),
    RuleOption(
        "opening_minimum",
        "R25",
        _("To break the ice"),
        _("The first sets laid must add up to this, from one's own tiles."),
        "number",
        most=1_000,
    ),
    RuleOption(
        "opening_jokers",
        "R25",
        _("Joker in the opening"),
        _("Whether the first sets may hold a joker."),
        "bool",
        ALLOWED_CHOICES,
    ),
    RuleOption(
        "unopened_unable",
        "R25",
        _("Ice not broken, could not open"),
        _("The whole rack is worth this instead of its tiles."),
        "number",
        empty=NO_FLAT_VALUE_WORDS,
    ),
    RuleOption(
        "unopened_able",
        "R26",
        _("Ice not broken, could have opened"),
        _("The whole rack is worth this instead of its tiles."),
        "number",
        empty=NO_FLAT_VALUE_WORDS,
    ),
    *(
        RuleOption(name, words.clause, _(words.option), _(words.option_help), "number", empty=NO_FLAT_VALUE_WORDS)
        for name, words in MARK_WORDS.items()
    ),
    RuleOption(
        "pool_scoring",
        "R29",
        _("Pool empty, nobody out"),
        _("How points are counted; those with the lowest rack share what the others lose."),
        "word_or_none",
        SCORING_CHOICES,
    ),
    RuleOption(
        "time_up_scoring",
        "R31",
        _("Time up"),
        _("How points are counted when the clock ends a game; the lowest racks share what the others lose."),
        "word_or_none",
        SCORING_CHOICES,
    ),
    RuleOption(
        "lowest_tie",
        "R30",
        _("Several lowest racks"),
        _("Who wins the game when nobody went out."),
        "word",
        LOWEST_TIE_CHOICES,
    ),
    RuleOption(
        "order", "R34–36", _("Ranking"), _("What is compared, one after another; equal on all shares the rank."), "list"
    ),
    RuleOption(
        "average_over",
        "R34–36",
        _("An average divides by"),
        _("A game that the clock left no time for counts 0 where the games of the rules divide."),
        "word",
        DIVISOR_CHOICES,
    ),
    RuleOption(
        "family_order",
        "R40",
        _("Best family"),
        _("The sum of both members is compared by these, one after another."),
        "list",
    ),
    RuleOption(
        "weather_deadline_minutes",
        "",
        _("Weather is judged (minutes before)"),
        _("So many minutes before the day's first check-in."),
        "number",
        most=1_440,
    ),
)


def rule_option_text(option: RuleOption, value: Any) -> str:
    """A ruleset's value as the form has it."""
    if value is None:
        return ""
    if option.kind == "bool":
        return "yes" if value else "no"
    if option.kind == "list":
        return ",".join(str(item) for item in value)
    return str(value)


def read_number(text: Any) -> int | None:
    """A number of the form, or nothing."""
    return None if text in (None, "") else int(text)


RULE_OPTION_READERS: Mapping[str, Callable[[Any], Any]] = {
    "number": read_number,
    "word": str,
    "word_or_none": lambda text: text or None,
    "bool": lambda text: text == "yes",
    "list": lambda text: [int(item) if item.isdigit() else item for item in text.split(",")],
}


def criterion_order_words(text: str) -> str:
    """The criteria of an order in words: wins, average, tiles left."""
    return gettext(", ").join(str(CRITERION_CHOICES[item]) for item in text.split(","))


def rule_option_choices(option: RuleOption, now: str) -> list[tuple[str, Any]]:
    """What may be chosen; what a preset has beside that stays possible."""
    if option.choices is not None:
        known = dict(option.choices)
        return [*known.items(), *([] if now in known else [(now, now.replace(",", " / "))])]
    return [(order, criterion_order_words(order)) for order in dict.fromkeys((*CRITERION_ORDERS, now))]


def rule_option_words(option: RuleOption, ruleset: Ruleset) -> str:
    """An option's value in words."""
    text = rule_option_text(option, getattr(ruleset, option.field))
    if option.kind == "number":
        return text or str(option.empty)
    return str(dict(rule_option_choices(option, text))[text])


def rule_options_in_words(ruleset: Ruleset) -> list[tuple[RuleOption, str]]:
    """Every option with its value in words, in the order of the clauses."""
    return [(option, rule_option_words(option, ruleset)) for option in RULE_OPTIONS]


def preset_of_ruleset(ruleset: Any) -> str:
    """The preset that a stage's ruleset was made from."""
    return str(ruleset if isinstance(ruleset, str) else ruleset["base"])


class RulesForm(forms.Form):
    """The options over one preset. `base` is chosen by another form, since every value follows it."""

    revision = forms.IntegerField(widget=forms.HiddenInput)
    base = forms.ChoiceField(
        label=_("Rules"), choices=[(name, RULESET_CHOICES[name]) for name in PRESETS], widget=forms.HiddenInput
    )
    advance = number_field(
        _("How many advance (R37)"), 1, MAX_SESSION_PLACES, required=False, help_text=_("Left empty: as the rules say.")
    )

    ends = choice_field(STAGE_ENDS_LABEL, STAGE_ENDS_CHOICES)
    in_rounds = choice_field(STAGE_ROUNDS_LABEL, STAGE_ROUNDS_CHOICES, help_text=STAGE_ROUNDS_HELP)

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        ruleset: Ruleset,
        advance: int | None,
        ends: bool = False,
        in_rounds: bool = False,
        revision: int,
        locked: bool,
        **kwargs: Any,
    ):
        initial: dict[str, Any] = {"revision": revision, "base": ruleset.name, "advance": advance}
        initial |= {name: "1" if chosen else "" for name, chosen in (("ends", ends), ("in_rounds", in_rounds))}
        initial |= {option.field: rule_option_text(option, getattr(ruleset, option.field)) for option in RULE_OPTIONS}
        super().__init__(data, initial=initial, **kwargs)
        for option in RULE_OPTIONS:
            self.fields[option.field] = self.field_of(option, initial[option.field])
        if locked:
            for name, field in self.fields.items():
                field.disabled = name != "revision"
                if name == "advance":
                    field.help_text = gettext(ADVANCE_LOCK)

    def field_of(self, option: RuleOption, now: str) -> forms.Field:
        """The field of an option: its clause in words is its hint."""
        if option.kind != "number":
            return forms.ChoiceField(
                label=option.label,
                choices=rule_option_choices(option, now),
                required=option.kind != "word_or_none",
                help_text=option.words,
                error_messages={"invalid_choice": _("Choose one of the list.")},
            )
        hint = str(option.words)
        if option.empty is not None:
            hint += " " + gettext("Empty: %(meaning)s.") % {"meaning": option.empty}
        return number_field(option.label, option.least, option.most, required=option.empty is None, help_text=hint)

    def clean(self) -> dict[str, Any]:
        """The rules themselves read what was chosen."""
        super().clean()
        if not self.errors:
            try:
                read_ruleset(self.ruleset())
            except Refusal as refusal:
                field = refusal.where.rpartition(".")[2]
                known = field if field in self.fields else None
                self.add_error(known, _("An average needs a fixed number of games to divide by."))
        return self.cleaned_data

    def ruleset(self) -> Any:
        """What the stage's row keeps: the preset's name, with only the fields that differ from it."""
        base = self.cleaned_data["base"]
        preset = PRESETS[base].fields_as_data()
        changed = {
            option.field: value
            for option in RULE_OPTIONS
            if (value := RULE_OPTION_READERS[option.kind](self.cleaned_data[option.field])) != preset[option.field]
        }
        return {"base": base, **changed} if changed else base

    @property
    def options(self) -> list[tuple[RuleOption, forms.BoundField]]:
        """Each option with its field."""
        return [(option, self[option.field]) for option in RULE_OPTIONS]


class PresetForm(forms.Form):
    """Which preset the options start from."""

    base = forms.ChoiceField(label=_("Rules"), choices=[(name, RULESET_CHOICES[name]) for name in PRESETS])
