"""A sheet as it is answered: its version, what was typed, what the rules read, who signed."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from scoring.problems import SheetProblem
from scoring.sheet import SheetCheck
from tournament.api.fields import FractionField
from tournament.core.enums import EntrantStatus, GameEnd, SheetForm, SheetState
from tournament.core.numberformat import from_twelfths
from tournament.core.permissions import is_act_allowed
from tournament.events.domain import ruleset_of_stage
from tournament.sheets.api import SHEET_RULING_CHOICES, SHEET_STARTER_CHOICES
from tournament.sheets.domain import scoresheets as bridge
from tournament.sheets.forms.sheet_sentences import problem_sentence
from tournament.sheets.models.scoresheet import Game, Scoresheet
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.queries.values import usernames_of_accounts, value_setters_of
from tournament.sheets.services import double_entry as second
from tournament.sheets.services import heading
from tournament.sheets.services import scoresheets as services
from tournament.tables.api import API_SEAT_LETTERS, SeatAnswer
from tournament.tables.models import Table


class ProblemOfSheet(serializers.Serializer[Any]):
    """One fault: `mend` is impossible as it stands, `look` is confirmed with a reason under its `key`."""

    key = serializers.CharField()
    code = serializers.CharField()
    where = serializers.CharField()
    weight = serializers.ChoiceField(choices=[("mend", "mend"), ("look", "look")])
    sentence = serializers.CharField()


class TurnAnswer(serializers.Serializer[Any]):
    """The words of one turn, by space, and what they count; a turn in which a tile was drawn is left out."""

    number = serializers.IntegerField()
    own = serializers.CharField()
    rearranged = serializers.CharField()
    emptied = serializers.BooleanField()
    points = serializers.IntegerField()


class LineAnswer(serializers.Serializer[Any]):
    letter = serializers.ChoiceField(choices=API_SEAT_LETTERS)
    entrant = serializers.IntegerField()
    win = serializers.IntegerField()
    points = FractionField()
    tiles = serializers.IntegerField()
    left = serializers.BooleanField()
    turns = TurnAnswer(many=True)


class GameAnswer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    ended_by = serializers.ChoiceField(choices=GameEnd.choices)
    starter = serializers.ChoiceField(choices=SHEET_STARTER_CHOICES)
    ruling = serializers.ChoiceField(choices=SHEET_RULING_CHOICES)
    lines = LineAnswer(many=True)


class SignatureAnswer(serializers.Serializer[Any]):
    letter = serializers.ChoiceField(choices=API_SEAT_LETTERS)
    entrant = serializers.IntegerField(source="entrant.number")
    present = serializers.BooleanField()
    missing_reason = serializers.CharField()


class StampAnswer(serializers.Serializer[Any]):
    """大會蓋印."""

    by = serializers.CharField(source="by.username")
    at = serializers.DateTimeField()


class ScoresheetAnswer(serializers.Serializer[Any]):
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


class SheetLine(serializers.Serializer[Any]):
    table = serializers.IntegerField(source="table.number")
    serial = serializers.CharField()
    state = serializers.ChoiceField(choices=[*SheetState.choices, (queries.STAMPED_STATE, queries.STAMPED_STATE)])
    revision = serializers.IntegerField(source="sheet.revision", default=0)
    referee = serializers.CharField(source="table.referee.username", default=None, allow_null=True)
    entrants = serializers.ListField(child=serializers.IntegerField())
    present = serializers.IntegerField()


class ScoresheetsAnswer(serializers.Serializer[Any]):
    session = serializers.IntegerField()
    confirmed = serializers.BooleanField()
    scoresheets = SheetLine(many=True)


# What an account is not told that may type the sheet a second time, and whatever is made from it.
NO_VALUES = {
    **{"typed": {}, "confirmations": {}, "second_heading": {}, "digest": "", "code": ""},
    **{"problems": [], "games": [], "signatures": []},
}
UNRECEIVED_SCORESHEET = {
    **{"state": SheetState.OPEN, "version": 1, "revision": 0, "form": SheetForm.PAPER},
    **{"typed": {}, "confirmations": {}, "digest": "", "code": "", "rejected_reason": "", "values_by": []},
    **dict.fromkeys(("typed_by", "typed_at", "locked_by", "locked_at")),
}


def must_type_blind(table: Table, sheet: Scoresheet | None, account: Any, roles: frozenset[str]) -> bool:
    """Whether this account may be the one that types the sheet a second time, as the page judges it."""
    decides = is_act_allowed(roles, "decide_dispute")
    return is_act_allowed(roles, "type_scoresheet") and second.are_values_withheld(
        table, sheet, account, decides=decides
    )


def scoresheet_of(table: Table, account: Any, roles: frozenset[str]) -> dict[str, Any]:
    """The newest version of the table's sheet, judged as the page does, as this account may see it."""
    sheet = queries.current_sheet(table)
    seats, is_blind = queries.seats_as_judged(table), must_type_blind(table, sheet, account, roles)
    known = {
        "session": table.session.number,
        "table": table.number,
        "serial": queries.sheet_serial(table),
        "blind": is_blind,
        "seats": seats,
        "stamp": queries.stamp_of_sheet(sheet) if sheet else None,
        **(serialize_scoresheet_row(sheet) if sheet else UNRECEIVED_SCORESHEET | {"form": usual_form(table)}),
    }
    if is_blind:
        return known | NO_VALUES | {"stamp": None}
    held = {seat.letter: seat.entrant.number for seat in seats}
    check = services.judge_sheet_now(table, sheet)[0] if sheet and sheet.typed else None
    return known | {
        "problems": serialize_sheet_problems(check) if check else [],
        "games": [serialize_sheet_game(game, held) for game in queries.games_with_lines(sheet)] if sheet else [],
        "signatures": queries.signatures_of_sheet(sheet) if sheet else [],
        "second_heading": second_heading_differences(table, sheet),
    }


