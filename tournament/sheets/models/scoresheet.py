"""Scoresheet versions 計分紙 with their games 局, lines and turns. Points are whole twelfths: every share of up to
four is whole."""

from django.conf import settings
from django.db import models

from tournament.core.enums import LOCKED_STATES, GameEnd, GameRuling, SheetForm, SheetState
from tournament.core.models.evidence import Evidence
from tournament.core.models.recorded import Recorded
from tournament.entrants.models.people import Entrant
from tournament.tables.models import Table

SEAT_LETTERS = [(letter, letter) for letter in "ABCD"]


class Scoresheet(Recorded):
    """A numbered version of one table's sheet. Once locked its row, games and lines never change (R41).

    `typed` is the sheet as typed, every text of it, kept also while faults stand; games and lines are written
    from it when
    the sheet is ready. `revision` grows with every change and is what a writer must have seen.
    """

    recorded = Evidence.of("table__session__stage__event", plain="digest values_by")

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="scoresheets")
    version = models.PositiveSmallIntegerField(default=1)
    revision = models.PositiveIntegerField(default=1)
    state = models.CharField(max_length=12, choices=SheetState, default=SheetState.OPEN)
    state_since = models.DateTimeField(null=True, help_text="since when it stands in this state")
    form = models.CharField(max_length=8, choices=SheetForm, default=SheetForm.PAPER)
    typed = models.JSONField(default=dict)
    confirmations = models.JSONField(default=dict, help_text="{problem key: reason} for what is unusual")
    digest = models.CharField(max_length=64, blank=True, help_text="SHA-256 of the canonical values, from ready on")
    typed_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    typed_at = models.DateTimeField(null=True)
    values_by = models.JSONField(
        default=list, help_text="ids of the accounts that set values of it (typed, ruled, third look), the newest last"
    )
    locked_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    locked_at = models.DateTimeField(null=True)
    rejected_reason = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["table_id", "version"]
        constraints = [models.UniqueConstraint(fields=["table", "version"], name="scoresheet_version_once")]

    def __str__(self) -> str:
        return f"{self.table_id} v{self.version}"

    @property
    def locked(self) -> bool:
        """Signed or certified: only a correction by two people, a version of its own, changes it."""
        return self.state in LOCKED_STATES


class Game(Recorded):
    """One game of a version: how it ended, or that it was not played."""

    recorded = Evidence.of("scoresheet__table__session__stage__event", later=frozenset({"ruling"}))

    scoresheet = models.ForeignKey(Scoresheet, on_delete=models.CASCADE, related_name="games")
    number = models.PositiveSmallIntegerField()
    ended_by = models.CharField(max_length=12, choices=GameEnd)
    starter = models.CharField(max_length=1, choices=SEAT_LETTERS, blank=True)
    ruling = models.CharField(max_length=24, choices=GameRuling, blank=True, help_text="where the rules leave it open")

    class Meta:
        ordering = ["scoresheet_id", "number"]
        constraints = [models.UniqueConstraint(fields=["scoresheet", "number"], name="game_number_once")]

    def __str__(self) -> str:
        return f"{self.scoresheet_id}-{self.number}"


class Line(Recorded):
    """One entrant's part of one game: win, points in twelfths, tiles left; the rack where it is known."""

    recorded = Evidence.of("game__scoresheet__table__session__stage__event", plain="rack")

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="lines")
    letter = models.CharField(max_length=1, choices=SEAT_LETTERS)
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="lines")
    win = models.PositiveSmallIntegerField()
    points_twelfths = models.IntegerField()
    tiles = models.PositiveSmallIntegerField()
    face_value = models.PositiveSmallIntegerField(null=True)
    rack = models.CharField(max_length=500, blank=True, help_text="tiles by space, R5 B6 J")
    opened = models.BooleanField(default=True)
    could_open = models.BooleanField(null=True)
    pushed_over = models.BooleanField(default=False)
    left = models.BooleanField(default=False)

    class Meta:
        ordering = ["game_id", "letter"]
        constraints = [
            models.UniqueConstraint(fields=["game", "letter"], name="line_letter_once"),
            models.UniqueConstraint(fields=["game", "entrant"], name="line_entrant_once"),
            models.CheckConstraint(condition=models.Q(win__in=[0, 1]), name="line_win_0_or_1"),
            models.CheckConstraint(condition=models.Q(tiles__lte=106), name="line_tiles_at_most_106"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}{self.letter}"


class Turn(Recorded):
    """The words of one turn, where a sheet counts turns (R58); there is none of a turn in which a tile was drawn."""

    recorded = Evidence.of("line__game__scoresheet__table__session__stage__event", plain="own rearranged")

    line = models.ForeignKey(Line, on_delete=models.CASCADE, related_name="turns")
    number = models.PositiveSmallIntegerField()
    own = models.CharField(max_length=200, blank=True, help_text="words of own tiles alone, by space")
    rearranged = models.CharField(max_length=200, blank=True, help_text="words made with tiles of the table, by space")
    emptied = models.BooleanField(default=False, help_text="the rack was emptied in it")
    points = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["line_id", "number"]
        constraints = [models.UniqueConstraint(fields=["line", "number"], name="turn_number_once")]

    def __str__(self) -> str:
        return f"{self.line_id}-{self.number}"


# What a turn says, beside whose it is.
TURN_FIELDS = tuple(field.name for field in Turn._meta.concrete_fields if field.name not in ("id", "line"))
# What a line says, beside whose it is: read by everything that signs, compares, exports or copies one.
LINE_FIELDS = tuple(
    field.name for field in Line._meta.concrete_fields if field.name not in ("id", "game", "letter", "entrant")
)
