"""One sheet's life: what is asked is answered as the model says, and after each request all that must hold holds.

The invariants are those of Q3: (a) no revision goes back; (b) what is locked keeps its bytes; (c) one
entry in the log for each effect, none for a refusal; (d) the chain; (e) server and model are one; (f) signed by all,
under the digest of the stored values, exactly where it is SIGNED; (g) the public's files change with a release alone.
"""

import itertools
import json
from collections import Counter
from copy import deepcopy
from datetime import timedelta
from typing import Any

from django.utils import timezone

from tests.reliability.lifecycle_model import AT_TABLETS, DONE, LETTERS, LOCKED, TABLETS, Ask, Cell, Sheet, expected
from tests.reliability.lifecycle_world import Reply, World, drawn
from tests.reliability.world import pair_tablet
from tests.sheets.drawing import racks, strokes
from tests.sheets.tables import paper
from tournament.audit import services
from tournament.audit.models import AuditEntry
from tournament.devices.models.device import Device, QuarantinedSubmission
from tournament.devices.services import devices
from tournament.operations.services.audit_verification import verify_events
from tournament.sheets.models.dispute import Dispute
from tournament.sheets.models.scoresheet import Game, Line, Scoresheet
from tournament.sheets.models.signing import Signature

KEYS = itertools.count(1)
RELEASES = ("publish", "withdraw")
NO_DISPUTE = 10**9 - 1
ADDRESS = {
    "hand on": "ready/",
    "take back": "reopen/",
    "raise dispute": "dispute/",
    "decide": "dispute/decide/",
    "recall dispute": "dispute/withdraw/",
    "take dispute back": "withdraw/",
    "propose void": "void/",
    "approve void": "void/approve/",
}
PLAIN = ("rummikub", "0 -14 3", "0 -21 5", "0 -9 2", "1 +44 0")
POOL = ("pool", "1 +22 1", "0 -10 4", "0 -2 2", "0 -10 3")
TIME = ("time", "0 -5 3", "0 -7 4", "1 +15 2", "0 -3 3")
PAPERS = (
    paper((PLAIN, POOL, TIME), ("1 3 7", "0 -38 13", "1 4 6", "1 31 6")),
    paper((POOL, PLAIN, TIME), ("1 3 7", "0 -38 13", "1 4 6", "1 31 6")),
)
Values = tuple[str, int]
RACKS: tuple[Values, Values] = (("rack", 0), ("rack", 1))
PAPER: tuple[Values, Values] = (("paper", 0), ("paper", 1))


def typed(values: Values) -> dict[str, Any]:
    """One of the sheets that may be entered."""
    form, variant = values
    if form == "paper":
        return PAPERS[variant]
    sheet = deepcopy(racks())
    sheet["games"][0]["seats"]["B"]["face_value"] = str(14 + variant)
    return sheet


class Sent:
    """A request as it was sent, and what was said."""

    def __init__(self, ask: Ask, method: str, parts: tuple[str, Any, str, int | None], reply: Reply) -> None:
        self.ask, self.method, self.parts, self.reply = ask, method, parts, reply


