"""A sheet as a program sends it: the cells of the paper, or racks; every figure exact."""

from rest_framework import serializers

from tournament.api.fields import Choice, Strict, Text, Truth, Written
from tournament.api.seating import LETTERS
from tournament.bridge import scoresheets as bridge
from tournament.enums import SheetForm

ENDINGS = [(word, word) for word in bridge.ENDINGS]
STARTERS = [("", ""), *LETTERS]


class SeatTyped(Strict):
    """One seat of one game. What is left out is empty, or the rule."""

    win = Written(required=False)
    points = Written(required=False)
    tiles = Written(required=False)
    face_value = Written(required=False)
    rack = Text(required=False, allow_blank=True, max_length=bridge.RACK_TEXT)
    opened = Truth(required=False)
    could_open = Truth(required=False, allow_null=True)
    pushed_over = Truth(required=False)
    left = Truth(required=False)
    absent = Truth(required=False)


class SeatsTyped(Strict):
    """The seats of a game."""

    A, B, C, D = (SeatTyped(required=False) for _letter in "ABCD")


class GameTyped(Strict):
    """One game."""

    ended_by = Choice(choices=ENDINGS, required=False)
    starter = Choice(choices=STARTERS, required=False)
    seats = SeatsTyped(required=False)


class TotalTyped(Strict):
    """The row 總結 of one seat."""

    wins = Written(required=False)
    points = Written(required=False)
    tiles = Written(required=False)


class TotalsTyped(Strict):
    """The row 總結."""

    A, B, C, D = (TotalTyped(required=False) for _letter in "ABCD")


class SheetTyped(Strict):
    """A sheet as it stands on the paper, or as racks."""

    games = GameTyped(many=True, required=False, max_length=bridge.MOST_GAMES)
    totals = TotalsTyped(required=False)


def reasons() -> serializers.DictField:
    """Reasons by the key of a problem, for what is unusual and stands nevertheless."""
    return serializers.DictField(child=Text(max_length=500, allow_blank=True), required=False)


class SaveRequest(Strict):
    """The whole sheet; it replaces what was typed before."""

    form = Choice(choices=SheetForm.choices)
    typed = SheetTyped()
    confirmations = reasons()


class ReadyRequest(Strict):
    """What is unusual, confirmed."""

    confirmations = reasons()
