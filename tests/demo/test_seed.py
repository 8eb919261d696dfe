"""The demo's stages: each is what it says, made by the real services; the same seed makes the same tournament."""

from collections import Counter
from datetime import date, datetime
from io import StringIO
from pathlib import Path

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import transaction
from django.utils import timezone

from scoring.signals import signals_in_force
from tests.conftest import event_data
from tests.small_event import small_fixtures
from tournament.core.enums import Role, StageKind
from tournament.core.models.event import Event, Membership
from tournament.core.models.stage import Stage
from tournament.demo import stages
from tournament.demo.desk import DemoPeople
from tournament.demo.final import finish_final
from tournament.demo.stages import DEMO_STAGES, seed_event, seeded_stage
from tournament.entrants.models.people import Entrant
from tournament.operations.services.audit_verification import verify_events
from tournament.ranking.domain.standings import live_ranking
from tournament.ranking.models.tie_break import TieBreak
from tournament.releases.models import PlaceAnswer, Release
from tournament.setup.services import setup
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.models.signing import Stamp
from tournament.stages.domain.podium import live_podium
from tournament.tables.models import Draw, Seat
from tournament.weather.domain.weather import live_day

SEED = 2
PEOPLE = ("organiser", "clerk", "clerk2", "judge")


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return small_fixtures(tmp_path)


def counts() -> dict[str, int]:
    kinds = (Entrant, Seat, Scoresheet, Stamp, TieBreak, Release)
    return {kind.__name__: kind.objects.count() for kind in kinds}


@pytest.mark.django_db
def test_imported_has_entrants_and_no_seats(small: Path) -> None:
    seed_event("imported", SEED, small)
    assert counts() == {"Entrant": 96, "Seat": 0, "Scoresheet": 0, "Stamp": 0, "TieBreak": 0, "Release": 0}


@pytest.mark.django_db
def test_seated_has_every_draw_confirmed_and_every_session_planned(small: Path) -> None:
    event = seed_event("seated", SEED, small)
    assert counts() == {"Entrant": 96, "Seat": 93, "Scoresheet": 0, "Stamp": 0, "TieBreak": 0, "Release": 0}
    assert Draw.objects.exclude(confirmed_at=None).count() == 12
    assert set(Stage.objects.get(event=event, kind="preliminary").sessions.values_list("state", flat=True)) == {
        "planned"
    }


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("at", "first"), [("2026-05-09T09:40+08:00", "2026-05-09 12:00"), ("2026-05-09T21:10+08:00", "2026-05-10 12:00")]
)
def test_weather_has_four_sessions_today_and_black_rain_that_calls_them_off(small: Path, at: str, first: str) -> None:
    now = datetime.fromisoformat(at)
    with time_machine.travel(now, tick=False):
        event = seed_event("weather", SEED, small)
    day = date.fromisoformat(first[:10])
    live = live_day(event, day, now)
    assert live is not None and live.first_check_in is not None and live.proposal is not None
    assert f"{timezone.localtime(live.first_check_in):%Y-%m-%d %H:%M}" == first
    assert [stretch.signal.code for stretch in signals_in_force(live.stretches, now)] == ["WRAINB"]
    assert (live.proposal.verdict.decision, live.proposal.outcome) == ("pending", "cancel")
    assert len(live.sessions) == 4
    assert counts() == {"Entrant": 96, "Seat": 93, "Scoresheet": 0, "Stamp": 0, "TieBreak": 0, "Release": 0}
    assert verify_events(files=False).findings == []


@pytest.mark.django_db
def test_playing_has_sessions_that_are_done_and_one_in_hand(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "SESSION_IN_HAND_LIMITS", (0, 0, 13, 25))
    seed_event("playing", SEED, small)
    states = Counter(Scoresheet.objects.values_list("table__session__number", "state"))
    assert states == {**{(session, "certified"): 2 for session in range(1, 7)}, (7, "ready"): 1, (7, "draft"): 1}
    assert counts()["Stamp"] == 12


