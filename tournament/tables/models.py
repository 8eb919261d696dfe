"""Draw, tables 枱, seats A to D (R7, R8, R13), and the papers printed for them."""

from django.conf import settings
from django.db import models

from tournament.core.models.evidence import Evidence
from tournament.core.models.recorded import Recorded
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant


class Draw(Recorded):
    """A session's draw: its seed, what it could not keep, whether it is confirmed; until then a new one replaces it."""

    recorded = Evidence.of("session__stage__event", plain="could_not")

    session = models.OneToOneField(Session, on_delete=models.PROTECT, related_name="draw")
    seed = models.BigIntegerField()
    revision = models.PositiveIntegerField(default=1, help_text="grows with each draw and each swap")
    could_not = models.JSONField(default=list, help_text='[{"kind", "ids": [entrant numbers], "table"}]')
    last_move = models.JSONField(
        null=True,
        help_text='how the last move is undone: {"revision", "act", "said", "back", "referees"}; a draw forgets it',
    )
    drawn_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    drawn_at = models.DateTimeField()
    confirmed_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    confirmed_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"draw {self.session_id}"


class Table(Recorded):
    """A table of one session, watched by a referee (R8)."""

    recorded = Evidence.of("session__stage__event")

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="tables")
    number = models.PositiveSmallIntegerField()
    referee = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="tables")

    class Meta:
        ordering = ["session_id", "number"]
        constraints = [models.UniqueConstraint(fields=["session", "number"], name="table_number_once")]

    def __str__(self) -> str:
        return f"{self.session_id}-{self.number}"


class Seat(Recorded):
    """Who sits where. `session` repeats the table's, so that the database itself refuses an entrant at two tables."""

    recorded = Evidence.of("session__stage__event")

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats")
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="+")
    letter = models.CharField(max_length=1, choices=[(letter, letter) for letter in "ABCD"])
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="seats")

    class Meta:
        ordering = ["table_id", "letter"]
        constraints = [
            models.UniqueConstraint(fields=["table", "letter"], name="seat_letter_once"),
            models.UniqueConstraint(fields=["session", "entrant"], name="seat_entrant_once"),
        ]

    def __str__(self) -> str:
        return f"{self.table_id}{self.letter}"


class SheetPrint(Recorded):
    """One printing of a table's scoresheet: who sat there on that paper. Kept when the table is dissolved.

    The serial of the first is 0406-3-06, of the second 0406-3-06-2; a paper that was replaced is refused by it.
    """

    recorded = Evidence.of("session__stage__event", plain="seats digest", append_only=True)

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="prints")
    table_number = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField(help_text="1 for the first paper of this table")
    seats = models.JSONField(help_text='{"A": entrant number}')
    referee = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    digest = models.CharField(
        max_length=64, blank=True, help_text="SHA-256 over the salt and all that it says; empty before that was kept"
    )
    printed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    printed_at = models.DateTimeField()

    class Meta:
        ordering = ["session_id", "table_number", "number"]
        constraints = [
            models.UniqueConstraint(fields=["session", "table_number", "number"], name="sheet_print_number_once")
        ]

    def __str__(self) -> str:
        return f"print {self.session_id}-{self.table_number}-{self.number}"


class PrintedContent(Recorded):
    """All that a paper says: head, names, numbers, as it was printed. One serial never has two contents.

    PERSONAL DATA: the names of who sat there. An erasure blanks them (services.seating_contents.forget): of a whole
    event `content` is None, of one person the names are gone and the number stands under `erased`. The print's own row
    keeps the digest, which tells nothing once the salt is gone or the names are.
    """

    recorded = Evidence.of("print__session__stage__event")

    print = models.OneToOneField(SheetPrint, on_delete=models.PROTECT, related_name="kept")
    content = models.JSONField(null=True, help_text="see services.seating_contents")
    salt = models.CharField(max_length=32, blank=True, help_text="hexadecimal")

    def __str__(self) -> str:
        return f"content {self.print_id}"
