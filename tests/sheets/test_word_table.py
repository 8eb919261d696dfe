"""A table of letters from the typed page to the released ranking, and each page on the way in both languages (R58)."""

import json
import re
from copy import deepcopy
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.conftest import account
from tests.reliability import tampering
from tests.sheets.words import POINTS, as_page_sends, word_session, words_sheet
from tests.squeezed import squeezed
from tournament.core.enums import Role, SheetForm, SheetState
from tournament.core.errors import Locked, Refused
from tournament.entrants.models.people import Person
from tournament.publication.services.files import write_public_files
from tournament.publication.services.release import judge_release, release_results
from tournament.ranking.domain.standings import live_ranking
from tournament.scoresheets.api.answers import ScoresheetAnswer, scoresheet_of
from tournament.scoresheets.services import corrections
from tournament.sheets.api import SaveRequest
from tournament.sheets.models.scoresheet import Scoresheet, Turn
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.services import double_entry, scoresheets, signing

pytestmark = pytest.mark.django_db
ALL_SIGNED = dict.fromkeys("ABCD", "")
LATER = datetime(2027, 1, 1, tzinfo=UTC)


class WordTable:
    """Table 1 of a session by the rules of letters, its people, and a browser of each without scripts."""

    def __init__(self) -> None:
        self.session, self.people = word_session()
        self.event = self.session.stage.event
        table = queries.find_table_of_event(self.event, 1, 1)
        assert table is not None
        self.table = table
        self.clerk = self.people["clerk"]
        self.organiser = self.people["organiser"]

    def browser(self, role: str, language: str = "en") -> Client:
        client = Client()
        client.force_login(self.people[role])
        client.cookies["django_language"] = language
        return client

    def address(self, name: str, *args: Any) -> str:
        return reverse(name, args=[self.event.slug, *args])

    def send(self, typed: dict[str, Any], do: str, revision: int = 0, **more: str) -> Any:
        sent = as_page_sends(typed, revision, do, f"{do}-{revision}-{len(str(typed))}")
        return self.browser("clerk").post(self.address("scoresheet", 1, 1), {**sent, **more})

    def submit(self) -> Scoresheet:
        answer = self.send(words_sheet(), "submit")
        assert answer.status_code == 302
        return Scoresheet.objects.get(table=self.table)

    def certify(self) -> Scoresheet:
        sheet = self.submit()
        signing.certify_scoresheet(
            self.table, revision=sheet.revision, signatures=ALL_SIGNED, by=self.organiser, request_key="certify"
        )
        signing.stamp_sheet(Scoresheet.objects.get(table=self.table), self.organiser)
        return Scoresheet.objects.get(table=self.table)


@pytest.fixture
def at(db: None) -> WordTable:
    return WordTable()


def test_the_page_shows_what_each_turn_counts_and_what_is_wrong_and_loses_nothing_typed(at: WordTable) -> None:
    typed = words_sheet()
    typed["games"][0]["seats"]["B"]["turns"][4]["rearranged"] = "soft"
    page = at.send(typed, "submit")
    assert page.status_code == 409
    [row] = page.context["grid"].games
    shown = [[turn.read.points if turn.filled else None for turn in line.cells] for line in row.turns[:5]]
    assert shown == [[6, None, 6, None], [4, 6, None, 6], [7, 6, 8, 8], [None, 4, 4, 6], [11, None, 8, None]]
    read = {f"{line.number}{turn.head.letter}": turn for line in row.turns for turn in line.cells}
    words = [[(word.letters, word.counts) for word in read[place].words] for place in ("5A", "5C", "4A")]
    assert words == [
        [("MIX", True), ("LAUNCHED", True), ("HAT", False)],
        [("CHIP", True), ("LAP", False), ("EAR", False)],
        [],
    ]
    sums = [read[place].sum_text for place in ("1A", "5A", "5C", "4A")]
    assert [*sums, page.context["grid"].newest_turn] == ["", "3 + 8", "4 × 2", "", "turn-5-C"]
    assert [(seat.turns_sum.points, seat.turns_sum.whole) for seat in row.seats if seat.turns_sum] == [
        (28, True),
        (16, False),
        (26, True),
        (20, True),
    ]
    said = squeezed(page.content.decode())
    assert "Ice: 6 letters" in said
    assert "SOFT was laid by A in turn 2 already; no word lies twice on the table." in said
    assert 'value="soft"' in said
    assert "Turn 5·B words rearranged" in said
    kept = Scoresheet.objects.get(table=at.table)
    assert (kept.state, kept.form, kept.typed["games"][0]["seats"]["B"]["turns"][4]["rearranged"]) == (
        SheetState.DRAFT,
        SheetForm.TURNS,
        "soft",
    )


