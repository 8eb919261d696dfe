"""A sheet as it is answered: its version, what was typed, what the rules read, who signed."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from scoring.problems import Problem
from scoring.sheet import SheetCheck
from tournament.api.fields import Exact
from tournament.api.keys import Answer
from tournament.api.scoresheets_requests import STARTERS
from tournament.api.seating import LETTERS, SeatAnswer
from tournament.bridge import scoresheets as bridge
from tournament.enums import EntrantStatus, GameEnd, SheetForm, SheetState
from tournament.forms.sheet_sentences import sentence
from tournament.models import Game, Scoresheet, Table
from tournament.permissions import allowed
from tournament.quantities import from_twelfths
from tournament.queries import scoresheets as queries
from tournament.queries.scoresheets_values import setters_of, usernames_of
from tournament.services import scoresheets as services
from tournament.services import scoresheets_heading as heading
from tournament.services import scoresheets_second as second


class ProblemOfSheet(serializers.Serializer):
    """One fault: `mend` is impossible as it stands, `look` is confirmed with a reason under its `key`."""

    key = serializers.CharField()
    code = serializers.CharField()
    where = serializers.CharField()
    weight = serializers.ChoiceField(choices=[("mend", "mend"), ("look", "look")])
    sentence = serializers.CharField()


class LineAnswer(serializers.Serializer):
    """One entrant's part of one game."""

    letter = serializers.ChoiceField(choices=LETTERS)
    entrant = serializers.IntegerField()
    win = serializers.IntegerField()
    points = Exact()
    tiles = serializers.IntegerField()
    left = serializers.BooleanField()


class GameAnswer(serializers.Serializer):
    """One game as it was read."""

    number = serializers.IntegerField()
    ended_by = serializers.ChoiceField(choices=GameEnd.choices)
    starter = serializers.ChoiceField(choices=STARTERS)
    lines = LineAnswer(many=True)


class SignatureAnswer(serializers.Serializer):
    """What the second person recorded of a signature."""

    letter = serializers.ChoiceField(choices=LETTERS)
    entrant = serializers.IntegerField(source="entrant.number")
    present = serializers.BooleanField()
    missing_reason = serializers.CharField()


class StampAnswer(serializers.Serializer):
    """大會蓋印."""

    by = serializers.CharField(source="by.username")
    at = serializers.DateTimeField()


class ScoresheetAnswer(serializers.Serializer):
    """A table's sheet. `games` are there from ready on, `signatures` once it is locked.

    `second_heading`: where the second typist has read the head of the paper otherwise than it was awaited, by part
    (serial, date, session, table, referee), with the reason: who certifies confirms it, like the first in `typed`.
    `values_by`: the accounts whose values stand (typed, ruled in a dispute, third look): none of them certifies it.
    `blind`: this account may type it a second time and has not seen the first; no value is told until both are typed.
    """

    session = serializers.IntegerField()
    table = serializers.IntegerField()
    serial = serializers.CharField()
    state = serializers.ChoiceField(choices=SheetState.choices)
    version = serializers.IntegerField()
    revision = serializers.IntegerField()
    blind = serializers.BooleanField()
    form = serializers.ChoiceField(choices=SheetForm.choices)
    seats = SeatAnswer(many=True)
    typed = serializers.DictField()
    confirmations = serializers.DictField(child=serializers.CharField(allow_blank=True))
    second_heading = serializers.DictField(child=serializers.CharField())
    problems = ProblemOfSheet(many=True)
    games = GameAnswer(many=True)
    digest = serializers.CharField()
    code = serializers.CharField()
    typed_by = serializers.CharField(allow_null=True)
    typed_at = serializers.DateTimeField(allow_null=True)
    values_by = serializers.ListField(child=serializers.CharField())
    locked_by = serializers.CharField(allow_null=True)
    locked_at = serializers.DateTimeField(allow_null=True)
    rejected_reason = serializers.CharField()
    signatures = SignatureAnswer(many=True)
    stamp = StampAnswer(allow_null=True)


class SheetLine(serializers.Serializer):
    """A sheet in a session's list."""

    table = serializers.IntegerField(source="table.number")
    serial = serializers.CharField()
    state = serializers.ChoiceField(choices=[*SheetState.choices, (queries.STAMPED, queries.STAMPED)])
    revision = serializers.IntegerField(source="sheet.revision", default=0)
    referee = serializers.CharField(source="table.referee.username", default=None, allow_null=True)
    entrants = serializers.ListField(child=serializers.IntegerField())
    present = serializers.IntegerField()


class ScoresheetsAnswer(serializers.Serializer):
    """A session's sheets by table."""

    session = serializers.IntegerField()
    confirmed = serializers.BooleanField()
    scoresheets = SheetLine(many=True)


