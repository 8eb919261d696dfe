"""A game that the rules leave open, from the typed page with the chief judge's ruling to the released ranking (R57)."""

import re
from datetime import UTC, datetime
from typing import Any

import pypdfium2
import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from scoring.rulings import RULING_NAMES
from tests.conftest import account
from tests.reliability import tampering
from tests.sheets.tables import paper, settle
from tests.small_event import league_data
from tests.squeezed import squeezed
from tournament.core.enums import GameRuling, Role, SheetForm, SheetState
from tournament.core.errors import Locked
from tournament.core.models.evidence import record_of, rows_of
from tournament.core.models.stage import Session
from tournament.events.domain import ruleset_of_stage
from tournament.publication.services.release import judge_release, release_results
from tournament.ranking.domain.standings import live_ranking
from tournament.scoresheets.api.answers import ScoresheetAnswer, scoresheet_of
from tournament.scoresheets.services import corrections
from tournament.setup.services import setup
from tournament.sheets.api import SaveRequest
from tournament.sheets.domain.fields import fields_of_typed_sheet
from tournament.sheets.models.scoresheet import Game, Scoresheet
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.services import double_entry, scoresheets, signing
from tournament.tablets.forms import compare_sides

pytestmark = pytest.mark.django_db
# Three at a table by the rules of Twist. In the second game A and B are equal lowest, and these rules say no more.
TWIST_GAMES = (
    ("rummikub", "1 44 0", "0 -14 3", "0 -30 5"),
    ("pool", "0 5 3", "1 5 1", "0 -10 2"),
    ("rummikub", "0 -9 2", "0 -12 2", "1 21 0"),
)
TWIST_TOTALS = ("1 40 5", "1 -21 6", "1 -19 7")
TOTALS_OF_A_CORRECTED = {"wins": "1", "points": "34", "tiles": "5"}
TOTALS_OF_B_CORRECTED = {"wins": "1", "points": "-15", "tiles": "6"}
ALL_SIGNED = dict.fromkeys("ABC", "")
LATER = datetime(2027, 1, 1, tzinfo=UTC)
WHO_AND_WHY = "CHAN, chief judge: the fewest tiles, as in the other events"


def ruled_sheet(ruling: str = "fewest_tiles") -> dict[str, Any]:
    """The sheet as typed, its second game with this ruling."""
    typed = paper(TWIST_GAMES, TWIST_TOTALS)
    if ruling:
        typed["games"][1]["ruling"] = ruling
    return typed


class RuledTable:
    """Table 1 of a session by rules that leave games open, its people, and a browser of each without scripts."""

    def __init__(self, ruleset: str | dict[str, Any] = "twist", players: int = 3) -> None:
        event = setup.create_event(league_data(ruleset, players))
        roles = (Role.ORGANISER, Role.CLERK, Role.CHIEF_JUDGE)
        self.people = {role.value: account(event, role) for role in roles}
        self.session = Session.objects.select_related("stage__event").get(stage__event=event, number=1)
        settle(self.session, self.people["organiser"], (players,))
        self.event, self.clerk, self.organiser = event, self.people["clerk"], self.people["organiser"]
        table = queries.find_table_of_event(event, 1, 1)
        assert table is not None
        self.table = table

    def browser(self, role: str, language: str = "en") -> Client:
        client = Client()
        client.force_login(self.people[role])
        client.cookies["django_language"] = language
        return client

    def address(self, name: str) -> str:
        return reverse(name, args=[self.event.slug, 1, 1])

    def send(self, typed: dict[str, Any], do: str, language: str = "en", **more: str) -> Any:
        sheet = queries.current_sheet(self.table)
        cells = {name: text for name, text in fields_of_typed_sheet(typed).items() if text}
        revision = sheet.revision if sheet else 0
        sent = {"form": "paper", "revision": str(revision), "do": do, "request_key": f"{do}-{revision}-{len(more)}"}
        return self.browser("clerk", language).post(self.address("scoresheet"), {**cells, **sent, **more})

    def submit(self, typed: dict[str, Any]) -> Scoresheet:
        page = self.send(typed, "submit")
        reasons = {f"reason-{one.key}": WHO_AND_WHY for one in page.context["grid"].look}
        assert self.send(typed, "submit", **reasons).status_code == 302
        return Scoresheet.objects.get(table=self.table)

    def certify(self) -> Scoresheet:
        sheet = self.submit(ruled_sheet())
        signing.certify_scoresheet(
            self.table, revision=sheet.revision, signatures=ALL_SIGNED, by=self.organiser, request_key="certify"
        )
        signing.stamp_sheet(Scoresheet.objects.get(table=self.table), self.organiser)
        return Scoresheet.objects.get(table=self.table)


