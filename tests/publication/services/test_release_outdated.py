"""Whether what stands in public is still what counts: one comparison, told on every page that rests on a release."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from tests.core.finals import final_played
from tests.sheets.sheets import mirrored_tables
from tests.squeezed import squeezed
from tests.stages import podiums
from tests.stages.deciding import decide
from tournament.core.enums import EntrantStatus
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.people import Entrant, Person
from tournament.publication.services.outdated import OutdatedRelease, find_outdated_release, outdated_releases
from tournament.publication.services.release import release_results, withdraw_release

pytestmark = pytest.mark.django_db
DESK = "/desk/hk-2026/"
CERTIFICATES, PODIUM = f"{DESK}final/certificates/", f"{DESK}final/podium/"
FIRST, SECOND = ("0001", "0002", "0003"), ("0002", "0001", "0003")
SAID = "現時計算的結果與第 1 次公佈不符"


@pytest.fixture
def final(first_session: Session, organiser: User, chief_judge: User) -> Stage:
    """A final whose three leaders are level, parted by the chief judge, and released."""
    final = podiums.level_final(first_session, organiser)
    Event.objects.update(results_at=timezone.now() - timedelta(minutes=1))
    final.event.refresh_from_db()
    part(final, chief_judge, FIRST)
    release_results(final, by=organiser)
    return final


def part(final: Stage, by: User, order: tuple[str, ...], **more: Any) -> Any:
    """The three leaders, by choice."""
    facts = {"tied": list(podiums.LEADERS), "places": 3, "order": list(order), "method": "pick", "reason": "As agreed."}
    return decide(final, "podium", by, **facts, **more)


def told(found: OutdatedRelease | None) -> dict[str, Any]:
    assert found is not None
    return {
        "podium": [(one.number, one.old_place, one.new_place) for one in found.podium],
        "award": found.award is not None,
        "line": [one.number for one in found.line],
        "others": found.others,
        "names": found.names,
    }


def test_a_release_that_says_what_counts_is_not_outdated(final: Stage) -> None:
    assert outdated_releases(final.event) == []


def test_a_podium_s_decision_that_is_replaced_after_the_release_is_told_first_on_every_page_that_rests_on_it(
    final: Stage, chief_judge: User, organiser: User, second_organiser: User, signed_in: Any
) -> None:
    standing = final.tie_breaks.get()
    part(final, chief_judge, SECOND, replaces=standing.pk, second=organiser)
    assert told(find_outdated_release(final)) == {
        "podium": [(2, "亞軍", "冠軍"), (1, "冠軍", "亞軍")],
        "award": False,
        "line": [],
        "others": 0,
        "names": 0,
    }
    client = signed_in(organiser)
    pages = {
        address: squeezed(client.get(address).content.decode())
        for address in (CERTIFICATES, PODIUM, f"{DESK}final/award/")
    }
    assert [address for address, html in pages.items() if SAID not in html] == []
    waiting = client.get(DESK).context["waiting"]
    assert waiting[0]["sentence"] == "現時計算的結果與第 1 次公佈不符：三甲。"
    release_results(final, by=organiser)
    assert find_outdated_release(final) is None


def test_a_correction_behind_the_line_is_told_with_who_crossed_it(first_session: Session, organiser: User) -> None:
    stage = mirrored_tables(first_session, organiser, advance=4)
    Event.objects.update(results_at=timezone.now() - timedelta(minutes=1))
    stage = Stage.objects.select_related("event").get(pk=first_session.stage_id)
    release_results(stage, by=organiser)
    first = find_outdated_release(stage)
    Entrant.objects.filter(number=1).update(status=EntrantStatus.DISQUALIFIED)
    found = find_outdated_release(stage)
    assert (first, found is not None and 1 in [one.number for one in found.line]) == (None, True)


def test_names_alone_and_what_was_withdrawn(final: Stage, organiser: User) -> None:
    Person.objects.filter(entrant__number=12).update(name_zh="陳大文", name_en="")
    assert told(find_outdated_release(final)) | {"names": 1} == {
        "podium": [],
        "award": False,
        "line": [],
        "others": 0,
        "names": 1,
    }
    withdraw_release(final.releases.get(), reason="a slip", by=organiser)
    assert find_outdated_release(final) is None


def test_before_a_release_nothing_is_outdated(first_session: Session, organiser: User) -> None:
    final = final_played(first_session, organiser)
    assert outdated_releases(final.event) == []
