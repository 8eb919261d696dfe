"""How many games a table plays: the printed sheet, the typing page and the tablet have the same (R2; 000, 003)."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.conftest import account, event_data
from tests.sheets.tables import settle
from tests.tablets.tablet_caller import Tablet, give_tables
from tournament.core.enums import Role
from tournament.core.models.stage import Session
from tournament.devices.services import devices
from tournament.events.domain import ruleset_of_stage
from tournament.seating.services import print as printing
from tournament.setup.services import setup
from tournament.sheets.exports.papers import printed_sheets_of_tables
from tournament.tables.queries import seating as queries

SIZES = (4, 3, 2)


@pytest.fixture
def people(db: None, request: pytest.FixtureRequest) -> tuple[Session, User, User]:
    """The first session of an event by these rules, drawn and printed, its organiser and its referee."""
    data = event_data()
    data["stages"][0]["ruleset"] = request.param
    event = setup.create_event(data)
    session = Session.objects.get(stage__event=event, number=1)
    organiser, referee = account(event, Role.ORGANISER), account(event, Role.REFEREE)
    settle(session, organiser, SIZES)
    printing.print_session(session, by=organiser, request_key="print")
    return session, organiser, referee


@pytest.mark.parametrize(
    ("people", "games"),
    [
        pytest.param("twist", [4, 3, 2], id="as many as players"),
        pytest.param({"base": "twist", "games": 5}, [5, 5, 5], id="as agreed"),
        pytest.param("school", [3, 3, 3], id="three"),
    ],
    indirect=["people"],
)
def test_paper_page_and_tablet_have_as_many_games_as_the_table_plays(
    people: tuple[Session, User, User], games: list[int]
) -> None:
    session, organiser, referee = people
    tables = queries.tables_to_print(session.stage, 1)
    rules = ruleset_of_stage(session.stage)
    for prints in (queries.newest_prints([session]), {}):
        sheets = printed_sheets_of_tables(tables, prints, rules, lambda _table, _number: "")
        assert [sheet.games for sheet in sheets] == games
    desk = Client()
    desk.force_login(organiser)
    pages = [desk.get(reverse("scoresheet", args=["hk-2026", 1, number])).content.decode() for number in (1, 2, 3)]
    assert [sum(f'name="games-{game}-ended_by"' in page for game in range(9)) for page in pages] == games
    give_tables(session, referee, (1, 2))
    tablet = Tablet()
    tablet.pair(devices.make_pairing(session, referee, (1, 2), by=organiser)[1])
    state = tablet.get().json()
    assert [(table["games"], len(table["sheet"]["typed"]["games"])) for table in state["tables"]] == [
        (count, count) for count in games[:2]
    ]