@pytest.fixture
def at(db: None) -> RuledTable:
    return RuledTable()


def test_the_words_of_a_ruling_are_those_of_the_rules() -> None:
    assert set(GameRuling.values) == set(RULING_NAMES)


@pytest.mark.parametrize(
    ("language", "asked", "offered"),
    [
        ("en", "the chief judge rules on it.", "Ruled: the fewest tiles win"),
        ("zh-hant", "由總評判裁決。", "裁決：剩牌最少者勝"),
    ],
)
def test_a_tie_that_the_rules_leave_open_asks_for_a_ruling_and_the_offer_is_the_choice(
    at: RuledTable, language: str, asked: str, offered: str
) -> None:
    page = at.send(ruled_sheet(""), "submit", language)
    assert page.status_code == 409
    rows = page.context["grid"].games
    assert [row.rulings for row in rows] == [[], [("fewest_tiles", GameRuling.FEWEST_TILES.label)], []]
    [offer] = [offer for one in page.context["grid"].mend for offer in one.offers]
    assert (offer.label, offer.sent) == (offered, "games-1-ruling=fewest_tiles")
    said = squeezed(page.content.decode())
    assert asked in said
    assert 'name="games-1-ruling"' in said
    assert 'name="games-0-ruling"' not in said
    ruled = at.send(ruled_sheet(""), f"offer:{offer.sent}")
    [look] = ruled.context["grid"].look
    assert (ruled.context["grid"].mend, look.code, look.needs_reason) == ([], "ruled", True)
    assert 'value="fewest_tiles" selected' in squeezed(ruled.content.decode())


def test_a_ruling_waits_for_who_ruled_and_why_and_is_kept_with_the_game(at: RuledTable) -> None:
    typed = ruled_sheet()
    assert at.send(typed, "submit").status_code == 409
    sheet = at.submit(typed)
    assert (sheet.state, [game.ruling for game in sheet.games.all()]) == (SheetState.READY, ["", "fewest_tiles", ""])
    assert list(sheet.confirmations.values()) == [WHO_AND_WHY]
    page = squeezed(at.browser("organiser").get(at.address("scoresheet")).content.decode())
    assert "Ruling: the fewest tiles win" in page
    answer = ScoresheetAnswer(scoresheet_of(at.table, at.organiser, frozenset({Role.ORGANISER}))).data
    assert [game["ruling"] for game in answer["games"]] == ["", "fewest_tiles", ""]
    sent = SaveRequest(data={"form": "paper", "typed": typed, "confirmations": {}})
    assert sent.is_valid(), sent.errors


def test_the_rack_form_offers_the_same_ruling(at: RuledTable) -> None:
    typed = ruled_sheet("")
    for letter, value in zip("ABC", ("9", "9", "19"), strict=True):
        typed["games"][1]["seats"][letter] |= {"face_value": value, "win": "", "points": ""}
    page = at.send(typed, "save", form=str(SheetForm.RACK))
    shown = at.send(typed, "submit", form=str(SheetForm.RACK))
    assert page.status_code == 302
    assert 'name="games-1-ruling"' in squeezed(shown.content.decode())


def test_a_ruled_game_counts_to_the_release_and_both_verifiers_find_it_as_it_was_signed(at: RuledTable) -> None:
    sheet = at.certify()
    assert sheet.state == SheetState.CERTIFIED
    letters = {seat.entrant.number: seat.letter for seat in at.table.seats.select_related("entrant")}
    live = live_ranking(at.session.stage)
    assert [(letters[one.number], one.rank, one.wins, one.points) for one in live.ranked] == [
        ("A", 1, 1, 40),
        ("C", 2, 1, -19),
        ("B", 3, 1, -21),
    ]
    assert [block.code for block in judge_release(at.session.stage, LATER).blocks] == []
    release = release_results(at.session.stage, by=at.organiser, now=LATER)
    assert [one["rank"] for one in release.content["ranking"]] == [1, 2, 3]
    assert tampering.by_script(tampering.heads(at.event)) == (0, "")
    assert tampering.findings(tampering.heads(at.event)) == [[], []]
    with pytest.raises(Locked):
        scoresheets.save_scoresheet(
            at.table, revision=sheet.revision, form="paper", typed=ruled_sheet(), by=at.clerk, request_key="late"
        )


