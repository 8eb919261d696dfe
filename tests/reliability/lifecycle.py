"""Q3: a sheet's whole life over HTTP, tablets and desk at once, against a model in plain Python (reliability 3.2).

Every rule asks for something, allowed or not; the model says what must be answered and what must stand then. The table
of what was met (state, act, who, answer) is the figure's own evidence.
"""

import itertools
import json
from collections import Counter
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tests.conftest import account, event_data
from tests.reliability.figures import Figure
from tests.reliability.lifecycle_model import CERTAIN, LETTERS, TRANSITIONS, Sheet, expected
from tests.tournament.api.tablet_caller import MADE_AT, TABLET, paired
from tests.tournament.drawing import racks, strokes
from tests.tournament.tables import settle
from tournament.enums import Role
from tournament.models import AuditEntry, Device, HeldItem, Session
from tournament.services import devices, scoresheets, setup
from tournament.services.audit_verification import verify

DESK = "/api/v1/events/hk-2026/sessions/1/scoresheets/1/"
DESK_PEOPLE = ("organiser", "chief_judge", "clerk")
TABLETS = ("tablet", "other table's tablet")
MOSTLY_ITS_OWN = st.sampled_from((*TABLETS, "tablet", "tablet"))
MET: Counter[tuple[str, str, str, int]] = Counter()
KEYS = itertools.count(1)


@dataclass
class World:
    """One table's tablet, the next table's, and the desk."""

    clients: dict[str, Client] = field(default_factory=dict)
    referee: int = 0
    organiser: int = 0


WORLD = World()


def make_world() -> None:
    """Two tables of four with a tablet each, and three accounts at the desk."""
    event = setup.create_event(event_data())
    people = {role.value: account(event, role) for role in Role}
    session = Session.objects.get(stage__event=event, number=1)
    settle(session, people["organiser"], sizes=(4, 4))
    for number, name in enumerate(TABLETS, start=1):
        made = paired(session, people["referee"], people["organiser"], (number,))
        WORLD.clients[name] = made.client
    for name in DESK_PEOPLE:
        WORLD.clients[name] = Client()
        WORLD.clients[name].force_login(people[name])
    WORLD.referee, WORLD.organiser = people["referee"].pk, people["organiser"].pk


def typed(variant: int) -> dict[str, Any]:
    """One of the sheets that may be entered."""
    sheet = deepcopy(racks())
    sheet["games"][0]["seats"]["B"]["face_value"] = str(14 + variant)
    return sheet


def drawn(letter: str) -> dict[str, Any]:
    return {"letter": letter, "strokes": strokes(LETTERS.index(letter)), "made_at": MADE_AT}


careful = scoresheets.swap


def careless(sheet: Any, revision: int, states: Any, **changes: Any) -> Any:
    """The control: whatever its writer has seen."""
    return careful(sheet, sheet.revision, states, **changes)


