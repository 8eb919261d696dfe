"""A stage of an event and its sessions 場: order, rules, hours and state."""

from django.conf import settings
from django.db import models
from django.utils.translation import get_language, gettext

from tournament.core.enums import SessionState, StageKind
from tournament.core.models.event import Event
from tournament.core.models.evidence import Evidence
from tournament.core.models.recorded import Recorded


class Stage(Recorded):
    """One stage of an event: a ruleset as data, and how one advances from it (R37, R38).

    The first has the event's entrants, each in one session, or all in each of its rounds. Every later one has those
    who qualified in the stage that feeds it, and all of them play each of its sessions, which are its rounds. Of the
    last one, from which nobody advances, podium and award are released.
    """

    recorded = Evidence.of("event", plain="kind qualifying ruleset")

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="stages")
    kind = models.SlugField(
        max_length=16, help_text="its name in addresses, in the log, in released files: preliminary, semi-final, final"
    )
    order = models.PositiveSmallIntegerField(default=1, help_text="1, 2 ... in which the stages are played")
    feeds = models.OneToOneField(
        "self",
        null=True,
        on_delete=models.SET_NULL,
        related_name="fed_by",
        help_text="the next stage, where it is set up: who qualifies here plays there",
    )
    qualifying = models.CharField(
        max_length=20,
        blank=True,
        help_text="how one advances, as ranking/domain/qualifying.py knows it; empty: nobody does, it is the last",
    )
    name_zh = models.CharField(max_length=40, blank=True, help_text="empty for the two that the program has words for")
    name_en = models.CharField(max_length=40, blank=True)
    ruleset = models.JSONField(
        help_text='a preset\'s name, or {"base": name, field: value}, as scoring.ruleset reads it'
    )
    advance = models.PositiveIntegerField(null=True, help_text="places in the next stage; empty: the ruleset's")
    second_typing_percent = models.PositiveSmallIntegerField(
        default=0, help_text="the share of sheets that a second account types blind: 0 none, 100 all"
    )

    rounds = models.PositiveSmallIntegerField(
        default=1, help_text="how often the same entrants play, each time a session with a draw of its own (R38)"
    )
    answers_until = models.DateTimeField(null=True, help_text="those who advance answer before this moment")
    frozen_at = models.DateTimeField(null=True, help_text="of a final: since when its finalists are fixed for seating")
    frozen_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["event_id", "order"]
        constraints = [
            models.UniqueConstraint(fields=["event", "kind"], name="stage_kind_once"),
            models.UniqueConstraint(fields=["event", "order"], name="stage_order_once"),
            models.CheckConstraint(condition=models.Q(order__gt=0), name="stage_order_positive"),
            models.CheckConstraint(
                condition=models.Q(second_typing_percent__lte=100), name="stage_second_typing_at_most_100"
            ),
            models.CheckConstraint(condition=models.Q(rounds__gt=0), name="stage_rounds_positive"),
        ]

    def __str__(self) -> str:
        return self.kind

    @property
    def title(self) -> str:
        """What people call it, in the language of the moment."""
        if self.is_only:
            return gettext("main event")
        if self.kind in StageKind.values:
            return str(StageKind(self.kind).label)
        return self.name_en if (get_language() or "").startswith("en") else self.name_zh

    @property
    def own_name(self) -> str:
        """The name that the organisers gave it, in the language of the moment; empty for the first and the final."""
        return self.title if self.name_zh else ""

    @property
    def is_first(self) -> bool:
        """Whether the event's entrants play it, and not those who qualified."""
        return self.order == 1

    @property
    def has_rounds_for_all(self) -> bool:
        """Whether everybody who plays the stage plays each of its sessions, its rounds, and not each in one of their
        own. In a first stage of rounds all are entered for the first of them."""
        return not self.is_first or self.rounds > 1

    @property
    def is_last(self) -> bool:
        """Whether nobody advances from it: it ends with podium and award."""
        return not self.qualifying

    @property
    def is_only(self) -> bool:
        """Whether the event is this stage and no other."""
        return self.is_first and self.is_last


class Session(Recorded):
    """One session 場 of a stage; where all play each of them, one of its rounds. `original_date` never moves: ages
    are judged on it (R1)."""

    recorded = Evidence.of("stage__event")

    stage = models.ForeignKey(Stage, on_delete=models.PROTECT, related_name="sessions")
    number = models.PositiveSmallIntegerField(
        help_text="1, 2, 3 ... over the event, those of the final after all others"
    )
    number_of_day = models.PositiveSmallIntegerField(help_text="第幾場 on its day, as the paper says")
    original_date = models.DateField()
    check_in_at = models.DateTimeField()
    seating_at = models.DateTimeField()
    play_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    table_count = models.PositiveSmallIntegerField()
    capacity = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=16, choices=SessionState, default=SessionState.PLANNED)
    replays = models.OneToOneField(
        "self",
        null=True,
        on_delete=models.PROTECT,
        related_name="replay",
        help_text="the void session that is played anew",
    )
    known_number_of_day = models.PositiveSmallIntegerField(
        null=True, help_text="of a replay: 第幾場 its families know it as, that of the session it was made for"
    )

    class Meta:
        ordering = ["stage_id", "number"]
        constraints = [models.UniqueConstraint(fields=["stage", "number"], name="session_number_once")]

    def __str__(self) -> str:
        return self.code

    @property
    def is_replay(self) -> bool:
        """Whether it was made to be played in the place of another, whatever became of it since."""
        return self.known_number_of_day is not None

    @property
    def name_of_day(self) -> tuple[int, bool]:
        """第幾場 by which its families know it, and whether it is a replay of that one."""
        return self.known_number_of_day or self.number_of_day, self.is_replay

    @property
    def code(self) -> str:
        """Month, day and the day's session number, the first part of a sheet's serial: `0406-3`."""
        return f"{self.original_date:%m%d}-{self.number_of_day}"