@pytest.mark.parametrize(
    ("starter", "place"),
    [
        pytest.param("A", "5D", id="the next in the line where it is known who began"),
        pytest.param("D", "6D", id="the starter of the next line where the last of a line goes out"),
        pytest.param("", "6A", id="the next line where nobody noted who began"),
    ],
)
def test_the_first_turn_after_a_rack_was_emptied_says_that_the_game_is_over(
    at: WordTable, starter: str, place: str
) -> None:
    typed = words_sheet()
    typed["games"][0]["starter"] = starter
    at.send(typed, "save")
    [row] = at.browser("clerk").get(at.address("scoresheet", 1, 1)).context["grid"].games
    said = {f"{line.number}{turn.head.letter}": turn.over for line in row.turns for turn in line.cells if turn.over}
    assert said == {place: "C"}


def test_a_game_of_more_turns_than_the_page_shows_gets_more_lines(at: WordTable) -> None:
    fresh = at.browser("clerk").get(at.address("scoresheet", 1, 1))
    assert len(fresh.context["grid"].games[0].turns) == 12
    typed = words_sheet({"A": ("PLANET", *["-"] * 14, "RICE"), "B": ("BREAKS",), "C": ("-",), "D": ("",)})
    more = at.send(typed, "more_turns")
    assert len(more.context["grid"].games[0].turns) == 20
    assert at.send(typed, "save").status_code == 302
    again = at.browser("clerk").get(at.address("scoresheet", 1, 1))
    assert [len(again.context["grid"].games[0].turns), Turn.objects.count()] == [16, 0]


def test_a_sheet_of_turns_counts_in_the_ranking_and_both_verifiers_find_it_as_it_was_signed(at: WordTable) -> None:
    sheet = at.certify()
    assert sheet.state == SheetState.CERTIFIED
    turns = Turn.objects.filter(line__letter="C").order_by("number")
    assert list(turns.values_list("number", "own", "rearranged", "emptied", "points")) == [
        (1, "STRAND", "", False, 6),
        (3, "", "STRANDED", False, 8),
        (4, "JOKE", "", False, 4),
        (5, "", "CHIP LAP EAR", True, 8),
    ]
    numbers = {seat.letter: seat.entrant.number for seat in at.table.seats.select_related("entrant")}
    live = live_ranking(at.session.stage)
    assert [(one.number, one.rank, one.points, one.wins) for one in live.ranked] == [
        (numbers[letter], rank, POINTS[letter], int(letter == "A")) for rank, letter in enumerate("ACBD", start=1)
    ]
    assert tampering.by_script(tampering.heads(at.event)) == (0, "")
    assert tampering.findings(tampering.heads(at.event)) == [[], []]
    with pytest.raises(Locked):
        at.table.refresh_from_db()
        scoresheets.save_scoresheet(
            at.table, revision=sheet.revision, form="turns", typed=words_sheet(), by=at.clerk, request_key="late"
        )


def test_another_form_than_the_stage_has_is_refused_with_what_to_do(at: WordTable) -> None:
    for form in ("paper", "rack"):
        with pytest.raises(Refused) as refused:
            scoresheets.save_scoresheet(
                at.table, revision=0, form=form, typed={}, by=at.clerk, request_key=f"other {form}"
            )
        assert refused.value.code == "sheet_form_not_of_stage"