class Life(RuleBasedStateMachine):
    """One sheet from nothing to its end; what a run does is undone after it."""

    def __init__(self) -> None:
        super().__init__()
        self.undo = transaction.atomic()
        self.undo.__enter__()
        self.model, self.digest, self.ended = Sheet(), "", ""
        self.accepted: list[tuple[str, str, str, Any, int, str, bytes]] = []
        self.locked: Any = None
        self.greatest, self.written = 0, 0

    def teardown(self) -> None:
        """Nothing was altered behind the log; then as if it had never been."""
        try:
            report = verify(files=False)
            assert (report.findings, report.incomplete) == ([], [])
        finally:
            transaction.set_rollback(True)
            self.undo.__exit__(None, None, None)

    # --- Asking -----------------------------------------------------------------------------------------
    def send(self, who: str, method: str, path: str, body: Any, seen: int, key: str) -> Any:
        headers = {"X-Client-Schema": "1", "Idempotency-Key": key, "If-Match": f'"v{seen}"'}
        sent = json.dumps(body)
        return WORLD.clients[who].generic(method, path, sent, content_type="application/json", headers=headers)

    def ask(
        self, who: str, act: str, body: Any, *, stale: bool, path: str = "", method: str = "POST", **facts: Any
    ) -> None:
        """One request: answered as the model says, with the effect that the model says."""
        seen = self.model.revision + (7 if stale else 0)
        key, before = f"life-cycle-key-{next(KEYS):08d}", self.model.state
        want = expected(self.model, who, act, stale=stale, ended=self.ended, **facts)
        address = path or (f"{TABLET}tables/1/{act}/" if who in TABLETS else f"{DESK}{act}/")
        if who in TABLETS:
            body = {"referee": WORLD.referee, "made_at": MADE_AT, **body}
        held = HeldItem.objects.count()
        answer = self.send(who, method, address, body, seen, key)
        assert answer.status_code == want.status, (before, who, act, stale, facts, want, answer.content)
        MET[before, act, who, answer.status_code] += 1
        assert HeldItem.objects.count() - held == int(want.held)
        self.model, self.written = want.after, self.written + want.entries
        if answer.status_code == 200:
            self.accepted.append((who, method, address, body, seen, key, answer.content))

    @rule(who=MOSTLY_ITS_OWN, variant=st.integers(0, 1), stale=CERTAIN)
    def save(self, who: str, variant: int, stale: bool) -> None:
        self.ask(who, "save", {"typed": typed(variant), "confirmations": {}}, stale=stale, variant=variant)

    @rule(who=MOSTLY_ITS_OWN, act=st.sampled_from(("ready", "ready", "reopen")), stale=CERTAIN)
    def hand_on_or_take_back(self, who: str, act: str, stale: bool) -> None:
        self.ask(who, act, {"confirmations": {}} if act == "ready" else {}, stale=stale)

    @rule(letter=st.sampled_from(LETTERS), stale=CERTAIN, wrong=CERTAIN)
    def sign(self, letter: str, stale: bool, wrong: bool) -> None:
        digest = "0" * 64 if wrong or not self.digest else self.digest
        body = {"letter": letter, "strokes": strokes(LETTERS.index(letter)), "digest": digest}
        self.ask("tablet", "sign", body, stale=stale, letter=letter, wrong=digest != self.digest)

    @initialize(far=st.integers(0, 3))
    def begin(self, far: int) -> None:
        """Nothing yet, entered, or handed on."""
        if far:
            self.save("tablet", variant=0, stale=False)
        if far > 1:
            self.hand_on_or_take_back("tablet", "ready", stale=False)

    @precondition(lambda self: self.model.state == "draft")
    @rule()
    def hand_on(self) -> None:
        self.hand_on_or_take_back("tablet", "ready", stale=False)

    @precondition(lambda self: self.model.state == "disputed")
    @rule()
    def judge(self) -> None:
        self.decide("chief_judge", variant=None, stale=False)

    @precondition(lambda self: self.model.state == "ready")
    @rule(few=st.integers(0, 3))
    def sign_all_that_want(self, few: int) -> None:
        wanting = sorted(set(LETTERS) - self.model.signed)
        for letter in wanting[: few or None]:
            self.sign(letter=letter, stale=False, wrong=False)

    @rule(who=MOSTLY_ITS_OWN, variant=st.integers(0, 1), stale=CERTAIN, seldom=st.integers(0, 3))
    def package(self, who: str, variant: int, stale: bool, seldom: int) -> None:
        if seldom:
            return
        body = {"typed": typed(variant), "confirmations": {}, "signatures": [drawn(letter) for letter in LETTERS]}
        self.ask(who, "package", body, stale=stale, variant=variant)

    @rule(who=st.sampled_from((*TABLETS, *DESK_PEOPLE)), stale=CERTAIN)
    def dispute(self, who: str, stale: bool) -> None:
        self.ask(who, "dispute", {"reason": "game 2 was won by C"}, stale=stale)

    @rule(who=st.sampled_from(DESK_PEOPLE), variant=st.sampled_from((None, 0, 1)), stale=CERTAIN)
    def decide(self, who: str, variant: int | None, stale: bool) -> None:
        values = {} if variant is None else {"typed": typed(variant)}
        path = f"{DESK}dispute/decide/"
        self.ask(who, "decide", {"decision": "counted again", **values}, stale=stale, path=path, variant=variant)

    @rule(who=st.sampled_from(DESK_PEOPLE), reasons=st.booleans(), stale=CERTAIN)
    def certify(self, who: str, reasons: bool, stale: bool) -> None:
        wanting = sorted(set(LETTERS) - self.model.signed)
        given = dict.fromkeys(wanting, "refuses" if reasons else "")
        self.ask(who, "certify", {"signatures": given}, stale=stale, reasons=reasons)

    @rule(who=st.sampled_from(DESK_PEOPLE), stale=CERTAIN)
    def reject(self, who: str, stale: bool) -> None:
        self.ask(who, "reject", {"reason": "another paper"}, stale=stale)

    @rule(who=st.sampled_from(DESK_PEOPLE), approves=st.booleans(), stale=CERTAIN, seldom=st.integers(0, 3))
    def void(self, who: str, approves: bool, stale: bool, seldom: int) -> None:
        if seldom:
            return
        if approves:
            self.ask(who, "approve void", {}, stale=stale, path=f"{DESK}void/approve/")
        else:
            self.ask(who, "propose void", {"reason": "the rain"}, stale=stale, path=f"{DESK}void/")

    @rule(who=st.sampled_from(DESK_PEOPLE), stale=CERTAIN)
    def stamp(self, who: str, stale: bool) -> None:
        self.ask(who, "stamp", {}, stale=stale)

    # --- The same again, and who is cut off -------------------------------------------------------------
    @rule(place=st.integers(0, 999))
    def replay(self, place: int) -> None:
        """What was accepted once is answered again, and done once (also after the reply was lost)."""
        if not self.accepted:
            return
        who, method, address, body, seen, key, said = self.accepted[place % len(self.accepted)]
        answer = self.send(who, method, address, body, seen, key)
        if who in TABLETS and self.ended:
            assert answer.status_code == 401
            return
        assert (answer.status_code, answer.headers["Idempotent-Replay"]) == (200, "true")
        kept = ("key", "receipt") if who in TABLETS else ("state", "revision")
        mine, first = answer.json(), json.loads(said)
        assert [mine[name] for name in kept] == [first[name] for name in kept]
        MET["any", "replay", who, 200] += 1

    @rule(place=st.integers(0, 999))
    def reuse_a_key(self, place: int) -> None:
        """A key with another request is refused."""
        used = [one for one in self.accepted if "reason" in one[3]]
        if used:
            who, method, address, body, seen, key, _said = used[place % len(used)]
            answer = self.send(who, method, address, {**body, "reason": "another"}, seen, key)
            assert answer.status_code == (401 if who in TABLETS and self.ended else 422)
            MET["any", "reuse a key", who, answer.status_code] += 1

    @rule(how=st.sampled_from(("revoked", "expired")), seldom=st.integers(0, 7))
    def cut_off(self, how: str, seldom: int) -> None:
        """The desk revokes the tablet, or its time ends; from the next request on it is nobody."""
        if seldom or self.ended:
            return
        device = Device.objects.get(device_tables__table__number=1, revoked_at=None)
        if how == "revoked":
            devices.revoke(device, reason="lost", by=User.objects.get(pk=WORLD.organiser))
        else:
            Device.objects.filter(pk=device.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
        self.ended = how

    # --- What always holds ------------------------------------------------------------------------------
    @invariant()
    def server_and_model_are_one(self) -> None:
        """State, revision, signatures; one entry an effect; what is locked keeps its bytes."""
        now = WORLD.clients["organiser"].get(DESK).json()
        model = self.model
        assert (now["state"], now["revision"]) == (model.shown, model.revision)
        assert sorted(one["letter"] for one in now["signatures"] if one["present"]) == sorted(model.signed)
        assert AuditEntry.objects.filter(thing__startswith="scoresheet").count() == self.written
        assert now["revision"] >= self.greatest
        self.greatest, self.digest = now["revision"], now["digest"]
        if model.state in ("signed", "certified"):
            whole = {name: now[name] for name in ("typed", "games", "digest", "signatures", "locked_at", "revision")}
            self.locked = self.locked or whole
            assert whole == self.locked


def run(runs: int, steps: int) -> str:
    """So many lives of so many steps; "" or the first violation."""
    MET.clear()
    quiet = settings(
        max_examples=runs,
        stateful_step_count=steps,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    try:
        run_state_machine_as_test(Life, settings=quiet)
    except AssertionError as violation:
        return str(violation)[:500] or "violated"
    return ""


def table() -> list[str]:
    """Each state, act and person that was met, with its answers."""
    answers: dict[tuple[str, str, str], list[str]] = {}
    for (state, act, who, status), count in sorted(MET.items()):
        answers.setdefault((state, act, who), []).append(f"{status} x{count}")
    return [f"{state}, {act}, {who}: {', '.join(said)}" for (state, act, who), said in answers.items()]


def figure(runs: int, steps: int, database: str) -> Figure:
    """Q3."""
    violation = run(runs, steps)
    title = f"lives of a sheet over HTTP, {steps} steps each, that broke the model"
    made = Figure("Q3", title, database, runs, int(bool(violation)), runs)
    done = {(state, act) for state, act, _who, status in MET if status == 200}
    made.facts = {
        "requests": sum(MET.values()),
        "violation": violation,
        "transitions": len(TRANSITIONS & done),
        "transitions_wanted": len(TRANSITIONS),
        "transitions_not_met": sorted(f"{state}, {act}" for state, act in TRANSITIONS - done),
        "met": table(),
    }
    return made
