"""A consent to be named in full that is withdrawn masks what is public at once, older releases with it (4)."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.core.finals import final_played
from tests.publication.services.test_release_final import EVENING
from tests.squeezed import squeezed
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.people import Entrant, Person
from tournament.entrants.services import person_digest as people_digest
from tournament.publication.domain.consent import frozen_in_full, no_longer_in_full, publishable_content
from tournament.publication.domain.release import canonical_digest
from tournament.publication.services.public_pages import numbers_to_mask
from tournament.publication.services.release import judge_release, release_results, rewrite_public_files_by_hand
from tournament.registration.services.changes import change_person
from tournament.releases.models import Release
from tournament.stages.domain.podium import live_podium

pytestmark = pytest.mark.django_db
ADDRESSES = ("", "en/", "1/", "1/winners/", "1/winners/en/", "wall/", "1/ranking.csv", "1/ranking.json", "2/changes/")


@pytest.fixture
def final(first_session: Session, organiser: User) -> Stage:
    """Twelve finalists, one round, everybody consents."""
    made = final_played(first_session, organiser, rounds=1)
    Person.objects.update(consent_name=True)
    return made


@pytest.fixture
def on_commit(django_capture_on_commit_callbacks: Any) -> Any:
    """What is done in it is committed at its end."""
    return lambda: django_capture_on_commit_callbacks(execute=True)


def champion(final: Stage) -> Entrant:
    number = int(live_podium(final).podium.holders[0].id)
    return Entrant.objects.select_related("person", "event").get(event=final.event, number=number)


def published(final: Stage, by: User, on_commit: Any) -> Release:
    with on_commit():
        return release_results(final, by=by, now=EVENING)


def withdraw_consent(entrant: Entrant, by: User, answer: str = "否") -> None:
    now = Entrant.objects.select_related("person", "event").get(pk=entrant.pk)
    change_person(now, revision=now.revision, cells={"consent_name": answer}, reason="asked by mail", by=by)


def named(entrant: Entrant, root: Path) -> bool:
    """Whether any file of the public has the name, in either language, also within gzip."""
    wanted = [entrant.person.name_en.encode(), entrant.person.name_zh.encode()]
    bodies = [path.read_bytes() for path in root.rglob("*") if path.is_file() and path.name != "manifest.json"]
    pages = [Client().get(f"/p/{entrant.event.slug}/{path}").content for path in ADDRESSES]
    return any(name and name in body for name in wanted for body in (*bodies, *pages))


def test_a_withdrawn_consent_masks_every_page_and_file_at_once_and_leaves_the_frozen_content(
    final: Stage, organiser: User, on_commit: Any, settings: Any
) -> None:
    made = published(final, organiser, on_commit)
    one = champion(final)
    assert (named(one, settings.PUBLIC_ROOT), one.number in frozen_in_full(made.content)) == (True, True)
    with on_commit():
        withdraw_consent(one, organiser)
    assert named(one, settings.PUBLIC_ROOT) is False
    made.refresh_from_db()
    assert canonical_digest(made.content) == made.digest
    shown = json.loads(Client().get("/p/hk-2026/1/ranking.json").content)
    assert shown == publishable_content(made)
    assert shown["masked"] == [one.number]
    assert {**shown, "podium": made.content["podium"], "award": made.content["award"]} == {
        **made.content,
        "masked": [one.number],
    }


def test_an_older_numbered_release_is_masked_too_and_so_is_what_the_changes_page_says(
    final: Stage, organiser: User, on_commit: Any, settings: Any
) -> None:
    published(final, organiser, on_commit)
    one = champion(final)
    other = Entrant.objects.exclude(pk=one.pk).filter(qualified__stage=final).last()
    Person.objects.filter(pk=other.person_id).update(name_zh="黃別", name_en="WONG Other")
    published(final, organiser, on_commit)
    assert Client().get("/p/hk-2026/1/winners/").status_code == 200
    with on_commit():
        withdraw_consent(one, organiser)
    assert named(one, settings.PUBLIC_ROOT) is False


def test_a_consent_given_again_counts_from_the_next_release_on(
    final: Stage, organiser: User, on_commit: Any, settings: Any
) -> None:
    made = published(final, organiser, on_commit)
    one = champion(final)
    with on_commit():
        withdraw_consent(one, organiser)
    with on_commit():
        withdraw_consent(one, organiser, "是")
    assert no_longer_in_full(made) == {one.number}
    assert named(one, settings.PUBLIC_ROOT) is False
    assert [block.code for block in judge_release(final, EVENING).blocks] == []
    with on_commit():
        newer = release_results(final, by=organiser)
    assert (no_longer_in_full(newer), no_longer_in_full(made)) == (frozenset(), {one.number})
    page = squeezed(Client().get("/p/hk-2026/").content.decode())
    assert one.person.name_en in page
    assert one.person.name_en not in squeezed(Client().get("/p/hk-2026/1/winners/").content.decode())


def test_who_never_consented_is_not_said_to_be_masked(final: Stage, organiser: User, on_commit: Any) -> None:
    one = champion(final)
    Person.objects.filter(pk=one.person_id).update(consent_name=False)
    made = published(final, organiser, on_commit)
    assert (no_longer_in_full(made), publishable_content(made)) == (frozenset(), made.content)


def test_where_the_files_cannot_be_written_it_stands_first_among_what_waits(
    final: Stage, organiser: User, on_commit: Any, settings: Any, monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
    published(final, organiser, on_commit)
    one = champion(final)
    root = Path(settings.PUBLIC_ROOT)
    full = root.with_name("full")
    full.write_text("no folder can be made here")
    settings.PUBLIC_ROOT = full
    with on_commit():
        withdraw_consent(one, organiser)
    settings.PUBLIC_ROOT = root
    assert numbers_to_mask(final.event) == [one.number]
    client.force_login(organiser)
    overview = squeezed(client.get("/desk/hk-2026/").content.decode())
    assert f"{one.number:04d} 已撤回公開全名的同意" in overview
    assert "公開檔案仍有不可再公開的姓名" in squeezed(client.get("/desk/hk-2026/releases/").content.decode())
    rewrite_public_files_by_hand(final.event, by=organiser)
    assert (numbers_to_mask(final.event), named(one, root)) == ([], False)


def test_the_desk_and_the_api_show_a_release_as_it_may_be_shown_now(
    final: Stage, organiser: User, on_commit: Any, client: Client
) -> None:
    published(final, organiser, on_commit)
    one = champion(final)
    withdraw_consent(one, organiser)
    client.force_login(organiser)
    for address in ("/desk/hk-2026/releases/1/", "/api/v1/events/hk-2026/releases/1/"):
        assert one.person.name_en not in squeezed(client.get(address).content.decode())


def test_who_belongs_to_whom_is_told_no_more_once_one_of_them_takes_the_consent_back(
    final: Stage, organiser: User, on_commit: Any
) -> None:
    made = published(final, organiser, on_commit)
    winner = made.content["award"]["winner"]["child"]["number"]
    lost = next(unit for unit in made.content["award"]["families"] if unit["child"] != winner)
    assert made.content["award"]["others"] == 0
    with on_commit():
        withdraw_consent(Entrant.objects.get(event=final.event, number=lost["parent"]), organiser)
    shown = json.loads(Client().get("/p/hk-2026/1/ranking.json").content)["award"]
    assert ([unit["child"] for unit in shown["families"]], shown["others"]) == ([winner], 1)


def test_a_release_that_only_corrects_a_name_is_announced_as_one(final: Stage, organiser: User, on_commit: Any) -> None:
    Person.objects.update(consent_name=False)
    published(final, organiser, on_commit)
    one = champion(final)
    Person.objects.filter(pk=one.person_id).update(name_zh="鄭更正", name_en="CHENG Corrected")
    published(final, organiser, on_commit)
    zh, en = (squeezed(Client().get(f"/p/hk-2026/2/changes/{folder}").content.decode()) for folder in ("", "en/"))
    assert "更正姓名，名次和成績沒有改變" in zh
    assert "Correction of a name: no rank or result changed" in en
    assert f"{one.number:04d}" in zh and "鄭*正" in zh and "更正成績" not in zh
    assert "更正姓名，名次和成績沒有改變" in squeezed(Client().get("/p/hk-2026/2/").content.decode())


def test_a_release_freezes_a_salted_digest_of_each_person(final: Stage, organiser: User, on_commit: Any) -> None:
    made = published(final, organiser, on_commit)
    assert set(made.people) == {f"{number:04d}" for number in Entrant.objects.values_list("number", flat=True)}
    assert len(set(made.people.values())) == len(made.people)
    one = champion(final)
    Person.objects.filter(pk=one.person_id).update(phone="+85290000000")
    newer = people_digest(Entrant.objects.select_related("person", "session", "family").get(pk=one.pk))
    assert newer != made.people[str(one)]