def test_two_typings_agree_where_the_words_do_and_a_third_look_decides_the_others(at: WordTable) -> None:
    at.table.session.stage.second_typing_percent = 100
    at.table.session.stage.save(update_fields=["second_typing_percent"])
    sheet = at.submit()
    second = words_sheet()
    seats = second["games"][0]["seats"]
    seats["D"]["turns"][2]["own"] = "bless, god"
    seats["A"]["turns"][3]["own"] = ""
    typist = account(at.event, Role.CLERK, "second_clerk")
    double_entry.save_second_entry(at.table, revision=0, typed=second, done=True, by=typist, request_key="second")
    status = double_entry.double_entry_status(at.table, sheet)
    assert status.stand is double_entry.DoubleEntryStatus.SETTLED
    other = deepcopy(second)
    other["games"][0]["seats"]["B"]["turns"][3]["own"] = "RICED"
    other["totals"]["B"]["points"] = "24"
    sheet.double_entry.typed = other
    sheet.double_entry.save(update_fields=["typed"])
    at.table = queries.find_table_of_event(at.event, 1, 1)
    found = double_entry.double_entry_status(at.table, Scoresheet.objects.get(pk=sheet.pk))
    assert found.cells == ("games-0-B-own_3", "totals-B-points")
    page = squeezed(at.browser("chief_judge").get(at.address("type_scoresheet_again", 1, 1)).content.decode())
    assert "Turn 4·B own words" in page
    assert "RICED" in page


def test_a_correction_of_a_word_shows_its_effect_and_takes_the_place_of_the_signed_version(at: WordTable) -> None:
    at.certify()
    corrections.begin_correction(at.table, reason="the paper says JOKERED", by=at.clerk, request_key="begin")
    typed = words_sheet()
    typed["games"][0]["seats"]["C"]["turns"][3]["own"] = "JOKERED"
    typed["totals"]["C"]["points"] = "29"
    begun = queries.current_sheet(at.table)
    assert begun is not None
    assert at.send(typed, "submit", begun.revision).status_code == 302
    page = squeezed(at.browser("organiser").get(at.address("correction", 1, 1)).content.decode())
    assert "JOKERED" in page
    assert "Turn 4·C own words" in page
    ready = queries.current_sheet(at.table)
    assert ready is not None
    given = {"crossing": [], "revision": ready.revision}
    corrections.propose_correction(at.table, by=at.people["chief_judge"], request_key="propose", **given)
    proposed = queries.current_sheet(at.table)
    assert proposed is not None
    given["revision"] = proposed.revision
    corrections.approve_correction(at.table, by=at.organiser, request_key="approve", **given)
    letters = {seat.entrant.number: seat.letter for seat in at.table.seats.select_related("entrant")}
    live = live_ranking(at.session.stage)
    assert [(letters[one.number], one.points) for one in live.ranked] == [("C", 29), ("A", 28), ("B", 23), ("D", -10)]
    assert tampering.by_script(tampering.heads(at.event)) == (0, "")


def test_the_api_answers_with_the_words_of_each_turn_and_takes_them(at: WordTable) -> None:
    sheet = at.submit()
    told = scoresheet_of(at.table, at.organiser, frozenset({Role.ORGANISER}))
    answer = ScoresheetAnswer(told).data
    assert (answer["form"], answer["typed"]) == ("turns", sheet.typed)
    assert [line["turns"] for line in answer["games"][0]["lines"]][3] == [
        {"number": 2, "own": "BREAKS", "rearranged": "", "emptied": False, "points": 6},
        {"number": 3, "own": "GOD BLESS", "rearranged": "", "emptied": False, "points": 8},
        {"number": 4, "own": "", "rearranged": "SOFTEN", "emptied": False, "points": 6},
    ]
    sent = SaveRequest(data={"form": "turns", "typed": words_sheet(), "confirmations": {}})
    assert sent.is_valid(), sent.errors


