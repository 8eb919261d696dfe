"""Random legal histories: whoever works at an event does whatever the services let them, in any order.

After each of them nothing has been altered, so that a verifier that finds something has raised a false alarm.
"""

from collections import Counter
from random import Random
from typing import Any

from django.contrib.auth.models import User

from tests.conftest import event_data
from tests.mail.noticed import three_told
from tests.recorded import recorded
from tests.reliability import histories_postponing as moved
from tests.reliability.histories_disputes import ACTS as DISPUTED
from tests.reliability.histories_disputes import DisputeActs
from tests.reliability.histories_mailings import ACTS as MAILED
from tests.reliability.histories_mailings import MailingActs, some_mailed
from tests.reliability.histories_notices import ACTS as TOLD
from tests.reliability.histories_notices import NoticeActs
from tests.reliability.histories_people import PeopleActs, make_waiting
from tests.reliability.histories_ranking import RankingActs
from tests.reliability.histories_tables import ACTS as AT_TABLES
from tests.reliability.histories_tables import TableActs, make_referee
from tests.reliability.histories_weather import ACTS as OBSERVED
from tests.reliability.histories_weather import WeatherActs, one_morning
from tests.sheets.correcting import confirmed, crossing, slipped
from tests.sheets.drawing import drawn, packed, racks, tablet_at
from tests.sheets.tables import paper, settle
from tournament.accounts.services import accounts
from tournament.core import acts
from tournament.core.enums import EntrantStatus, Role, SheetForm, SheetState
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant
from tournament.registration.services import changes
from tournament.scoresheets.services import corrections
from tournament.seating.services import print
from tournament.setup.services import setup
from tournament.sheets.domain.fields import fields_of_typed_sheet
from tournament.sheets.domain.scoresheets import empty_typed_sheet, signing_letters
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.services import double_entry, registration, scoresheets, signing, signing_disputes
from tournament.tables.models import Table
from tournament.tablets.services import sheets

PASSWORD = "a long enough password"
ROLES = {
    "organiser": Role.ORGANISER,
    "organiser2": Role.ORGANISER,
    "judge": Role.CHIEF_JUDGE,
    "clerk": Role.CLERK,
    "clerk2": Role.CLERK,
    "clerk3": Role.CLERK,
}
STEPS = 45


def make_event(tables: int = 3) -> Event:
    """One session with three tables of four whose seats are confirmed; its day is over."""
    data = event_data()
    data["results_at"] = "2020-01-01T10:00:00+08:00"
    [stage, *_others] = data["stages"]
    data["stages"] = [{**stage, "advance": 4, "sessions": stage["sessions"][:2]}]
    event = setup.create_event(data)
    people = {name: accounts.create_account(event, name, PASSWORD, name, [role]) for name, role in ROLES.items()}
    settle(first_session(event), people["organiser"], sizes=(4,) * tables)
    with recorded(event):
        make_waiting(event)
        make_referee(event, PASSWORD)
    return event


def first_session(event: Event) -> Session:
    """The one that is played."""
    return Session.objects.select_related("stage__event").filter(stage__event=event).order_by("number")[0]