def is_blind(table: Table, sheet: Scoresheet | None, account: Any, roles: frozenset[str]) -> bool:
    """Whether this account may be the one that types the sheet a second time, as the page judges it."""
    decides = allowed(roles, "decide_dispute")
    return allowed(roles, "type_scoresheet") and second.is_withheld(table, sheet, account, decides=decides)


def scoresheet_of(table: Table, account: Any, roles: frozenset[str]) -> Answer:
    """The newest version of the table's sheet, judged as the page does, as this account may see it."""
    sheet = queries.current_sheet(table)
    if is_blind(table, sheet, account, roles):
        return Answer(told_blind(table, sheet), sheet.revision if sheet else 0)
    seats = queries.seats_of(table)
    held = {seat.letter: seat.entrant.number for seat in seats}
    stamp = queries.stamp_of(sheet) if sheet else None
    told = {
        "session": table.session.number,
        "table": table.number,
        "serial": queries.serial(table),
        "blind": False,
        "seats": seats,
        "problems": told_problems(services.judged(table, sheet)[0]) if sheet and sheet.typed else [],
        "games": [told_game(game, held) for game in queries.games_of(sheet)] if sheet else [],
        "signatures": queries.signatures_of(sheet) if sheet else [],
        "stamp": stamp,
        "second_heading": second_heading_of(table, sheet),
        **(told_sheet(sheet) if sheet else not_begun()),
    }
    return Answer(told, told["revision"])


def told_blind(table: Table, sheet: Any) -> dict[str, Any]:
    """State, versions and persons; every value empty, and whatever is made from values."""
    return {
        "session": table.session.number,
        "table": table.number,
        "serial": queries.serial(table),
        "blind": True,
        "seats": queries.seats_of(table),
        "stamp": None,
        **told_sheet(sheet),
        **{"typed": {}, "confirmations": {}, "second_heading": {}, "digest": "", "code": ""},
        **{"problems": [], "games": [], "signatures": []},
    }


def second_heading_of(table: Table, sheet: Scoresheet | None) -> dict[str, str]:
    """What the second typist's paper says otherwise in its head, as the page shows it to who compares the sheet."""
    typing = queries.second_typing_of(sheet) if sheet else None
    found = heading.judge(table, typing.typed) if typing and typing.done else None
    return dict(found.differs or {}) if found else {}


def told_sheet(sheet: Scoresheet) -> dict[str, Any]:
    """What the row itself says."""
    return {
        "state": sheet.state,
        "version": sheet.version,
        "revision": sheet.revision,
        "form": sheet.form,
        "typed": sheet.typed,
        "confirmations": sheet.confirmations,
        "digest": sheet.digest,
        "code": bridge.short_code(sheet.digest) if sheet.digest else "",
        "typed_by": sheet.typed_by.username if sheet.typed_by else None,
        "typed_at": sheet.typed_at,
        "values_by": usernames_of(setters_of(sheet)),
        "locked_by": sheet.locked_by.username if sheet.locked_by else None,
        "locked_at": sheet.locked_at,
        "rejected_reason": sheet.rejected_reason,
    }


def not_begun() -> dict[str, Any]:
    """A table whose sheet has not been received."""
    return {
        **{"state": SheetState.OPEN, "version": 1, "revision": 0, "form": SheetForm.PAPER},
        **{"typed": {}, "confirmations": {}, "digest": "", "code": "", "rejected_reason": "", "values_by": []},
        **dict.fromkeys(("typed_by", "typed_at", "locked_by", "locked_at")),
    }


def told_problems(check: SheetCheck) -> list[dict[str, str]]:
    """Every fault with its key and its sentence, in the order of the sheet."""
    return [told_problem(problem) for problem in check.problems]


def told_problem(problem: Problem) -> dict[str, str]:
    """One fault."""
    said = sentence(1, problem, {})
    text = f"{said.label}: {said.text}"
    return {"key": said.key, "code": problem.code, "where": problem.where, "weight": problem.weight, "sentence": text}


def told_game(game: Game, held: Mapping[str, int]) -> dict[str, Any]:
    """A game with its lines; points exact."""
    lines = [
        {
            "letter": line.letter,
            "entrant": held[line.letter],
            "win": line.win,
            "points": from_twelfths(line.points_twelfths),
            "tiles": line.tiles,
            "left": line.left,
        }
        for line in game.lines.all()
    ]
    return {"number": game.number, "ended_by": game.ended_by, "starter": game.starter, "lines": lines}


def told_line(row: queries.BoardTable) -> dict[str, Any]:
    """A table of the board."""
    return {
        "table": row.table,
        "serial": row.serial,
        "state": row.state,
        "sheet": row.sheet or {"revision": 0},
        "entrants": [seat.entrant.number for seat in row.seats],
        "present": sum(seat.entrant.status == EntrantStatus.OK for seat in row.seats),
    }
