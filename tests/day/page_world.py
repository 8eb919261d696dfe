"""Every page that somebody reads, each with something on it: an event that is over beside one in the middle."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.urls import reverse

from tests.conftest import event_data
from tests.core.test_permissions_matrix import MATRIX, ROLES, addresses, client_of, make_world, parts_of, values
from tests.day.postponed_pages import of_the_postponed
from tests.day.weather_pages import of_the_sky
from tests.mail.mails import give_addresses
from tests.mail.noticed import three_told
from tests.sheets.correcting import handed_on, slipped, typed_anew
from tests.sheets.tables import changed, paper, settle
from tests.stages.deciding import decide, game
from tests.stages.podiums import LEADERS, level_final, make_families_level
from tests.tablets.tablet_caller import give_tables
from tournament.accounts.models import Proposal
from tournament.accounts.services import accounts
from tournament.core.enums import DeliveryState, MailingKind, SessionState, SheetForm, StageKind
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.demo.accounts import DEMO_ACCOUNTS
from tournament.demo.desk import DemoPeople
from tournament.demo.final import finish_final
from tournament.devices.services.acting import ActingAccount
from tournament.entrants.models.importing import EntrantFile
from tournament.entrants.models.people import Entrant
from tournament.mail.domain.recipients import recipients_of_seats
from tournament.messages.models import Mailing, Notice
from tournament.messages.services import mailings
from tournament.publication.services.files import write_public_files
from tournament.registration.services import importing
from tournament.releases.models import Release
from tournament.setup.services import later_stage, setup
from tournament.sheets.services import double_entry, scoresheets, signing_disputes
from tournament.tables.models import Table
from tournament.tablets.services import conduct

IN_THE_MIDDLE, CONTESTED = "other-2026", "level-2026"
# A workbook's rows with what a clerk meets: nothing, a birth date that is none, a session that is none.
ROWS = """number,name_zh,name_en,birth_date,session,consent_name,fee
0401,陳大文,CHAN Tai Man,2015-05-05,3月28日第一場,Y,paid
0402,李小明,LEE Siu Ming,2015-15-05,3月28日第一場,Y,paid
0403,黃一心,WONG Yat Sum,2014-04-04,13月1日第九場,Y,paid
"""
# Tables of the session in the middle, by what has become of their sheets.
NOT_RECEIVED, DRAFT, TO_CHECK, DIFFERING, DISPUTED, VOIDING = range(1, 7)
SHEET_PAGES = ("scoresheet", "check_scoresheet", "type_scoresheet_again", "dispute", "correction")


# Pages with an address for each language; the English one is the other's with `en/` behind it.
LANGUAGE_IN_ADDRESS, ENGLISH_ALONE = {"public", "hall"}, {"hall_english"}


class Seen(NamedTuple):
    """A page as one person has it."""

    who: str
    name: str
    address: str

    def in_language(self, language: str) -> str:
        """Its address: the public's pages have one for each language, all others one for both."""
        return f"{self.address}en/" if self.name in LANGUAGE_IN_ADDRESS and language == "en" else self.address


def make_pages(folder: Path) -> list[Seen]:
    """The two events and the pages of both."""
    event = make_world(folder)
    middle = Event.objects.get(slug=IN_THE_MIDDLE)
    given = values(event)
    correct(event)
    award(event)
    three_told(event, User.objects.get(username="organiser"))
    begin(middle)
    announce(middle)
    write_public_files(middle)
    contest()
    pages = [*of_the_desk(event, given), *of_the_middle(middle), *of_the_contest(), *of_the_public()]
    pages += [Seen(*one) for one in (*of_the_sky(), *of_the_postponed())]
    return [one for one in dict.fromkeys(pages) if one.name not in ENGLISH_ALONE]


def correct(event: Event) -> None:
    """A correction is proposed at the second table of the event that is over."""
    people = {name: User.objects.get(username=name) for name in ("organiser", "clerk")}
    table = Table.objects.select_related("session__stage__event").get(
        session__stage__event=event, session__number=1, number=2
    )
    typed_anew(table, people["organiser"], people["clerk"])


def award(event: Event) -> None:
    """The final is played in three rounds, its winners are released."""
    people = DemoPeople(*(User.objects.get(username=name) for name in ("organiser", "clerk", "clerk2", "judge")))
    finish_final(event, 2, people)


def announce(event: Event) -> None:
    """A final of three rounds whose date is to be announced."""
    organiser = User.objects.get(username="organiser")
    event.refresh_from_db()
    later_stage.set_up_stage(event, revision=event.revision, plan=later_stage.StagePlan("hk-2026", 3), by=organiser)


