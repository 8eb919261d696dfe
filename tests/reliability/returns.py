"""Mail that the server took and that comes back later: reports by a provider's program and by mail, late, twice, in any
order."""

import email
import itertools
import re
from dataclasses import dataclass, field
from email.message import Message
from pathlib import Path
from random import Random

from django.test import Client, override_settings
from django.urls import reverse

from tests.messages.bounced import RETURN, filled
from tournament.core.models.event import Event
from tournament.entrants.models.people import Entrant, Person
from tournament.mail.services import bounces

SECRET = "returned-mail-0123456789abcdef"
DEAD = "returned"
TOKEN = re.compile(r"\+([^@]+)@")
# Of a hundred mails to good addresses so many come back for the moment, and so many are called late.
PASSING, LATE = 0.03, 0.06
TWICE, NOW = 0.3, 0.6
KEYS = itertools.count(1)


@dataclass
class Returns:
    """What comes back of the mails in a folder. `deaf`: nobody reads the reports."""

    random: Random
    deaf: bool = False
    seen: set[Path] = field(default_factory=set)
    returned: set[Path] = field(default_factory=set)
    waiting: list[tuple[str, Path]] = field(default_factory=list)

    def come(self, taken: list[Path], *, every: bool = False) -> None:
        """Decide on what was taken since, and report of what waits: a part of it, or `every` one."""
        for path in taken:
            if path not in self.seen:
                self.seen.add(path)
                self.decide(path)
        self.random.shuffle(self.waiting)
        count = len(self.waiting) if every else int(len(self.waiting) * NOW)
        now, self.waiting = self.waiting[:count], self.waiting[count:]
        for kind, path in now if not self.deaf else []:
            self.report(kind, path)

    def decide(self, path: Path) -> None:
        """By whom it is for, else by chance."""
        chance = self.random.random()
        dead = path.name.partition("-")[2].startswith(DEAD)
        kind = "postfix" if dead else "expired" if chance < PASSING else "postfix-delayed" if chance < LATE else ""
        if kind in ("postfix", "expired"):
            self.returned.add(path)
        if kind:
            self.waiting += [(kind, path)] * (2 if self.random.random() < TWICE else 1)

    def report(self, kind: str, path: Path) -> None:
        """By mail, or by the provider's program."""
        mail = email.message_from_bytes(path.read_bytes())
        token, address = token_in(mail), path.name.partition("-")[2]
        if self.random.random() < 0.5:
            content = filled(kind, token, address, str(mail["Message-ID"]))
            assert bounces.process_bounce_mail(content, RETURN) in (bounces.BOUNCE_RECORDED, bounces.BOUNCE_REPEATED)
            return
        status = {"postfix": "5.1.1", "expired": "4.4.7", "postfix-delayed": "4.2.2"}[kind]
        named = self.random.choice([f"bounces+{token}@desk.example", str(mail["Message-ID"])])
        one = {"mail": named, "kind": "soft" if kind == "postfix-delayed" else "hard", "status": status}
        with override_settings(MAIL_BOUNCES_SECRET=SECRET, ALLOWED_HOSTS=["testserver"]):
            headers = {"Authorization": f"Bearer {SECRET}", "Idempotency-Key": f"returned-{next(KEYS)}"}
            sent = {"data": {"bounces": [one]}, "content_type": "application/json", "headers": headers}
            answer = Client().post(reverse("api_bounces"), **sent)
        assert (answer.status_code, answer.json()["unknown"]) == (200, 0), answer.content


def token_in(mail: Message) -> str:
    """Of the envelope's sender, as the last server wrote it above the mail."""
    found = TOKEN.search(str(mail["Return-Path"]))
    assert found, mail["Return-Path"]
    return found[1]


def make_dead(event: Event, count: int, random: Random) -> None:
    """So many families have addresses that a server takes and another does not."""
    good = Entrant.objects.filter(event=event, person__email__startswith="family").order_by("number")
    for one in random.sample(list(good), count):
        Person.objects.filter(pk=one.person_id).update(email=f"{DEAD}-{one.number}@families.example")