def usual_form(table: Table) -> SheetForm:
    """The form in which a sheet of the table's stage is typed."""
    return bridge.sheet_forms(ruleset_of_stage(table.session.stage))[0]


def second_heading_differences(table: Table, sheet: Scoresheet | None) -> dict[str, str]:
    """What the second typist's paper says otherwise in its head, as the page shows it to who compares the sheet."""
    typing = queries.double_entry_of(sheet) if sheet else None
    found = heading.check_typed_heading(table, typing.typed) if typing and typing.done else None
    return dict(found.differs or {}) if found else {}


def serialize_scoresheet_row(sheet: Scoresheet) -> dict[str, Any]:
    return {
        "state": sheet.state,
        "version": sheet.version,
        "revision": sheet.revision,
        "form": sheet.form,
        "typed": sheet.typed,
        "confirmations": sheet.confirmations,
        "digest": sheet.digest,
        "code": bridge.short_digest_code(sheet.digest) if sheet.digest else "",
        "typed_by": sheet.typed_by.username if sheet.typed_by else None,
        "typed_at": sheet.typed_at,
        "values_by": usernames_of_accounts(value_setters_of(sheet)),
        "locked_by": sheet.locked_by.username if sheet.locked_by else None,
        "locked_at": sheet.locked_at,
        "rejected_reason": sheet.rejected_reason,
    }


def serialize_sheet_problems(check: SheetCheck) -> list[dict[str, str]]:
    """Every fault with its key and its sentence, in the order of the sheet."""
    return [serialize_sheet_problem(problem) for problem in check.problems]


def serialize_sheet_problem(problem: SheetProblem) -> dict[str, str]:
    said = problem_sentence(1, problem, {})
    text = f"{said.label}: {said.text}"
    return {"key": said.key, "code": problem.code, "where": problem.where, "weight": problem.weight, "sentence": text}


def serialize_sheet_game(game: Game, held: Mapping[str, int]) -> dict[str, Any]:
    lines = [
        {
            "letter": line.letter,
            "entrant": held[line.letter],
            "win": line.win,
            "points": from_twelfths(line.points_twelfths),
            "tiles": line.tiles,
            "left": line.left,
            "turns": line.turns.all(),
        }
        for line in game.lines.all()
    ]
    told = {name: getattr(game, name) for name in ("number", "ended_by", "starter", "ruling")}
    return {**told, "lines": lines}


def serialize_board_line(row: queries.BoardTable) -> dict[str, Any]:
    return {
        "table": row.table,
        "serial": row.serial,
        "state": row.state,
        "sheet": row.sheet or {"revision": 0},
        "entrants": [seat.entrant.number for seat in row.seats],
        "present": sum(seat.entrant.status == EntrantStatus.OK for seat in row.seats),
    }
