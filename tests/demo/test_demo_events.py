"""The demo's events by the other rule texts, each from its own workbook, and all of them in one database."""

from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client

from tests.conftest import account, event_data
from tests.small_event import small_fixtures
from tests.squeezed import squeezed
from tournament.core.enums import Role
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Stage
from tournament.demo.events import DEMO_EVENTS, demo_fixtures
from tournament.demo.stages import seed_event
from tournament.events.domain import ruleset_of_stage
from tournament.publication.services.files import write_public_files
from tournament.ranking.domain.standings import live_ranking
from tournament.setup.services import setup

pytestmark = pytest.mark.django_db


def test_five_events_stand_side_by_side_each_by_its_rules_and_seen_by_its_people(tmp_path: Path) -> None:
    for name in DEMO_EVENTS:
        write_public_files(
            seed_event("imported", 1, small_fixtures(tmp_path) if name == "hk-2026" else demo_fixtures(name))
        )
    stages = Stage.objects.select_related("event").order_by("pk")
    assert [
        (one.event.slug, ruleset_of_stage(one).name, one.event.entrants.count(), one.rounds, one.sessions.count())
        for one in stages
    ] == [
        ("hk-2026", "hk-2026", 96, 1, 12),
        ("twist", "twist", 24, 3, 3),
        ("school", "school", 160, 1, 2),
        ("word", "word", 32, 1, 1),
        ("french", "french", 48, 2, 2),
    ]
    public = squeezed(Client().get("/p/").content.decode())
    assert [f'href="/p/{name}/"' in public for name in DEMO_EVENTS] == [True] * 5
    everywhere, alone = Client(), Client()
    everywhere.force_login(User.objects.get(username="organiser"))
    alone.force_login(account(Event.objects.get(slug="word"), Role.CLERK, "word-clerk"))
    lists = [squeezed(one.get("/desk/", follow=True).content.decode()) for one in (everywhere, alone)]
    assert [[f"/desk/{name}/" in one for name in DEMO_EVENTS] for one in lists] == [
        [True] * 5,
        [name == "word" for name in DEMO_EVENTS],
    ]
    assert [alone.get(f"/desk/{name}/").status_code for name in DEMO_EVENTS] == [404, 404, 404, 200, 404]


def test_names_of_every_script_come_from_their_workbooks() -> None:
    seed_event("imported", 1, demo_fixtures("french"))
    seed_event("imported", 1, demo_fixtures("school"))
    french = set(Event.objects.get(slug="french").entrants.values_list("person__name_en", flat=True))
    assert [any(letter in name for name in french) for letter in "éèçïô'-"] == [True] * 7
    classes = set(Event.objects.get(slug="school").entrants.values_list("person__school", flat=True))
    assert classes == {f"白田小學 {form}{group}" for form in (3, 4, 5, 6) for group in "AB"}


def test_a_league_evening_is_played_to_its_release_and_goes_on_as_it_is() -> None:
    said = StringIO()
    call_command("seed", event="twist", stage="released", stdout=said)
    live = live_ranking(Stage.objects.get(event__slug="twist"))
    assert (len(live.ranked), "Seeded twist: released" in said.getvalue()) == (24, True)
    call_command("seed", event="twist", keep=True, stdout=said)
    assert "The demo twist is there: seeded as released" in said.getvalue()
    with pytest.raises(CommandError, match="make demo-reset EVENT=twist STAGE=seated"):
        call_command("seed", event="twist", stage="seated")


def test_an_event_that_ends_with_its_first_stage_has_no_final_to_play() -> None:
    with pytest.raises(CommandError, match="school: This event ends with its first stage: there is no awarded"):
        call_command("seed", event="school", stage="awarded")
    with pytest.raises(Refused):
        seed_event("final", 1, demo_fixtures("school"))
    assert Event.objects.count() == 0


def test_no_demo_is_played_beside_a_real_event() -> None:
    setup.create_event(event_data() | {"slug": "real"})
    with pytest.raises(CommandError, match="has the event real, which is not a demo"):
        call_command("seed", event="twist")
