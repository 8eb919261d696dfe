"""A private link's page: nobody signs in, two steps to an answer, nothing personal beyond the name, kept by nobody."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from tests.finalists.invited import answered, holders, invited
from tests.squeezed import squeezed
from tournament.core.adapters.bundles import bundle_url
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.final import Invitation
from tournament.entrants.models.people import Entrant, Person
from tournament.finalists.domain.release_places import live_places
from tournament.finalists.services import finalists, invitations
from tournament.finalists.services.release_places import set_answers_until
from tournament.releases.models import PlaceAnswer

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(first_session: Session, organiser: User) -> Stage:
    return invited(first_session, organiser)[0]


@pytest.fixture
def link(stage: Stage, organiser: User) -> Invitation:
    """That of the first who holds a place."""
    made = {one.entrant.number: one for one in invitations.make_place_links(stage, by=organiser)}
    return made[holders(stage)[0]]


def address(link: Invitation) -> str:
    return f"/place/{invitations.place_link_token(link)}/"


def text(link: Invitation, language: str = "", asked: str = "") -> str:
    client = Client()
    if language:
        client.cookies["django_language"] = language
    return squeezed(client.get(address(link) + asked).content.decode())


def test_an_answer_is_chosen_explained_and_then_sent_without_script_or_account(link: Invitation) -> None:
    client = Client(enforce_csrf_checks=True)
    first = squeezed(client.get(address(link)).content.decode())
    assert ("你已晉級決賽" in first, 'method="get"' in first) == (True, True)
    # Nothing but the surface's own, which puts up the banner.
    assert re.findall("<script[^>]*>", first) == [f'<script src="{bundle_url("public.js")}" defer>']
    second = squeezed(client.get(address(link), {"answer": "accepted"}).content.decode())
    assert ("確定出席決賽？" in second, PlaceAnswer.objects.count()) == (True, 0)
    given = dict(re.findall(r'name="(csrfmiddlewaretoken|seen)" value="([^"]*)"', second.split('id="confirm"')[1]))
    sent = client.post(address(link), {**given, "answer": "accepted"})
    assert (sent.status_code, sent.headers["Location"]) == (302, address(link))
    third = squeezed(client.get(address(link)).content.decode())
    assert ("你已接受席位，將出席決賽" in third, "我改為不出席" in third) == (True, True)
    assert PlaceAnswer.objects.get().invitation == link


def test_an_answer_without_the_page_s_token_is_refused(link: Invitation) -> None:
    client = Client(enforce_csrf_checks=True)
    assert client.post(address(link), {"answer": "accepted", "seen": "0"}).status_code == 403
    assert PlaceAnswer.objects.count() == 0


def test_giving_up_is_told_with_what_it_causes_and_may_be_taken_back(link: Invitation) -> None:
    client = Client()
    assert "一經讓予候補，放棄便不能收回" in squeezed(
        client.get(address(link), {"answer": "declined"}).content.decode()
    )
    client.post(address(link), {"answer": "declined", "seen": "0"})
    page = squeezed(client.get(address(link)).content.decode())
    assert ("你已放棄席位" in page, "我改為出席" in page) == (True, True)
    seen = PlaceAnswer.objects.get().pk
    client.post(address(link), {"answer": "accepted", "seen": str(seen)})
    assert [one.answer for one in PlaceAnswer.objects.order_by("pk")] == ["declined", "accepted"]


def test_the_page_is_complete_in_both_languages_and_speaks_the_holder_s_first(link: Invitation) -> None:
    assert "What happens next" in text(link, "en") and "之後的安排" in text(link, "zh-hant")
    Person.objects.filter(entrant=link.entrant).update(language="en")
    assert ("You have a place in the final" in text(link), "你已晉級決賽" in text(link, "zh-hant")) == (True, True)
    english = re.sub(r"<[^>]*lang=\"zh-Hant-HK\"[^>]*>[^<]*<", "<", text(link, "en", "?answer=declined"))
    chinese = re.findall("[\u4e00-\u9fff]+", re.sub(r"<[^>]*>", " ", english))
    assert set(chinese) - set(re.findall("[\u4e00-\u9fff]+", str(link.stage.event.name_zh))) <= {"中文"}


def test_nobody_reads_there_what_is_nobody_s_business(link: Invitation) -> None:
    person = Person.objects.get(entrant=link.entrant)
    Person.objects.filter(pk=person.pk).update(phone="+85269998888", email="secret@example.org", school="Secret School")
    said = "".join(text(link, language, asked) for language in ("en", "zh-hant") for asked in ("", "?answer=accepted"))
    wanted = [person.name_zh, person.name_en, f"{link.entrant.number:04d}"]
    hidden = ["69998888", "secret@", "Secret School", f"{person.birth_date:%Y-%m-%d}", "2014", "/desk/", "sign-in"]
    assert ([one in said for one in wanted], [one for one in hidden if one in said]) == ([True] * 3, [])


def test_no_cache_and_no_search_engine_keeps_the_page(link: Invitation) -> None:
    client = Client()
    for path in (address(link), f"{address(link)}?answer=accepted", "/place/nonsense/"):
        answer = client.get(path)
        assert "no-store" in answer.headers["Cache-Control"] and "noindex" in answer.headers["X-Robots-Tag"]
        assert answer.headers["Referrer-Policy"] == "strict-origin"
        assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
    assert "sessionid" not in client.cookies


def test_a_date_to_be_announced_is_said_so_and_rounds_stand_with_their_hours(
    first_session: Session, organiser: User
) -> None:
    stage, final = invited(first_session, organiser, rounds=3)
    [link, *_rest] = invitations.make_place_links(stage, by=organiser)
    page = text(link)
    assert [f"第 {n} 輪" in page for n in (1, 2, 3, 4)] == [True, True, True, False]
    assert page.count("報到") == 3
    final.sessions.all().delete()
    assert "容後公佈" in text(link)


@pytest.mark.parametrize("text_of", ["nonsense", "1-00000-00000-00000-00000-00000", "１-abcde"])
def test_a_link_that_nobody_made_says_so_and_no_more(link: Invitation, text_of: str) -> None:
    answer = Client().get(f"/place/{text_of}/")
    assert (answer.status_code, "沒有此連結" in squeezed(answer.content.decode())) == (404, True)
    assert link.entrant.person.name_en not in squeezed(answer.content.decode())


def test_a_revoked_link_is_gone_and_too_many_wrong_ones_wait(link: Invitation, stage: Stage, organiser: User) -> None:
    invitations.revoke_place_link(stage, number=link.entrant.number, reason="lost", by=organiser)
    gone = Client().get(address(link))
    assert (gone.status_code, "此連結已失效" in squeezed(gone.content.decode())) == (410, True)
    statuses = [Client().get("/place/nonsense/").status_code for _try in range(11)]
    assert statuses == [404] * 10 + [429]


def test_a_right_link_opens_beside_any_number_of_wrong_ones(link: Invitation) -> None:
    refused = [Client().get("/place/nonsense/") for _try in range(11)][-1]
    assert (refused.status_code, 0 < int(refused["Retry-After"]) <= 900) == (429, True)
    assert Client().get(address(link)).status_code == 200


def test_over_https_an_answer_is_taken_from_a_page_that_tells_its_host_alone(link: Invitation) -> None:
    client = Client(enforce_csrf_checks=True)
    page = squeezed(client.get(address(link), {"answer": "accepted"}, secure=True).content.decode())
    given = dict(re.findall(r'name="(csrfmiddlewaretoken|seen)" value="([^"]*)"', page.split('id="confirm"')[1]))
    sent = {**given, "answer": "accepted"}
    statuses = [
        client.post(address(link), sent, secure=True, headers={"referer": said}).status_code
        for said in ("https://elsewhere.example/", "https://testserver/")
    ]
    assert statuses == [403, 302]


def test_behind_a_proxy_of_ours_each_visitor_has_tries_of_their_own(link: Invitation) -> None:
    for _try in range(10):
        Client().get("/place/nonsense/", headers={"x-forwarded-for": "192.0.2.1, 203.0.113.7"})
    after = [
        Client().get("/place/nonsense/", headers={"x-forwarded-for": said}).status_code
        for said in ("203.0.113.7", "192.0.2.1", "203.0.113.7, 192.0.2.9")
    ]
    assert after == [429, 404, 404]


def test_after_the_last_moment_nothing_is_asked_and_a_late_answer_is_refused(
    link: Invitation, stage: Stage, organiser: User
) -> None:
    set_answers_until(stage, until=timezone.now() - timedelta(minutes=1), seen=None, by=organiser)
    page = text(link)
    assert ("未收到你的回覆" in page, "<button" in page.split("<main")[1]) == (True, False)
    late = Client().post(address(link), {"answer": "accepted", "seen": "0"})
    assert (late.status_code, PlaceAnswer.objects.count()) == (409, 0)


def test_an_answer_at_the_desk_meanwhile_is_shown_and_not_overruled(
    link: Invitation, stage: Stage, organiser: User
) -> None:
    answered(stage, organiser, link.entrant.number)
    refused = Client().post(address(link), {"answer": "declined", "seen": "0"})
    said = squeezed(refused.content.decode())
    assert (refused.status_code, "由服務枱於" in said, "沒有改動" in said) == (412, True, True)


def test_once_the_list_is_fixed_the_page_says_who_is_on_it(link: Invitation, stage: Stage, organiser: User) -> None:
    other = Invitation.objects.exclude(pk=link.pk).order_by("pk")[0]
    answered(stage, organiser, link.entrant.number)
    final = Stage.objects.get(kind="final")
    seen = finalists.finalists_seen_digest(live_places(stage))
    finalists.freeze_finalists(final, seen=seen, strike=True, reason="No answer.", by=organiser)
    assert ("你已列入決賽名單" in text(link), "你不在名單上" in text(other)) == (True, True)
    assert Client().post(address(link), {"answer": "declined", "seen": "0"}).status_code == 412
    Entrant.objects.filter(pk=link.entrant_id).update(status="withdrawn")
    assert ("你曾在決賽名單上" in text(link), "你不在名單上" in text(link)) == (True, False)


def test_a_link_of_a_rehearsal_says_that_nothing_there_counts(link: Invitation) -> None:
    assert "演練" not in text(link)
    Event.objects.update(rehearsal=True)
    assert "演練" in text(link)


def test_what_is_no_answer_is_refused_in_words(link: Invitation) -> None:
    for given in ({}, {"answer": "perhaps", "seen": "0"}, {"answer": "accepted", "seen": "x"}):
        answer = Client().post(address(link), given)
        assert (answer.status_code, "請選擇出席或放棄" in squeezed(answer.content.decode())) == (400, True)
    assert Client().put(address(link)).status_code == 405


def test_who_has_not_answered_in_time_is_sent_to_the_desk_and_not_told_that_nothing_is_to_be_done(
    stage: Stage, link: Invitation
) -> None:
    Stage.objects.filter(pk=stage.pk).update(answers_until=timezone.now() - timedelta(hours=1))
    said = text(link, "en")
    asked = "Ask the organiser's desk whether you may still play."
    assert (asked in said, "There is nothing you need to do" in said) == (True, False)