class Life:
    """The sheet of one world's first table."""

    def __init__(self, world: World, met: Counter[tuple[Cell, int]]) -> None:
        self.world, self.met = world, met
        self.model, self.digest, self.ended, self.losing = Sheet(), "", "", False
        self.accepted: list[Sent] = []
        self.locked: Any = None
        last = AuditEntry.objects.filter(event=world.event).order_by("-seq").first()
        assert last is not None
        self.seq, self.hash, self.entries = last.seq, last.hash, 0
        self.public = self.read_public()

    # --- Asking -----------------------------------------------------------------------------------------
    def ask_of(self, act: str, who: str, **said: Any) -> Ask:
        """Whole: the letter that signs, the values where none are said, who a tablet has become."""
        ask = Ask(self.name_of(who), act, **said)
        if act == "sign":
            wanting = sorted(set(LETTERS) - self.model.signed) or ["A"]
            return ask._replace(letter=ask.letter or wanting[0], wrong=ask.wrong or not self.digest)
        if ask.values is None and act in ("save", "type", "package"):
            return ask._replace(values=PAPER[0] if act == "type" else RACKS[0])
        return ask

    def changes(self, act: str, who: str, stale: bool) -> bool:
        """Whether something would stand otherwise after it."""
        return expected(self.model, self.ask_of(act, who, stale=stale)).after != self.model

    def do(self, act: str, who: str, **said: Any) -> int:
        """One request: answered as the model says, with the effect that the model says. The status."""
        ask = self.ask_of(act, who, **said)
        before, want = self.model, expected(self.model, ask)
        method, parts = "PUT" if act == "type" else "POST", self.parts_of(ask)
        reply = self.send(who, method, parts)
        assert reply.status == want.status, (before, ask, want, reply.status, reply.body[:600])
        self.met[Cell(before.state, act, ask.who, ask.stale), reply.status] += 1
        self.model, self.entries = want.after, self.entries + want.entries
        if reply.status in DONE:
            self.accepted.append(Sent(ask, method, parts, reply))
        self.check(changed=reply.status in DONE, released=act in RELEASES and want.entries > 0)
        return reply.status

    def send(self, who: str, method: str, parts: tuple[str, Any, str, int | None]) -> Reply:
        """Sent; once more where its reply was to be lost."""
        asked, (path, body, headers) = self.world.house.asked, self.world.request(who, *parts)
        if not self.losing:
            return asked.ask(method, path, body, headers)
        self.losing = False
        asked.lose(method, path, body, headers)
        reply = asked.ask(method, path, body, headers)
        assert (reply.headers.get("idempotent-replay") == "true") == (reply.status in DONE), reply
        return reply

    def parts_of(self, ask: Ask) -> tuple[str, Any, str, int | None]:
        """Address, body, a new key, the revision seen."""
        seen = None if ask.act in (*RELEASES, "take dispute back") else self.model.revision + (7 if ask.stale else 0)
        key = f"life-{self.world.event.pk}-{next(KEYS):08d}"
        return self.address(ask), self.body(ask), key, seen

    def address(self, ask: Ask) -> str:
        if ask.act in RELEASES:
            releases = f"/api/v1/events/{self.world.event.slug}/releases/"
            return releases if ask.act == "publish" else f"{releases}{max(self.model.releases, 1)}/withdraw/"
        act = ADDRESS.get(ask.act, f"{ask.act}/")
        if ask.act in AT_TABLETS:
            return f"/api/v1/tablet/tables/1/{act}"
        return self.world.desk + ("" if ask.act == "type" else act)

    def body(self, ask: Ask) -> dict[str, Any]:
        item = self.world.item() if ask.act in AT_TABLETS else {}
        return {**item, **getattr(self, f"body_of_{ask.act.replace(' ', '_')}", self.body_of_nothing)(ask)}

    def body_of_nothing(self, ask: Ask) -> dict[str, Any]:
        return {}

    def body_of_save(self, ask: Ask) -> dict[str, Any]:
        assert ask.values is not None
        return {"typed": typed(ask.values), "confirmations": {}}

    def body_of_type(self, ask: Ask) -> dict[str, Any]:
        assert ask.values is not None
        return {"form": ask.values[0], "typed": typed(ask.values)}

    def body_of_ready(self, ask: Ask) -> dict[str, Any]:
        return {"confirmations": {}}

    def body_of_sign(self, ask: Ask) -> dict[str, Any]:
        digest = "0" * 64 if ask.wrong else self.digest
        return {"letter": ask.letter, "strokes": strokes(LETTERS.index(ask.letter)), "digest": digest}

    def body_of_package(self, ask: Ask) -> dict[str, Any]:
        return {**self.body_of_save(ask), "signatures": [drawn(letter) for letter in LETTERS]}

    def body_of_dispute(self, ask: Ask) -> dict[str, Any]:
        return {"reason": "game 2 was won by C"}

    def body_of_take_dispute_back(self, ask: Ask) -> dict[str, Any]:
        """The newest of this sheet, over or not."""
        newest = Dispute.objects.filter(scoresheet__table=self.world.table).order_by("-pk").first()
        return {"reason": "all agree", "kind": "dispute", "note": newest.pk if newest else NO_DISPUTE}

    body_of_raise_dispute = body_of_recall_dispute = body_of_propose_void = body_of_reject = body_of_withdraw = (
        body_of_dispute
    )

    def body_of_decide(self, ask: Ask) -> dict[str, Any]:
        values = {} if ask.values is None else {"typed": typed(ask.values)}
        return {"decision": "counted again", **values}

    def body_of_certify(self, ask: Ask) -> dict[str, Any]:
        wanting = sorted(set(LETTERS) - self.model.signed)
        return {"signatures": dict.fromkeys(wanting, "refuses" if ask.reasons else "")}

    def body_of_publish(self, ask: Ask) -> dict[str, Any]:
        return {"number": self.model.releases + (6 if ask.stale else 1)}

    def look(self) -> None:
        """The desk and the tablet look; nothing comes of it."""
        self.ask_the_desk()
        path, body, headers = self.world.request("tablet", "/api/v1/tablet/state/", {}, "-", None)
        reply = self.world.house.asked.ask("GET", path, body, headers)
        assert reply.status == (401 if self.ended else 200), reply
        self.met[Cell("any", "look", self.name_of("tablet"), False), reply.status] += 1
        self.check()

    # --- The same again, and who is cut off -------------------------------------------------------------
    def replay(self, place: int) -> None:
        """What was accepted once is answered again as it was, and done once."""
        if not self.accepted:
            return self.look()
        sent = self.accepted[place % len(self.accepted)]
        reply = self.send(sent.ask.who, sent.method, sent.parts)
        if sent.ask.who in TABLETS and self.ended:
            assert reply.status == 401, reply
        else:
            kept = ("key", "receipt") if sent.ask.who in TABLETS else tuple(sent.reply.json())
            assert (reply.status, reply.headers.get("idempotent-replay")) == (sent.reply.status, "true"), reply
            assert [reply.json()[name] for name in kept] == [sent.reply.json()[name] for name in kept]
        self.met[Cell("any", "replay", self.name_of(sent.ask.who), False), reply.status] += 1
        self.check()

    def reuse_a_key(self, place: int) -> None:
        """A key with another request is refused."""
        if not self.accepted:
            return self.look()
        sent = self.accepted[place % len(self.accepted)]
        path, body, key, seen = sent.parts
        if "reason" in body:
            body = {**body, "reason": "another"}
        elif seen is None:
            body = {"number": body["number"] + 1}
        else:
            seen += 1
        reply = self.send(sent.ask.who, sent.method, (path, body, key, seen))
        assert reply.status == (401 if sent.ask.who in TABLETS and self.ended else 422), reply
        self.met[Cell("any", "reuse a key", self.name_of(sent.ask.who), False), reply.status] += 1
        self.check()

    def name_of(self, who: str) -> str:
        """Who a tablet has become."""
        return self.ended if who == "tablet" and self.ended else who

    def cut_off(self, how: str) -> None:
        """The desk revokes the tablet, or another is in its place whose time is over; from then on it is nobody."""
        if self.ended:
            return
        world, organiser = self.world, self.world.house.people["organiser"]
        if how == "revoked":
            device = Device.objects.get(device_tables__table=world.table, revoked_at=None)
            devices.revoke_tablet(device, reason="lost", by=organiser)
            self.entries += 1
        else:
            long_ago = timezone.now() - timedelta(days=1)
            referee = world.house.people["referee"]
            world.cookies["tablet"] = pair_tablet(world.session, referee, (1,), organiser, long_ago)
            self.entries += 4
        self.ended = f"{how} tablet"
        self.check()

    # --- What always holds ------------------------------------------------------------------------------
    def check(self, changed: bool = False, released: bool = False) -> None:
        """Checks the invariants (a) to (g) of Q3."""
        model = self.model
        sheet = Scoresheet.objects.filter(table=self.world.table).first()
        assert ((sheet.state, sheet.revision) if sheet else ("none", 0)) == (model.state, model.revision)
        assert self.digest == "" or sheet is not None
        self.digest = sheet.digest if sheet else ""
        self.follow_log()
        assert QuarantinedSubmission.objects.filter(event=self.world.event).count() == model.held
        if sheet is not None:
            self.check_signatures(sheet)
        if changed:
            self.ask_the_desk()
        public = self.read_public()
        if self.world.house.asked.real:
            different = [(now, before) for now, before in zip(public, self.public, strict=True) if now != before]
            assert bool(different) == released, f"the public is answered otherwise: {different}"
        self.public = public

    def follow_log(self) -> None:
        """One entry an effect, each linked to the one before."""
        for entry in AuditEntry.objects.filter(event=self.world.event, seq__gt=self.seq).order_by("seq"):
            assert (entry.seq, entry.prev, entry.hash) == (self.seq + 1, self.hash, services.entry_hash(entry))
            self.seq, self.hash, self.entries = entry.seq, entry.hash, self.entries - 1
        assert self.entries == 0, "the log has too many entries or too few"

    def check_signatures(self, sheet: Scoresheet) -> None:
        """Who has signed, under which values; what is locked is as it was."""
        live = list(Signature.objects.filter(scoresheet=sheet, superseded_at=None).order_by("letter").values())
        assert {one["letter"] for one in live if one["present"]} == self.model.signed
        assert {one["digest"] for one in live} <= {sheet.digest}
        by_all = [one["letter"] for one in live if one["present"] and one["device_id"]] == list(LETTERS)
        assert by_all == (sheet.state == "signed")
        if sheet.state in LOCKED:
            games = list(Game.objects.filter(scoresheet=sheet).order_by("number").values())
            lines = list(Line.objects.filter(game__scoresheet=sheet).order_by("game_id", "letter").values())
            row = Scoresheet.objects.filter(pk=sheet.pk).values().get()
            whole = json.dumps([row, live, games, lines], default=str, sort_keys=True)
            self.locked = self.locked or whole
            assert whole == self.locked, "what is locked has changed"

    def ask_the_desk(self) -> None:
        """What a reader is shown is what stands."""
        now = self.world.house.asked.ask("GET", *self.world.request("organiser", self.world.desk, {}, "-", None)).json()
        assert (now["state"], now["revision"]) == (self.model.shown, self.model.revision)
        assert {one["letter"] for one in now["signatures"] if one["present"]} == self.model.signed

    def read_public(self) -> list[tuple[int, dict[str, str], bytes]]:
        """What anybody is answered, but for the hour."""
        found = []
        for path in ("", "1/", "2/"):
            reply = self.world.house.asked.ask("GET", f"/p/{self.world.event.slug}/{path}", b"", {"Host": "127.0.0.1"})
            headers = {name: text for name, text in reply.headers.items() if name not in ("date", "connection")}
            found.append((reply.status, headers, reply.body))
        return found

    def end(self) -> None:
        """Nothing was altered behind the log."""
        report = verify_events(slug=self.world.event.slug, files=False)
        assert (report.findings, report.incomplete) == ([], []), report

    def other_values(self) -> Values:
        """The other of the two sheets of the form that stands."""
        form, variant = self.model.values or RACKS[0]
        return (form, 1 - variant)