def begin(event: Event) -> None:
    """A session being played: sheets in every state, a call, a file with faults."""
    people = {
        one.username: accounts.create_account(event, one.username, one.password, one.name, [one.role])
        for one in DEMO_ACCOUNTS
    }
    session = Session.objects.select_related("stage__event").get(stage__event=event, number=1)
    tables = dict(enumerate(settle(session, people["organiser"], [4] * VOIDING), start=1))
    Session.objects.filter(pk=session.pk).update(state=SessionState.PLAYING)
    give_tables(session, people["referee01"], (1, 2))
    double_entry.set_double_entry_percent(session.stage, percent=100, by=people["organiser"])
    session.stage.refresh_from_db()
    content = changed(paper(), 1, "A", points="-41")
    scoresheets.save_scoresheet(
        tables[DRAFT], revision=0, form=SheetForm.PAPER, typed=content, by=people["clerk"], request_key="middle-draft"
    )
    for number in (TO_CHECK, DIFFERING, DISPUTED, VOIDING):
        sheet = handed_on(tables[number], paper(), people["clerk"])
        if number in (TO_CHECK, DIFFERING):
            again = slipped() if number == DIFFERING else paper()
            second = {"typed": again, "done": True, "by": people["clerk2"], "request_key": f"middle-again-{number}"}
            double_entry.save_second_entry(tables[number], revision=0, **second)
        if number == DISPUTED:
            about = {"revision": sheet.revision, "reason": "B 說第 2 局的剩牌是 12 分"}
            signing_disputes.raise_dispute(tables[number], **about, by=people["judge"], request_key="middle-dispute")
        if number == VOIDING:
            about = {"revision": sheet.revision, "reason": "紙上兩人的名字對調了"}
            signing_disputes.propose_void(tables[number], **about, by=people["judge"], request_key="middle-void")
    conduct.call_judge(tables[1], reason="牌架數目有爭議", acting=ActingAccount(people["clerk"], "middle-call"))
    importing.read_file(event, name="新增.csv", content=ROWS.encode(), by=people["clerk"])
    mail_seats(session, people["organiser"])


def mail_seats(session: Session, by: User) -> None:
    """Its seats are mailed: one mail failed, then it was paused."""
    give_addresses(session.stage.event)
    found, subject = recipients_of_seats(session).found, f"session {session.code}"
    made = mailings.start_mailing(session.stage.event, MailingKind.SEATS, subject, found, confirmed=len(found), by=by)
    row = made.deliveries.order_by("pk")[0]
    answer = f"550 5.1.1 <{row.address}>: user unknown"
    made.deliveries.filter(pk=row.pk).update(state=DeliveryState.FAILED, tries=1, answer=answer)
    mailings.pause_mailing(made, by=by)


def contest() -> None:
    """A third event, whose final left equals on the podium and for the award."""
    event = setup.create_event(event_data() | {"slug": CONTESTED})
    for one in DEMO_ACCOUNTS:
        accounts.create_account(event, one.username, one.password, one.name, [one.role])
    session = Session.objects.select_related("stage__event").get(stage__event=event, number=1)
    final = level_final(session, User.objects.get(username="organiser"))
    make_families_level(event)
    played = {"method": "play_off", "games": [game((1, 1, "+20", 0), (2, 0, "-20", 3))], "reason": "One game."}
    decide(final, "podium", User.objects.get(username="judge"), tied=LEADERS, places=3, **played)


def offered(name: str) -> list[str]:
    """Who reads it: its first reader, the first who may act there; of the overview each role, whose own it shows."""
    row = MATRIX[name]
    if "all" in row:
        return ["anonymous"] if row["all"]["GET"] == 200 else ["organiser"] if "signed_in" in row else []
    if "of_no_event" in row:
        return ["organiser"]
    readers, actors = row.get("GET", "").split(), row.get("POST", "").split()
    if name == "overview":
        return [*ROLES]
    return list(dict.fromkeys([*readers[:1], *[who for who in actors if who in readers][:1]]))


def is_page(response: HttpResponse) -> bool:
    """A whole page for people: neither a file, nor a fragment, nor another address."""
    html = response.headers.get("Content-Type", "").startswith("text/html")
    return response.status_code == 200 and html and b"<html" in response.content


