"""A session led to each stage of its life, and how an act is sent there: by its page, the API or a tablet."""

import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import resolve, reverse
from django.utils import timezone

from tests.api.caller import EVENT, Caller
from tests.sheets.correcting import locked
from tests.sheets.sheets import add_entrants
from tests.sheets.tables import paper, settle
from tests.tablets.tablet_caller import MADE_AT, TABLET, Tablet
from tournament.api import services
from tournament.audit.models import AuditEntry
from tournament.core.enums import LifeStage, SheetForm
from tournament.core.errors import Refused
from tournament.core.models.stage import Session
from tournament.devices.models.device import Device, DeviceTable, Unlock
from tournament.entrants.models.people import Entrant
from tournament.publication.services.release import judge_release
from tournament.releases.models import Release
from tournament.seating.services import print
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.services import clock, scoresheets, signing
from tournament.tables.models import Draw, Table
from tournament.weather.services import postponing
from tournament.weather.services.postponing_replay import replay_session


class People:
    """Who acts: one account with every right of the desk; beside it a typist, another with every right, a referee."""

    def __init__(self, desk: User, typist: User, other: User, referee: User) -> None:
        self.desk, self.typist, self.other, self.referee = desk, typist, other, referee


# --- The stages -----------------------------------------------------------------------------------------
Name = TypeVar("Name")
Lead = Callable[[Session, People], None]


def planned(session: Session, people: People) -> None:
    add_entrants(session, range(301, 305))


def seated(session: Session, people: People) -> None:
    settle(session, people.desk)


def printed(session: Session, people: People) -> None:
    seated(session, people)
    print.print_session(session, by=people.desk)


def held(session: Session, people: People) -> None:
    seated(session, people)
    postponing.hold_sessions([session], reason="rain", by=people.desk)


def table_of(session: Session) -> Table:
    found = queries.find_table_of_event(session.stage.event, session.number, 1)
    assert found is not None
    return found


def begun(session: Session, people: People) -> None:
    """The first sheet is typed; nobody has pressed the clock."""
    printed(session, people)
    draft = {"revision": 0, "form": SheetForm.PAPER, "typed": paper(), "request_key": "first"}
    scoresheets.save_scoresheet(table_of(session), **draft, by=people.typist)


def broken_off(session: Session, people: People) -> None:
    seated(session, people)
    for kind in ("start", "suspend"):
        clock.move_session(session, kind, by=people.desk, request_key=kind)


def stamped(session: Session, people: People) -> None:
    printed(session, people)
    locked(session, 1, people.typist, people.desk, paper())
    signing.stamp_session(session, by=people.desk)


def released(session: Session, people: People) -> None:
    stamped(session, people)
    live = judge_release(session.stage, timezone.now())
    facts = {"content": live.content, "sheets": list(live.sheets), "audit_seq": 0, "audit_hash": "", "digest": "0"}
    Release.objects.create(stage=session.stage, number=1, released_by=people.desk, released_at=timezone.now(), **facts)


def postponed(session: Session, people: People) -> None:
    seated(session, people)
    postponing.postpone_sessions([session], reason="typhoon", by=people.desk)


def void(session: Session, people: People) -> None:
    broken_off(session, people)
    replay_session(session, reason="typhoon", by=people.desk)


LEADS: dict[LifeStage, Lead] = {
    LifeStage.PLANNED: planned,
    LifeStage.SEATED: seated,
    LifeStage.PRINTED: printed,
    LifeStage.HELD: held,
    LifeStage.BEGUN: begun,
    LifeStage.BROKEN_OFF: broken_off,
    LifeStage.STAMPED: stamped,
    LifeStage.RELEASED: released,
    LifeStage.POSTPONED: postponed,
    LifeStage.VOID: void,
}


