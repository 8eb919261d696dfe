"""Who has not answered is struck by the organiser, and that is what every page and the log say of it."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from tests.finalists.invited import answered, holders, invited
from tests.recorded import altered_rows
from tests.squeezed import squeezed
from tournament.audit.models import AuditEntry
from tournament.core.dateformat import datetime_text
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.final import Finalist
from tournament.finalists.domain.invitations import LinkState, invitation_page
from tournament.finalists.domain.release_places import live_places
from tournament.finalists.services import finalists as services
from tournament.finalists.services.invitations import answer_by_link, make_place_links, place_link_token
from tournament.log.templatetags.audit import reason_words
from tournament.releases.models import PlaceAnswer

pytestmark = pytest.mark.django_db


@pytest.fixture
def stages(first_session: Session, organiser: User) -> tuple[Stage, Stage]:
    """Preliminary and final; four advance."""
    return invited(first_session, organiser)


def freeze(stages: tuple[Stage, Stage], by: User) -> None:
    """Who has not answered is struck."""
    seen = services.finalists_seen_digest(live_places(stages[0]))
    services.freeze_finalists(stages[1], seen=seen, strike=True, reason="Late.", by=by)


def thaw(stages: tuple[Stage, Stage], by: User) -> None:
    listed = Finalist.objects.values_list("entrant__number", flat=True)
    services.thaw_finalists(
        stages[1], seen=services.finalists_seen_digest(live_places(stages[0]), list(listed)), reason="One came.", by=by
    )


def test_silence_is_never_written_as_a_decline(stages: tuple[Stage, Stage], organiser: User) -> None:
    first, second, *_rest = holders(stages[0])
    link = next(one for one in make_place_links(stages[0], by=organiser) if one.entrant.number == second)
    answered(stages[0], organiser, first)
    freeze(stages, organiser)
    assert set(PlaceAnswer.objects.values_list("answer", flat=True)) == {"accepted", "struck"}
    said = AuditEntry.objects.filter(action="record_answer", subject=f"entrant {second:04d}").get()
    assert reason_words(said) == "沒有回覆，由大會剔除·Late."
    at = datetime_text(timezone.localtime(PlaceAnswer.objects.get(entrant__number=second).at))
    url = f"/place/{place_link_token(link)}/"
    told = squeezed(Client().get(url).content.decode())
    assert f"至 {at} 仍未收到你的回覆，由大會剔除。" in told
    listed = organisers_page(organiser)
    assert f"至 {at} 未有回覆，由大會剔除·Late." in listed
    assert altered_rows() == []


def organisers_page(organiser: User) -> str:
    client = Client()
    client.force_login(organiser)
    return squeezed(client.get("/desk/hk-2026/preliminary/places/").content.decode())


def test_who_was_struck_may_take_a_free_place_when_the_list_is_open_again(
    stages: tuple[Stage, Stage], organiser: User
) -> None:
    first, second, *_rest = holders(stages[0])
    link = next(one for one in make_place_links(stages[0], by=organiser) if one.entrant.number == second)
    answered(stages[0], organiser, first)
    freeze(stages, organiser)
    thaw(stages, organiser)
    assert invitation_page(link, timezone.now()).state == LinkState.STRUCK
    page = squeezed(Client().get(f"/place/{place_link_token(link)}/").content.decode())
    assert ("由大會剔除" in page, "我改為出席" in page, "我未能出席" in page) == (True, True, False)
    struck = PlaceAnswer.objects.get(entrant__number=second)
    assert answer_by_link(link, answer="accepted", seen=struck.pk).answer == "accepted"
    assert second in holders(stages[0])


def test_nobody_says_that_he_was_struck(stages: tuple[Stage, Stage], organiser: User) -> None:
    first = holders(stages[0])[0]
    link = next(one for one in make_place_links(stages[0], by=organiser) if one.entrant.number == first)
    sent = Client().post(f"/place/{place_link_token(link)}/", {"answer": "struck", "seen": "0"})
    client = Client()
    client.force_login(organiser)
    desk = client.post(
        f"/desk/hk-2026/preliminary/places/{first}/answer/", {"answer": "struck", "seen": "0", "reason": "x"}
    )
    assert (sent.status_code, desk.status_code, PlaceAnswer.objects.count()) == (400, 400, 0)