class History(
    DisputeActs,
    PeopleActs,
    RankingActs,
    TableActs,
    NoticeActs,
    MailingActs,
    WeatherActs,
    moved.PostponingActs,
):
    """One seeded history: `counts` has what was done, by the name of the act; what is refused is not done."""

    def __init__(self, event: Event, seed: int) -> None:
        self.random, self.seed, self.counts = Random(seed), seed, Counter[str]()
        self.people = {name: User.objects.get(username=name) for name in ROLES}
        self.session = first_session(event)
        self.stage = self.session.stage
        self.made = 0

    def run(self, steps: int = STEPS) -> Counter[str]:
        """So many acts, in any order."""
        for _step in range(steps):
            self.act(self.random.choice(ACTS))
        return self.counts

    def act(self, name: str) -> None:
        try:
            getattr(self, name)(self.table())
            self.counts[name] += 1
        except Refused:
            self.counts["refused"] += 1

    def table(self) -> Table:
        """One of the tables, as the pages load it."""
        found = queries.find_table_of_event(self.stage.event, self.session.number, self.random.randint(1, 3))
        assert found is not None
        return found

    def anybody(self, *names: str) -> User:
        """One of these accounts, or of all."""
        return self.people[self.random.choice(names or list(ROLES))]

    def key(self) -> str:
        self.made += 1
        return f"history-{self.seed}-{self.made}"

    def given(self, table: Table) -> dict[str, Any]:
        """Revision, account and key for an act on a table's sheet."""
        sheet = queries.current_sheet(table) or scoresheets.newest_version(table)
        return {"revision": sheet.revision if sheet else 0, "by": self.anybody(), "request_key": self.key()}

    def texts(self) -> dict[str, Any]:
        """The paper, the paper with its slip, or next to nothing."""
        return self.random.choice([paper(), slipped()])

    def again(self, table: Table) -> Table:
        """The same table, read anew."""
        found = queries.find_table_of_event(self.stage.event, self.session.number, table.number)
        assert found is not None
        return found

    def newest(self, table: Table) -> Scoresheet:
        found = scoresheets.newest_version(table)
        assert found is not None
        return found

    def hand_on(self, table: Table, typed: Any, revision: int = 0) -> None:
        """Typed by the clerk for the second person."""
        given = {"revision": revision, "by": self.people["clerk"], "request_key": self.key()}
        notes = confirmed(self.again(table), typed)
        scoresheets.submit_scoresheet(
            self.again(table), form=SheetForm.PAPER, typed=typed, confirmations=notes, **given
        )

    # --- Typing and signing -----------------------------------------------------------------------------
    def save(self, table: Table) -> None:
        typed = self.random.choice([empty_typed_sheet(3), self.texts()])
        scoresheets.save_scoresheet(table, form=SheetForm.PAPER, typed=typed, **self.given(table))

    def submit(self, table: Table) -> None:
        typed = self.texts()
        notes = confirmed(table, typed)
        scoresheets.submit_scoresheet(
            table, form=SheetForm.PAPER, typed=typed, confirmations=notes, **self.given(table)
        )

    def reopen(self, table: Table) -> None:
        sheet = scoresheets.newest_version(table)
        given = self.given(table)
        scoresheets.reopen_scoresheet(table, **{**given, "by": (sheet and sheet.typed_by) or given["by"]})

    def reject(self, table: Table) -> None:
        signing.reject_scoresheet(table, reason="look at game 2 again", **self.given(table))

    def certify(self, table: Table) -> None:
        signed = dict.fromkeys(signing_letters(queries.seats_as_judged(table)), "")
        given = self.given(table)
        if signed and self.random.random() < 0.3:
            signed[self.random.choice(sorted(signed))] = "left before signing"
            given["by"] = self.people["judge"]
        signing.certify_scoresheet(table, signatures=signed, **given)

    def stamp(self, table: Table) -> None:
        signing.stamp_session(self.session, by=self.people["organiser"])

    def finish(self, table: Table) -> None:
        """Type and certify what is still open, then stamp all of it."""
        for number in (1, 2, 3):
            found = queries.find_table_of_event(self.stage.event, self.session.number, number)
            assert found is not None
            sheet = scoresheets.newest_version(found)
            if sheet is None or sheet.state in (SheetState.OPEN, SheetState.DRAFT):
                typed = self.texts()
                given = {"revision": sheet.revision if sheet else 0, "by": self.people["clerk"]}
                notes = confirmed(found, typed)
                sheet = scoresheets.submit_scoresheet(
                    found, form=SheetForm.PAPER, typed=typed, confirmations=notes, request_key=self.key(), **given
                )
            if sheet.state == SheetState.READY and sheet.version == 1:
                signed = dict.fromkeys(signing_letters(queries.seats_as_judged(found)), "")
                given = {"revision": sheet.revision, "by": self.people["clerk3"], "request_key": self.key()}
                signing.certify_scoresheet(found, signatures=signed, **given)
        signing.stamp_session(self.session, by=self.people["organiser"])

    # --- On a tablet ------------------------------------------------------------------------------------
    def package(self, table: Table) -> None:
        by, letters = self.people["clerk"], signing_letters(queries.seats_as_judged(table))
        revision = self.given(table)["revision"]
        packed(table, tablet_at(table, by), by, revision=revision, letters="".join(letters), key=self.key())

    def sign(self, table: Table) -> None:
        """Entered and handed on where it is not, then some of the seats."""
        by, device = self.people["clerk"], tablet_at(table, self.people["clerk"])
        sheet = scoresheets.newest_version(table)
        if sheet is None or acts.ACTS["save_scoresheet"].allows(sheet.state):
            values = {"typed": racks(), "confirmations": {}, "request_key": self.key()}
            sheet = sheets.save_tablet_sheet(table, revision=sheet.revision if sheet else 0, by=by, **values)
            notes = {"confirmations": {}, "request_key": self.key()}
            sheet = scoresheets.hand_in_scoresheet(table, revision=sheet.revision, by=by, **notes)
        for letter in self.random.sample("ABCD", 2):
            seen = {"revision": sheet.revision, "digest": sheet.digest, "by": by, "request_key": self.key()}
            sheets.sign_tablet_sheet(table, device=device, drawn=drawn(letter), **seen)

    # --- Second typing, dispute, void -------------------------------------------------------------------
    def ask_second_typing(self, table: Table) -> None:
        percent = self.random.choice([0, 50, 100])
        double_entry.set_double_entry_percent(self.stage, percent=percent, by=self.people["organiser"])
        self.stage.refresh_from_db()

    def type_again(self, table: Table) -> None:
        sheet = scoresheets.newest_version(table)
        second = queries.double_entry_of(sheet) if sheet else None
        given = {**self.given(table), "revision": second.revision if second else 0}
        double_entry.save_second_entry(table, typed=self.texts(), done=self.random.random() < 0.7, **given)

    def settle(self, table: Table) -> None:
        sheet = scoresheets.newest_version(table)
        if sheet is None:
            return
        cells = double_entry.double_entry_status(table, sheet).cells
        right = fields_of_typed_sheet(self.texts())
        choices = {cell: right.get(cell, "") for cell in cells}
        notes = {**confirmed(table, paper()), **confirmed(table, slipped())}
        double_entry.adjudicate_double_entry(table, choices=choices, confirmations=notes, **self.given(table))

    # --- Corrections ------------------------------------------------------------------------------------
    def correct(self, table: Table) -> None:
        """Begin one, and now and then type it and hand it on."""
        begun = corrections.begin_correction(
            table, reason="game 1 was won by A", by=self.people["clerk"], request_key=self.key()
        )
        counts = queries.official_sheet(table)
        typed = paper() if counts and counts.typed != paper() else slipped()
        given = {"revision": begun.revision, "by": self.anybody("clerk", "clerk2"), "request_key": self.key()}
        notes = confirmed(table, typed)
        scoresheets.submit_scoresheet(table, form=SheetForm.PAPER, typed=typed, confirmations=notes, **given)

    def agree(self, table: Table) -> None:
        """Propose it, or approve what the other has proposed."""
        sheet = scoresheets.newest_version(table)
        if sheet is None or sheet.version == 1:
            return
        who = {"crossing": crossing(table, sheet), "revision": sheet.revision}
        corrections.propose_correction(table, by=self.people["judge"], request_key=self.key(), **who)
        if self.random.random() < 0.8:
            corrections.approve_correction(table, by=self.people["organiser"], request_key=self.key(), **who)

    def give_up(self, table: Table) -> None:
        sheet = scoresheets.newest_version(table)
        given = {"revision": sheet.revision if sheet else 0, "by": self.people["judge"], "request_key": self.key()}
        corrections.abandon_correction(table, reason="it was right", **given)

    # --- Entrants ---------------------------------------------------------------------------------------
    def entrant(self, table: Table) -> Entrant:
        return self.random.choice([seat.entrant for seat in table.seats.select_related("entrant__person")])

    def absence(self, table: Table) -> None:
        status = self.random.choice([EntrantStatus.FORFEITED, EntrantStatus.WITHDRAWN, EntrantStatus.DISQUALIFIED])
        registration.record_absence(self.entrant(table), status=status, reason="was not there", by=self.people["judge"])

    def readmit(self, table: Table) -> None:
        for entrant in Entrant.objects.filter(event=self.stage.event).exclude(status=EntrantStatus.OK)[:2]:
            registration.readmit_entrant(entrant, reason="came after all", by=self.people["judge"])

    def correct_person(self, table: Table) -> None:
        entrant = self.entrant(table)
        cells = {"school": self.random.choice(["A", "B", "C"])}
        changes.change_person(entrant, revision=entrant.revision, cells=cells, by=self.people["organiser"])

    def print(self, table: Table) -> None:
        print.print_session(
            self.session, by=self.people["organiser"], tables=[table.number], again=True, request_key=self.key()
        )


