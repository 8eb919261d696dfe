"""Where on a sheet something stands, as the rules name it, as an input is named, and as a person reads it."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from tournament.sheets.domain.fields import TURN_CELL
from tournament.sheets.exports.mark_words import MARK_WORDS

CELL_WORDS: Mapping[str, str] = {
    "win": _("win"),
    "wins": _("wins"),
    "points": _("points"),
    "tiles": _("tiles"),
    "face_value": _("rack value"),
    "rack": _("rack"),
    "opened": _("opened"),
    "unopened": _("opened"),
    "part": _("takes part"),
    "could_open": _("could open"),
    **{name: words.cell for name, words in MARK_WORDS.items()},
    "left": _("left the game"),
    "absent": _("takes no part"),
    "ended_by": _("how it ended"),
    "starter": _("starter"),
    "ruling": _("ruling"),
    "serial": _("serial"),
    "same": _("as on the paper"),
    "date": _("date"),
    "session": _("session"),
    "table": _("table"),
    "referee": _("referee"),
    "reason": _("Reason"),
    "own": _("own words"),
    "rearranged": _("words rearranged"),
    "emptied": _("rack emptied"),
    "jokers": _("jokers left"),
}
# Cells that a page asks in another way than the rules do.
INPUT_OF_CELL: Mapping[str, str] = {"opened": "unopened", "left": "part", "absent": "part", "jokers": "tiles"}


@dataclass(frozen=True)
class SheetPlace:
    """Where a fault stands: `game` 0-based or None, seat letter and cell or "", and whether in the row 總結. The cell
    of a turn has the turn's number behind it, `own_4`, counted from 0."""

    game: int | None = None
    seat: str = ""
    cell: str = ""
    totals: bool = False
    heading: bool = False

    @property
    def field(self) -> str:
        """The name of the cell's input on the page; "" where the fault is no single cell's."""
        if self.heading:
            return f"heading-{self.cell}"
        if self.totals:
            return f"totals-{self.seat}-{self.cell}" if self.seat and self.cell else ""
        if self.game is None or not self.cell:
            return ""
        cell = INPUT_OF_CELL.get(self.cell, self.cell)
        return f"games-{self.game}-{self.seat}-{cell}" if self.seat else f"games-{self.game}-{cell}"

    @property
    def turn(self) -> int | None:
        """The turn that its cell belongs to, 0-based; None where it is of no turn."""
        found = TURN_CELL.fullmatch(self.cell)
        return int(found[2]) if found else None

    @property
    def cell_word(self) -> str:
        """The cell alone, in the language of the moment."""
        found = TURN_CELL.fullmatch(self.cell)
        return gettext(CELL_WORDS.get(found[1] if found else self.cell, ""))

    @property
    def label(self) -> str:
        """Game 2·C points; 第 2 局·C 得分; Turn 5·B own words."""
        facts = {"game": (self.game or 0) + 1, "seat": self.seat, "cell": self.cell_word}
        if self.turn is not None:
            pattern, facts["turn"] = _("Turn %(turn)s·%(seat)s %(cell)s"), self.turn + 1
        elif self.cell == "jokers":
            pattern = _("%(seat)s %(cell)s")
        elif self.heading:
            pattern = _("Paper·%(cell)s")
        elif self.totals:
            of_seat = _("Totals·%(seat)s %(cell)s") if self.cell else _("Totals·%(seat)s")
            pattern = of_seat if self.seat or self.cell else _("Totals")
        elif self.game is None:
            pattern = _("The sheet")
        elif self.cell:
            pattern = _("Game %(game)s·%(seat)s %(cell)s") if self.seat else _("Game %(game)s·%(cell)s")
        else:
            pattern = _("Game %(game)s·%(seat)s") if self.seat else _("Game %(game)s")
        return gettext(pattern) % facts


def sheet_place_of(where: str) -> SheetPlace:
    """The place that a problem's `where` names: `games[0].seats.C.points`, `games[1]`, `totals.B.tiles`,
    `games[0].seats.B.turns[4].own`."""
    parts = where.replace("[", ".").replace("]", "").split(".")
    if parts[0] == "totals":
        return SheetPlace(seat=parts[1] if len(parts) > 1 else "", cell=parts[2] if len(parts) > 2 else "", totals=True)
    if len(parts) < 2:
        return SheetPlace()
    if len(parts) > 6 and parts[4] == "turns":
        return SheetPlace(int(parts[1]), parts[3], f"{parts[6]}_{parts[5]}")
    if len(parts) > 2 and parts[2] == "seats":
        return SheetPlace(int(parts[1]), parts[3], parts[4] if len(parts) > 4 else "")
    return SheetPlace(int(parts[1]), cell=parts[2] if len(parts) > 2 else "")
