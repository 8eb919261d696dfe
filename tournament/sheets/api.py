"""A sheet as a program sends it: the cells of the paper, or racks; every figure exact."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from scoring.marks import MARKS
from tournament.api.fields import PlainTextField, StrictBody, StrictBooleanField, WordChoiceField, WrittenFigureField
from tournament.core.enums import GameRuling, SheetForm
from tournament.sheets.domain import scoresheets as bridge
from tournament.tables.api import API_SEAT_LETTERS

SHEET_ENDING_CHOICES = [(word, word) for word in bridge.TYPED_ENDINGS]
SHEET_STARTER_CHOICES = [("", ""), *API_SEAT_LETTERS]
SHEET_RULING_CHOICES = [("", ""), *GameRuling.choices]


class TurnTyped(StrictBody):
    """One turn of a sheet that counts turns: words apart by spaces. What is left out is empty: a tile was drawn."""

    own = PlainTextField(required=False, allow_blank=True, max_length=bridge.MAX_WORDS_TEXT)
    rearranged = PlainTextField(required=False, allow_blank=True, max_length=bridge.MAX_WORDS_TEXT)
    emptied = StrictBooleanField(required=False)


class SeatTyped(StrictBody):
    """One seat of one game. What is left out is empty, or the rule; `turns` of a sheet that counts turns alone, whose
    `tiles` are the jokers left."""

    win = WrittenFigureField(required=False)
    points = WrittenFigureField(required=False)
    tiles = WrittenFigureField(required=False)
    face_value = WrittenFigureField(required=False)
    rack = PlainTextField(required=False, allow_blank=True, max_length=bridge.MAX_RACK_TEXT)
    opened = StrictBooleanField(required=False)
    could_open = StrictBooleanField(required=False, allow_null=True)
    vars().update({name: StrictBooleanField(required=False) for name in MARKS})
    left = StrictBooleanField(required=False)
    absent = StrictBooleanField(required=False)
    turns = serializers.ListSerializer[Any](child=TurnTyped(), required=False, max_length=bridge.MAX_SHEET_TURNS)


class SeatsTyped(StrictBody):
    A, B, C, D = (SeatTyped(required=False) for _letter in "ABCD")


class GameTyped(StrictBody):
    ended_by = WordChoiceField(choices=SHEET_ENDING_CHOICES, required=False)
    starter = WordChoiceField(choices=SHEET_STARTER_CHOICES, required=False)
    ruling = WordChoiceField(choices=SHEET_RULING_CHOICES, required=False)
    seats = SeatsTyped(required=False)


class TotalTyped(StrictBody):
    wins = WrittenFigureField(required=False)
    points = WrittenFigureField(required=False)
    tiles = WrittenFigureField(required=False)


class TotalsTyped(StrictBody):
    A, B, C, D = (TotalTyped(required=False) for _letter in "ABCD")


class SheetTyped(StrictBody):
    games = serializers.ListSerializer[Any](child=GameTyped(), required=False, max_length=bridge.MAX_SHEET_GAMES)
    totals = TotalsTyped(required=False)


def confirmation_reasons_field() -> serializers.DictField:
    """Reasons by the key of a problem, for what is unusual and stands nevertheless."""
    return serializers.DictField(child=PlainTextField(max_length=500, allow_blank=True), required=False)


class SaveRequest(StrictBody):
    form = WordChoiceField(choices=SheetForm.choices)
    typed = SheetTyped()
    confirmations = confirmation_reasons_field()


class ReadyRequest(StrictBody):
    confirmations = confirmation_reasons_field()


def to_plain_data(data: Any) -> Any:
    if isinstance(data, Mapping):
        return {name: to_plain_data(part) for name, part in data.items()}
    return [to_plain_data(part) for part in data] if isinstance(data, list) else data