# --- The acts -------------------------------------------------------------------------------------------
class World:
    """What an act is sent with: the revisions that its author has seen, as they stand. `asked` is every address."""

    def __init__(self, session: Session, people: People) -> None:
        self.session, self.event = session, session.stage.event
        self.page = Client(headers={"Accept-Language": "en"})
        self.page.force_login(people.desk)
        self.people = people
        self.program = Caller(people.desk)
        self.asked: set[str] = set()

    @property
    def draw(self) -> int:
        return Draw.objects.filter(session=self.session).values_list("revision", flat=True).first() or 0

    @property
    def table(self) -> Table:
        return Table.objects.select_related("session__stage__event").get(session=self.session, number=1)

    @property
    def has_table(self) -> bool:
        return Table.objects.filter(session=self.session, number=1).exists()

    @property
    def newest(self) -> int:
        """Of the version in hand, where one supersedes the sheet that counts."""
        rows = Scoresheet.objects.filter(table__session=self.session, table__number=1).order_by("-version")
        return rows.values_list("revision", flat=True).first() or 0

    @property
    def sheet(self) -> int:
        table = queries.find_table_of_event(self.event, 1, 1)
        found = queries.current_sheet(table) if table else None
        return found.revision if found else 0

    @property
    def person(self) -> Entrant:
        return Entrant.objects.select_related("person", "session").get(number=301)

    @property
    def entrant(self) -> int:
        return self.person.revision

    @contextmanager
    def tried(self) -> Iterator[None]:
        """Whatever comes of it is undone."""
        with transaction.atomic():
            yield
            transaction.set_rollback(True)

    def told(self, answer: HttpResponse, before: int, code: str) -> str:
        """The status, the code of a refusal, and whether the log has grown by the act."""
        done = "done" if AuditEntry.objects.count() > before else "" if code else "nothing"
        return " ".join(part for part in (str(answer.status_code), code, done) if part)

    def post(self, name: str, *args: Any, **sent: Any) -> str:
        """Does it by its page; answers as `told` does."""
        self.asked.add(name)
        with self.tried():
            before = AuditEntry.objects.count()
            address = reverse(name, args=["hk-2026", *args])
            answer = self.page.post(address, {"request_key": "life", **sent})
            refusal = answer.context.get("refusal") if answer.context else None
            return self.told(answer, before, getattr(refusal, "code", ""))

    def send(self, path: str, body: Any = None, seen: int | None = None, method: str = "POST") -> str:
        """Does it by the API; answers as `told` does."""
        self.asked.add(str(resolve(EVENT + path).url_name))
        with self.tried():
            before = AuditEntry.objects.count()
            answer = self.program.change(path, body, seen=seen, method=method)
            return self.told(answer, before, answer.json()["code"] if answer.status_code >= 400 else "")

    def tablet(self, act: str, seen: int | None = None, **body: Any) -> str:
        """By the tablet of its first table, which was paired and opened while the session was still to come."""
        path = f"tables/1/{act}/"
        self.asked.add(str(resolve(TABLET + path).url_name))
        with self.tried():
            tablet, before = self.paired(), AuditEntry.objects.count()
            said = {"referee": self.people.referee.pk, "made_at": MADE_AT} if act != "hand-out" else {}
            answer = tablet.post(path, {**said, **body}, seen=seen)
            return self.told(answer, before, answer.json()["code"] if answer.status_code >= 400 else "")

    def paired(self) -> Tablet:
        """Its cookie, and its row as pairing and PIN have left it."""
        by, now, token, tablet = self.people.referee, timezone.now(), secrets.token_hex(16), Tablet()
        until = {"paired_at": now, "expires_at": now + timedelta(hours=2)}
        whose = {"referee": by, "opened_by": by, "paired_by": by, "digest": services.api_token_digest(token)}
        device = Device.objects.create(event=self.event, session=self.session, number=1, **whose, **until)
        for table in Table.objects.filter(session=self.session, number=1):
            DeviceTable.objects.create(device=device, table=table)
        Unlock.objects.create(device=device, referee=by, at=now)
        tablet.client.cookies["tablet"] = token
        return tablet


Send = Callable[[World], str]
Step = Callable[[World], Any]


@dataclass(frozen=True)
class Act:
    """How it is sent, and what is done just before; a step that a stage refuses leaves it at what stands there."""

    send: Send
    steps: tuple[Step, ...] = ()


def after(*steps: Step, then: Send) -> Act:
    """An act upon these steps."""
    return Act(then, steps)


def acts_of(told: Mapping[str, Act | Send]) -> dict[str, Act]:
    """Those that need no step before them are given as they are sent."""
    return {name: one if isinstance(one, Act) else Act(one) for name, one in told.items()}


def answers(world: World, acts: Mapping[Name, Act], done: int = 0) -> dict[Name, str]:
    """What each act answers on the same stage, undone after it; steps that acts have in common are done once."""
    told = {name: act.send(world) for name, act in acts.items() if len(act.steps) == done}
    for step in dict.fromkeys(act.steps[done] for act in acts.values() if len(act.steps) > done):
        with world.tried():
            with suppress(Refused, Table.DoesNotExist), transaction.atomic():
                step(world)
            told |= answers(
                world, {name: act for name, act in acts.items() if act.steps[done : done + 1] == (step,)}, done + 1
            )
    return told