def of_the_desk(event: Event, given: dict[str, Any]) -> Iterator[Seen]:
    """Every address of the resolver that answers a page, at the event that is over."""
    clients = {who: client_of(who) for who in (*ROLES, "anonymous")}
    for name, parameters in addresses():
        address = reverse(name, kwargs=parts_of(name, parameters, given))
        for who in offered(name):
            if is_page(clients[who].get(address)):
                yield Seen(who, name, address)
    for name in ("scoresheet", "correction"):
        for who in ("organiser", "chief_judge"):
            yield Seen(who, name, reverse(name, args=[event.slug, 1, 2]))
    first = event.stages.get(kind=StageKind.FINAL).sessions.order_by("number")[0].number
    finalist = Entrant.objects.filter(qualified__isnull=False).order_by("number")[0].number
    for name, arguments in (
        ("standing", [StageKind.FINAL, finalist]),
        ("release_page", [2]),
        ("session_seating", [first]),
        ("session_scoresheets", [first]),
        ("scoresheet", [first, 1]),
    ):
        yield Seen("organiser", name, reverse(name, args=[event.slug, *arguments]))
    for row in Notice.objects.filter(event=event).order_by("pk"):
        yield Seen("organiser", "notice", reverse("notice", args=[event.slug, row.pk]))
        yield Seen("organiser", "notice_preview", reverse("notice_preview", args=[event.slug, row.pk]) + "?as=mail")
    yield Seen("organiser", "new_notice", reverse("new_notice", args=[event.slug]) + "?kind=pending&day=2026-03-28")
    yield Seen("organiser", "notices", reverse("notices", args=[IN_THE_MIDDLE]))
    yield from of_the_mail(event)
    yield Seen("organiser", "not_found", f"/desk/{event.slug}/nothing/")


def of_the_middle(event: Event) -> Iterator[Seen]:
    """The pages of a session that is being played, and the file of entrants that has faults."""
    clients = {who: client_of(who) for who in ROLES}
    asked: list[tuple[str, list[Any]]] = [(name, [1, number]) for number in range(1, 7) for name in SHEET_PAGES]
    asked += [(name, [1]) for name in ("session_scoresheets", "session_clock", "session_seating", "seating_list")]
    asked += [(name, []) for name in ("overview", "scoresheets", "clocks", "judge_queue", "set_up")]
    asked += [("standings", [StageKind.PRELIMINARY])]
    asked += [(name, []) for name in ("final", "change_final", "change_final_rules", "change_final_sessions")]
    asked += [("import_preview", [file.pk]) for file in EntrantFile.objects.filter(event=event, name="新增.csv")]
    for name, arguments in asked:
        for who in offered(name)[:2]:
            address = reverse(name, args=[event.slug, *arguments])
            if is_page(clients[who].get(address)):
                yield Seen(who, name, address)


def of_the_mail(event: Event) -> Iterator[Seen]:
    """Mailings: none yet, one that is paused and has failures, seats that cannot be mailed yet."""
    paused = Mailing.objects.get(event__slug=IN_THE_MIDDLE)
    for who in ("organiser", "auditor"):
        yield Seen(who, "mailing", reverse("mailing", args=[IN_THE_MIDDLE, paused.pk]))
    yield Seen("organiser", "mailings", reverse("mailings", args=[CONTESTED]))
    yield Seen("organiser", "mail_seats", reverse("mail_seats", args=[IN_THE_MIDDLE, 2]))


def of_the_contest() -> Iterator[Seen]:
    """Where the chief judge parts equals, and where others read of it."""
    for name in ("podium", "award"):
        for who in offered(name):
            yield Seen(who, name, reverse(name, args=[CONTESTED, StageKind.FINAL]))
    for name in ("play_off", "lots"):
        yield Seen(
            "chief_judge", name, f"{reverse(name, args=[CONTESTED, 'final', 'podium'])}?tied={'+'.join(LEADERS)}"
        )
    waiting = Proposal.objects.get(event__slug=CONTESTED)
    for who in offered("decision_proposal"):
        yield Seen(who, "decision_proposal", reverse("decision_proposal", args=[CONTESTED, waiting.pk]))


def of_the_public() -> Iterator[Seen]:
    """The files for everybody, one of each kind."""
    champion = Release.objects.get(stage__kind=StageKind.FINAL).content["ranking"][0]["number"]
    folders = ("", "hk-2026/", "hk-2026/1/", "hk-2026/1/0001/", "hk-2026/2/", "hk-2026/2/winners/")
    folders += ("hk-2026/notices/", "hk-2026/notices/1/", "hk-2026/notices/2/", "other-2026/notices/")
    for folder in (*folders, f"hk-2026/2/{champion:04d}/"):
        yield Seen("everybody", "public", f"/p/{folder}")