def test_two_typings_that_differ_in_the_ruling_wait_for_a_third_look(at: RuledTable) -> None:
    at.table.session.stage.second_typing_percent = 100
    at.table.session.stage.save(update_fields=["second_typing_percent"])
    sheet = at.submit(ruled_sheet())
    typist = account(at.event, Role.CLERK, "second_clerk")
    given: dict[str, Any] = {"typed": ruled_sheet(), "done": True, "by": typist, "request_key": "second"}
    double_entry.save_second_entry(at.table, revision=0, **given)
    assert double_entry.double_entry_status(at.table, sheet).stand is double_entry.DoubleEntryStatus.SETTLED
    sheet.double_entry.typed = ruled_sheet("")
    sheet.double_entry.save(update_fields=["typed"])
    at.table = queries.find_table_of_event(at.event, 1, 1)
    found = double_entry.double_entry_status(at.table, Scoresheet.objects.get(pk=sheet.pk))
    assert found.cells == ("games-1-ruling",)
    page = squeezed(at.browser("chief_judge").get(at.address("type_scoresheet_again")).content.decode())
    assert "Game 2·ruling" in page
    assert re.findall(r'value="fewest_tiles"[^>]*>([^<]*)<', page) == ["the fewest tiles win"] * 2
    settled = {"do": "settle", "revision": str(sheet.revision), "games-1-ruling": "other:", "request_key": "settle"}
    send = at.browser("chief_judge").post
    answer = send(at.address("type_scoresheet_again"), {**settled, "other:games-1-ruling": "fewest_tiles"})
    assert answer.headers["Location"] == at.address("check_scoresheet")


def test_whoever_saves_over_a_ruling_of_another_person_reads_both_in_words(at: RuledTable) -> None:
    assert at.send(ruled_sheet(), "save").status_code == 302
    late = at.send(ruled_sheet(""), "save", "zh-hant", revision="0")
    said = squeezed(late.content.decode())
    assert late.status_code == 412
    assert re.findall(r'value="fewest_tiles"[^>]*>([^<]*)<', said) == ["剩牌最少者勝"]


def test_a_correction_that_takes_the_ruling_away_has_another_digest_and_shows_the_cell(at: RuledTable) -> None:
    signed = at.certify()
    corrections.begin_correction(at.table, reason="B was the lowest alone", by=at.clerk, request_key="begin")
    typed = ruled_sheet("")
    typed["games"][1]["seats"]["A"] |= {"win": "0", "points": "-1"}
    typed["games"][1]["seats"]["B"] |= {"win": "1", "points": "11"}
    typed["totals"] |= {"A": TOTALS_OF_A_CORRECTED, "B": TOTALS_OF_B_CORRECTED}
    assert at.send(typed, "submit").status_code == 302
    begun = queries.current_sheet(at.table)
    assert begun is not None
    assert [game.ruling for game in begun.games.all()] == ["", "", ""]
    assert begun.digest != signed.digest
    page = squeezed(at.browser("organiser").get(at.address("correction")).content.decode())
    assert "Game 2·ruling" in page
    assert "<td>the fewest tiles win</td>" in page


def test_the_sheet_as_recorded_is_printed_with_the_ruling_and_who_ruled_and_why(at: RuledTable) -> None:
    at.certify()
    pdf = at.browser("organiser").get(at.address("recorded_sheet")).content
    page = pypdfium2.PdfDocument(pdf)[0].get_textpage().get_text_bounded()
    told = "第 2 局裁決 Ruling, game 2: 剩牌最少者勝 the fewest tiles win·" + WHO_AND_WHY
    assert told.replace(" ", "") in "".join(page.split())


def test_what_a_tablet_brings_stands_beside_the_sheet_with_both_rulings_in_words(at: RuledTable) -> None:
    seats = queries.seats_as_judged(at.table)
    sides = compare_sides(ruleset_of_stage(at.session.stage), seats, ruled_sheet(), ruled_sheet(""), "paper")
    games = [side.games[1] for side in sides]
    assert [(game.ruling, game.ended_differs) for game in games] == [("剩牌最少者勝", True), ("", True)]
    shown = render_to_string("tablets/devices/_side.html", {"side": sides[0], "title": "平板"})
    assert "裁決：剩牌最少者勝" in squeezed(shown)


def test_a_game_without_a_ruling_is_recorded_as_it_was_before_there_were_any(at: RuledTable) -> None:
    at.submit(ruled_sheet())
    records = [record_of(game) for game in rows_of(Game, at.event.pk).order_by("number")]
    assert ["ruling" in record for record in records] == [False, True, False]