# Each as often as it needs to be met: a sheet is typed and certified more often than a release is withdrawn.
OFTEN = (
    "submit",
    "submit",
    "submit",
    "certify",
    "certify",
    "finish",
    "correct",
    "agree",
    "type_again",
    "release",
    "release",
    "release",
)
SELDOM = (
    *("package", "sign", "sign", "move_entrant", "join_family", "join_family", "part_family", "change_role"),
    *("save", "reopen", "reopen", "reject", "stamp", "ask_second_typing", "settle"),
    *("give_up", "give_up", "absence", "readmit", "correct_person", "print", "decide_tie"),
    *("withdraw", "answer", "invite", "fix_list"),
)
ACTS = (*OFTEN, *SELDOM, *DISPUTED, *AT_TABLES, *TOLD, *MAILED, *OBSERVED, *moved.ACTS)


def make_conduct() -> Event:
    """An event with each kind of record that conduct leaves: what happens at a table and with its tablets, a second
    typing and its third look, a dispute taken back and one decided, a void sheet, a correction, papers, a tie, a
    release and an answer, private links and a list of finalists, a morning of black rain, moved sessions, which end
    mailings, and mailings."""
    event = make_event(tables=4)
    history = History(event, 1)
    people = history.people
    fourth = queries.find_table_of_event(event, history.session.number, 4)
    assert fourth is not None
    history.sign(fourth)
    sheets.reopen_tablet_sheet(fourth, revision=2, by=people["clerk"], request_key=history.key())
    packed(fourth, tablet_at(fourth, people["clerk"]), people["clerk"], revision=3)
    history.lead_a_session(fourth)
    tables = [queries.find_table_of_event(event, history.session.number, number) for number in (1, 2, 3)]
    first, second, third = (table for table in tables if table is not None)
    history.print(third)
    double_entry.set_double_entry_percent(history.stage, percent=100, by=people["organiser"])
    history.hand_on(first, slipped())
    double_entry.save_second_entry(
        history.again(first), revision=0, typed=paper(), done=True, by=people["clerk2"], request_key=history.key()
    )
    cells = double_entry.double_entry_status(history.again(first), history.newest(first)).cells
    choices = {cell: fields_of_typed_sheet(paper()).get(cell, "") for cell in cells}
    given = {"revision": history.newest(first).revision, "by": people["judge"], "request_key": history.key()}
    double_entry.adjudicate_double_entry(
        history.again(first), choices=choices, confirmations=confirmed(first, paper()), **given
    )
    double_entry.set_double_entry_percent(history.stage, percent=0, by=people["organiser"])
    history.hand_on(second, paper())
    history.raise_one_and_take_it_back(second)
    history.hand_on(second, paper(), history.newest(second).revision)
    history.raise_one(second)
    given = {"revision": history.newest(second).revision, "by": people["judge"], "request_key": history.key()}
    signing_disputes.decide_dispute(history.again(second), decision="as on the paper", typed=slipped(), **given)
    given = {"revision": 0, "by": people["judge"], "request_key": history.key()}
    signing_disputes.propose_void(history.again(third), reason="the rain ended it", **given)
    given = {"revision": history.newest(third).revision, "by": people["organiser"], "request_key": history.key()}
    signing_disputes.approve_void(history.again(third), **given)
    history.finish(first)
    begun = corrections.begin_correction(
        history.again(second), reason="game 1 was won by A", by=people["clerk"], request_key=history.key()
    )
    history.hand_on(second, paper(), begun.revision)
    newest = history.newest(second)
    seen = {"crossing": crossing(history.again(second), newest), "revision": newest.revision}
    corrections.propose_correction(history.again(second), by=people["judge"], request_key=history.key(), **seen)
    corrections.approve_correction(history.again(second), by=people["organiser"], request_key=history.key(), **seen)
    signing.stamp_session(history.session, by=people["organiser"])
    history.release(first)
    history.answer(first)
    history.invite(first)
    history.fix_list(first)
    one_morning(event, people["organiser"], people["organiser2"])
    moved.some_moved(event, people["organiser"])
    some_mailed(event, people["organiser"], three_told(event, people["organiser"]))
    return event