def test_the_released_ranking_is_by_total_and_speaks_of_jokers_left_on_pages_and_in_files(at: WordTable) -> None:
    at.certify()
    assert [block.code for block in judge_release(at.session.stage, LATER).blocks] == []
    release = release_results(at.session.stage, by=at.organiser, now=LATER)
    write_public_files(at.event)
    numbers = [seat.entrant.number for seat in at.table.seats.select_related("entrant").order_by("letter")]
    listed = [(one["number"], one["rank"], one["points_twelfths"] // 12) for one in release.content["ranking"]]
    order = sorted(zip(numbers, POINTS.values(), strict=True), key=lambda one: -one[1])
    assert listed == [(number, rank, points) for rank, (number, points) in enumerate(order, start=1)]
    own = f"1/{numbers[3]:04d}/"
    for path, word in ((f"{own}en/", "Jokers left"), (own, "剩百搭"), ("1/ranking.csv", "Jokers left")):
        said = b"".join(Client().get(f"/p/{at.event.slug}/{path}")).decode()
        assert word in said, path
        assert not re.search("Tiles left|剩牌", said), path
    for name, args in (("standings", ["preliminary"]), ("standing", ["preliminary", numbers[3]])):
        said = squeezed(at.browser("organiser").get(at.address(name, *args)).content.decode())
        assert "Jokers left" in said, name


TURNS_OF_D = [
    {"turn": 2, "own": "BREAKS", "rearranged": "", "emptied": False, "points": 6},
    {"turn": 3, "own": "GOD BLESS", "rearranged": "", "emptied": False, "points": 8},
    {"turn": 4, "own": "", "rearranged": "SOFTEN", "emptied": False, "points": 6},
]


@pytest.mark.parametrize(
    ("language", "title", "rows_of_d", "last_of_c"),
    [
        (
            "en/",
            "The turns",
            "1 a tile was drawn 0|2 BREAKS 6|3 GOD BLESS 8|4 Table SOFTEN 6|Jokers left 1 −30|Sum −10",
            "5 Table CHIP LAP EAR 8 ×2",
        ),
        (
            "",
            "各回合",
            "1 抽牌 0|2 BREAKS 6|3 GOD BLESS 8|4 組 SOFTEN 6|剩百搭 1 −30|合計 −10",
            "5 組 CHIP LAP EAR 8 ×2",
        ),
    ],
)
def test_the_words_of_each_turn_are_published_on_the_page_of_the_own_result(
    at: WordTable, language: str, title: str, rows_of_d: str, last_of_c: str
) -> None:
    at.certify()
    release = release_results(at.session.stage, by=at.organiser, now=LATER)
    write_public_files(at.event)
    numbers = {seat.letter: seat.entrant.number for seat in at.table.seats.select_related("entrant")}
    turns = {one["number"]: one["turns"] for one in release.content["ranking"]}
    assert turns[numbers["D"]] == [TURNS_OF_D]

    def rows(letter: str) -> list[str]:
        page = b"".join(Client().get(f"/p/{at.event.slug}/1/{numbers[letter]:04d}/{language}")).decode()
        assert re.findall("<h2>([^<]*)</h2>", page)[-1] == title
        found = re.findall("<tr[^>]*>(.*?)</tr>", page.split("<tbody>")[-1])
        return [" ".join(re.sub("<[^>]*>", " ", row).split()) for row in found]

    assert rows("D") == rows_of_d.split("|")
    assert rows("C")[4] == last_of_c


def test_a_word_that_is_an_entrant_s_name_is_asked_about_before_it_is_public(at: WordTable) -> None:
    Person.objects.filter(entrant__seats__letter="B").update(name_zh="", name_en="LAI Planet")
    at.certify()
    verdict = judge_release(at.session.stage, LATER)
    assert verdict.asked is not None
    assert {(one.text, one.words) for one in verdict.asked.findings} == {("own", "PLANET")}
    made = release_results(at.session.stage, by=at.organiser, now=LATER, words_confirmed=verdict.asked.token)
    assert "PLANET" in json.dumps(made.content)
