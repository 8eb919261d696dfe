"""Words that end, in Chromium: what was told and is no more so is called so on the page where somebody looks next."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from tests.browser import window_of
from tests.day.weather_pages import day_of, event_with, observe
from tests.finalists.invited import holders, invited
from tests.mail.mails import mail_results
from tests.messages.mailed import enter
from tests.stages.deciding import decide
from tests.stages.podiums import LEADERS, level_final
from tournament.core.enums import DeliveryState
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.final import Invitation
from tournament.finalists.services import invitations
from tournament.messages.models import Delivery, Mailing, Notice
from tournament.publication.services.release import release_results
from tournament.weather.adapters import FeedEntry

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.django_db(transaction=True)]
FAMILIES, TAKEN = 6, 4
Window = Callable[[str], Page]


@pytest.fixture
def window(browser: Browser, live_server: Any) -> Window:
    """A desk in English, by the name of its account."""

    def opened(name: str) -> Page:
        page = window_of(browser, live_server.url, User.objects.get(username=name))
        page.context.add_cookies([{"name": "django_language", "value": "en", "url": live_server.url}])
        return page

    return opened


def rain(code: str, issued: datetime) -> FeedEntry:
    """What the feed lists of it."""
    return FeedEntry("WRAIN", code, "ISSUE", issued, issued)


def press(page: Page, name: str) -> None:
    """A button that leads on."""
    with page.expect_navigation():
        page.get_by_role("button", name=name, exact=True).click()


# --- The sky ----------------------------------------------------------------------------------------------
@pytest.fixture
def desk(live_server: Any) -> tuple[Event, str]:
    """A day whose deadline was five minutes ago, with some families; and its desk's address."""
    event = event_with("words-2026", timezone.now() + timedelta(minutes=115))
    enter(event, FAMILIES)
    return event, f"{live_server.url}/desk/{event.slug}"


def test_black_rain_after_an_amber_stops_the_day_though_an_older_black_was_entered_by_hand(
    desk: tuple[Event, str], window: Window
) -> None:
    (event, address), now, page = desk, timezone.now(), window("organiser")
    page.goto(f"{address}/weather/{day_of(event)}/signals/")
    page.select_option("select[name=code]", "WRAINB")
    issued = timezone.localtime(now - timedelta(hours=3))
    page.fill("input[name=issued_on]", f"{issued:%Y-%m-%d}")
    page.fill("input[name=issued]", f"{issued:%H:%M}")
    press(page, "Enter the signal")
    observe(event, now - timedelta(minutes=1), rain("WRAINA", now - timedelta(minutes=30)))
    page.goto(f"{address}/weather/{day_of(event)}/")
    expect(page.locator(".decision h2")).to_have_text("The rule says: going ahead")
    observe(event, timezone.now(), rain("WRAINB", now - timedelta(minutes=2)))
    page.reload()
    expect(page.locator(".decision h2")).to_have_text("The rule says: called off")
    expect(page.locator(".decision .sig.black")).to_contain_text("in force")
    press(page, "Confirm: called off")
    expect(page.locator(".decision h2")).to_have_text("Decided: called off")


def publish(page: Page, address: str, kind: str, day: str) -> Notice:
    """As it is filled in by the day's facts, with the typed count of its mails."""
    page.goto(f"{address}/notices/new/?kind={kind}&day={day}")
    press(page, "Keep the draft and look at it")
    notice = Notice.objects.order_by("pk").last()
    assert notice is not None
    page.goto(f"{address}/notices/{notice.pk}/publish/")
    page.check("input[name=mail]")
    page.fill("input[name=confirmed]", str(FAMILIES))
    press(page, "Publish the notice")
    notice.refresh_from_db()
    return notice


def test_called_off_twenty_seconds_after_going_ahead_ends_the_first_word_everywhere(
    desk: tuple[Event, str], window: Window
) -> None:
    (event, address), now, page = desk, timezone.now(), window("organiser")
    day = day_of(event)
    observe(event, now)
    page.goto(f"{address}/weather/{day}/")
    press(page, "Confirm: going ahead")
    first = publish(page, address, "going_ahead", day)
    mailing = Mailing.objects.get()
    hand_over(mailing, TAKEN)
    observe(event, timezone.now(), rain("WRAINB", timezone.now() - timedelta(seconds=1)))
    page.goto(f"{address}/weather/{day}/")
    page.locator(".override summary").click()
    page.fill("#decide-reason", "Black rain since a moment ago.")
    press(page, "Decide: called off")
    second = publish(page, address, "stopped", day)
    page.goto(f"{address}/mailings/{mailing.pk}/")
    expect(page.locator("#progress")).to_contain_text(f"{TAKEN} of {FAMILIES} had been sent")
    page.goto(f"{address}/notices/{first.pk}/")
    expect(page.locator("main")).to_contain_text("Replaced by")
    states = list(Delivery.objects.filter(mailing=mailing).order_by("pk").values_list("state", flat=True))
    assert states == [DeliveryState.SENT] * TAKEN + [DeliveryState.STOPPED] * (FAMILIES - TAKEN)
    assert (Delivery.objects.filter(mailing__notice=second).count(), second.number) == (FAMILIES, 2)