@pytest.mark.django_db
def test_results_has_every_sheet_stamped_a_full_tie_across_the_line_and_nothing_released(small: Path) -> None:
    event = seed_event("results", SEED, small)
    assert counts() == {"Entrant": 96, "Seat": 93, "Scoresheet": 24, "Stamp": 24, "TieBreak": 0, "Release": 0}
    line = live_ranking(Stage.objects.get(event=event, kind=StageKind.PRELIMINARY)).line
    assert line.unresolved is not None
    assert len(line.advancing) + line.unresolved.places == 10


@pytest.mark.django_db
def test_released_has_the_tie_decided_by_the_chief_judge_and_one_release(small: Path) -> None:
    seed_event("released", SEED, small)
    assert (counts()["TieBreak"], counts()["Release"]) == (1, 1)
    assert TieBreak.objects.get().by.username == "judge"


@pytest.mark.django_db
def test_final_has_its_list_fixed_and_one_round_seated_and_awarded_has_all_played_settled_and_released(
    small: Path,
) -> None:
    event = seed_event("final", SEED, small)
    final = Stage.objects.get(event=event, kind=StageKind.FINAL)
    assert (final.rounds, final.finalists.count(), final.frozen_at is None) == (3, 10, False)
    answers = Counter(PlaceAnswer.objects.values_list("answer", "by__username"))
    assert answers == {("accepted", None): 9, ("accepted", "organiser"): 1, ("declined", "organiser"): 1}
    seated = [(session.number, session.tables.exists()) for session in final.sessions.order_by("number")]
    assert seated == [(13, True), (14, False), (15, False)]

    finish_final(event, SEED, DemoPeople(*(User.objects.get(username=name) for name in PEOPLE)))
    live = live_podium(final)
    assert (live.is_over, [holder.place for holder in live.podium.holders], live.podium.contests) == (
        True,
        [1, 2, 3],
        (),
    )
    assert [release.stage.kind for release in Release.objects.order_by("number")] == ["preliminary", "final"]
    assert Stamp.objects.filter(scoresheet__table__session__stage=final).count() == 9
    assert verify_events(files=False).findings == []


@pytest.mark.django_db
def test_an_earlier_stage_is_an_earlier_moment_of_the_same_tournament(small: Path) -> None:
    with transaction.atomic():
        seed_event("playing", SEED, small)
        earlier = digests()
        transaction.set_rollback(True)
    seed_event("results", SEED, small)
    later = digests()
    assert (len(earlier), len(later)) == (12, 24)
    assert {key: later[key] for key in earlier} == earlier


def digests() -> dict[tuple[int, int], str]:
    """What was certified at each table."""
    rows = Scoresheet.objects.filter(state="certified")
    return {(s, t): digest for s, t, digest in rows.values_list("table__session__number", "table__number", "digest")}


@pytest.mark.django_db
def test_there_is_a_sign_in_for_each_role_and_a_referee_for_two_tables(small: Path) -> None:
    event = seed_event("imported", SEED, small)
    held = Counter(Membership.objects.filter(event=event).values_list("role", flat=True))
    assert held == {Role.ORGANISER: 1, Role.CLERK: 2, Role.CHIEF_JUDGE: 1, Role.AUDITOR: 1, Role.REFEREE: 13}


@pytest.mark.django_db
def test_the_command_seeds_once_keeps_what_is_there_and_refuses_another_stage(small: Path) -> None:
    seed_event("seated", SEED, small)
    said = StringIO()
    call_command("seed", "--keep", stdout=said)
    assert "seeded as seated, seed 2" in said.getvalue()
    assert "demo-organiser" in said.getvalue()
    with pytest.raises(
        CommandError, match=r"seeded as seated .*you asked for released[\s\S]*make demo-reset STAGE=released"
    ):
        call_command("seed", "--stage", "released", stdout=StringIO())
    assert seeded_stage(Event.objects.get()) == ("seated", SEED)


@pytest.mark.django_db
def test_the_command_leaves_a_database_alone_that_has_a_real_event() -> None:
    setup.create_event(event_data())
    with pytest.raises(CommandError, match="not a demo"):
        call_command("seed", "--stage", "imported", stdout=StringIO())
    assert Entrant.objects.count() == 0


def test_the_stages_are_in_the_order_of_the_day() -> None:
    assert DEMO_STAGES == ("imported", "seated", "weather", "playing", "results", "released", "final", "awarded")