def hand_over(mailing: Mailing, count: int) -> None:
    """So many have been taken by the mail server."""
    rows = mailing.deliveries.order_by("pk").values_list("pk", flat=True)[:count]
    Delivery.objects.filter(pk__in=list(rows)).update(state=DeliveryState.SENT, sent_at=timezone.now(), tries=1)


# --- The release ------------------------------------------------------------------------------------------
@pytest.fixture
def released(first_session: Session, organiser: User) -> Stage:
    """Four advance of twelve, released; there is a final."""
    return invited(first_session, organiser)[0]


def test_a_release_withdrawn_in_mid_mailing_stops_what_is_left_and_says_who_was_reached(
    released: Stage, window: Window, live_server: Any, organiser: User
) -> None:
    mailing = mail_results(released.event, organiser)
    hand_over(mailing, TAKEN)
    page, address = window("organiser"), f"{live_server.url}/desk/hk-2026"
    page.goto(f"{address}/releases/1/")
    expect(page.locator("main")).to_contain_text(f"{TAKEN} of {mailing.count} have been sent.")
    page.fill("textarea[name=reason], input[name=reason]", "A sheet was read wrongly.")
    press(page, "Withdraw release no. 1")
    page.goto(f"{address}/mailings/{mailing.pk}/")
    expect(page.locator("#progress")).to_contain_text("Stopped")
    expect(page.locator("#progress")).to_contain_text(f"{TAKEN} of {mailing.count} had been sent")
    left = Delivery.objects.filter(mailing=mailing).exclude(state=DeliveryState.SENT)
    assert set(left.values_list("state", flat=True)) == {DeliveryState.STOPPED}
    page.goto(f"{live_server.url}/p/hk-2026/en/")
    expect(page.locator("main")).to_contain_text("No results are published at the moment")


def test_a_podium_decided_anew_after_its_release_stands_first_on_the_overview_until_it_is_released(
    first_session: Session, organiser: User, chief_judge: User, window: Window, live_server: Any
) -> None:
    final = level_final(first_session, organiser)
    given = {"tied": LEADERS, "places": 3, "method": "pick", "reason": "By the runs."}
    made = decide(final, "podium", chief_judge, order=LEADERS, **given)
    Event.objects.update(results_at=timezone.now())
    final.refresh_from_db()
    release_results(Stage.objects.select_related("event").get(pk=final.pk), by=organiser)
    page, address = window("organiser"), f"{live_server.url}/desk/hk-2026"
    page.goto(f"{address}/")
    expect(page.locator("main")).not_to_contain_text("What is released")
    decide(final, "podium", chief_judge, second=organiser, order=LEADERS[::-1], replaces=made.pk, **given)
    page.reload()
    expect(page.locator(".queue li").first).to_contain_text("the podium")
    page.goto(f"{address}/final/podium/")
    expect(page.locator("main")).to_contain_text("0003")


def test_a_reserve_who_is_called_is_told_by_name_and_a_place_that_was_offered_on_is_not_taken_back(
    released: Stage, window: Window, live_server: Any, organiser: User
) -> None:
    invitations.make_place_links(released, by=organiser)
    first = holders(released)[0]
    link = Invitation.objects.get(entrant__number=first)
    address = f"{live_server.url}/place/{invitations.place_link_token(link)}/"
    family, page = window("organiser"), window("organiser")
    answer(family, address, "I cannot come", "Yes, I give the place up")
    expect(family.locator("main")).to_contain_text("It has been offered to nobody else so far")
    called = next(number for number in holders(released) if not Invitation.objects.filter(entrant__number=number))
    page.goto(f"{live_server.url}/desk/hk-2026/")
    said = f"1 reserve was called: no mail with the link was taken, and no answer is recorded: {called:04d}."
    expect(page.locator("main")).to_contain_text(said)
    answer(family, address, "I will play after all", "Yes, I will play the final")
    assert called not in holders(released)
    answer(family, address, "I cannot come after all", "Yes, I give the place up")
    invitations.make_place_links(released, by=organiser)
    family.goto(address)
    expect(family.locator("main")).to_contain_text("The place that was yours is offered to a reserve")
    expect(family.get_by_role("button", name="I will play after all")).to_have_count(0)
    theirs = Invitation.objects.get(entrant__number=called, revoked_at=None)
    family.goto(f"{live_server.url}/place/{invitations.place_link_token(theirs)}/")
    expect(family.locator("main")).to_contain_text("it is yours once you accept")


def answer(page: Page, address: str, choice: str, sure: str) -> None:
    """Two presses, as on a phone."""
    page.goto(address)
    press(page, choice)
    press(page, sure)
