"""A real SMTP server on the loopback interface that fails: in a thread for one test, or as a process of its own.

`python -m tests.reliability.mail_server PORT SEED FOLDER [slow]`: fails by chance from the seed; every mail that it
says yes to is a file in the folder, written before the yes, and named by when it came and whom it was for.
"""

import asyncio
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

LATER, NEVER, GOING = "451 4.3.0 later", "550 5.1.1 nobody of that name", "421 4.3.2 closing"
YES, DROP, SLOW = "250 2.0.0 taken", "drop", "slow"


@dataclass
class Script:
    """Faults in the order in which they are wanted; then all goes well. `never`: answers for addresses."""

    connect: list[str] = field(default_factory=list)
    recipient: list[str] = field(default_factory=list)
    data: list[str] = field(default_factory=list)
    never: Mapping[str, str] = field(default_factory=dict)

    def at_connect(self) -> str:
        """The refusal of a connection; empty where it is taken."""
        return self.connect.pop(0) if self.connect else ""

    def at_recipient(self, address: str) -> str:
        """The refusal of an address; empty where it is taken."""
        return self.never.get(address, "") or (self.recipient.pop(0) if self.recipient else "")

    def after_data(self) -> str:
        """`YES`, `DROP`, `SLOW` or another answer."""
        return self.data.pop(0) if self.data else YES


@dataclass
class Chance:
    """Faults by a seed: of a hundred connections ten are refused, of a hundred mails some twelve go wrong, eight are
    slow. Addresses that begin with `nobody` are never taken."""

    random: Random
    slow: float = 0.1
    always_slow: bool = False

    def at_connect(self) -> str:
        """The refusal of a connection; empty where it is taken."""
        return GOING if self.random.random() < 0.10 else ""

    def at_recipient(self, address: str) -> str:
        """The refusal of an address; empty where it is taken."""
        if address.startswith("nobody"):
            return NEVER
        return LATER if self.random.random() < 0.04 else ""

    def after_data(self) -> str:
        """`YES`, `DROP`, `SLOW` or another answer."""
        chance = self.random.random()
        taken = SLOW if self.always_slow or chance < 0.16 else YES
        return LATER if chance < 0.04 else DROP if chance < 0.08 else taken


class Hall:
    """What the server does with each mail: `took` has address and bytes of those it said yes to, in order."""

    def __init__(self, faults: Script | Chance, folder: Path | None = None) -> None:
        self.faults, self.folder = faults, folder
        self.took: list[tuple[str, bytes]] = []
        self.connections = self.refused = 0

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: Sequence[str]
    ) -> str:
        if answer := self.faults.at_recipient(address):
            self.refused += 1
            return answer
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Say yes, after writing it down; or fail."""
        answer = self.faults.after_data()
        if answer == DROP:
            self.refused += 1
            assert server.transport is not None
            server.transport.abort()
            return YES
        if answer == SLOW:
            await asyncio.sleep(self.faults.slow if isinstance(self.faults, Chance) else 0.2)
        elif not answer.startswith("250"):
            self.refused += 1
            return answer
        [address], body = envelope.rcpt_tos, envelope.content
        assert isinstance(body, bytes)
        if envelope.mail_from and "+" in envelope.mail_from:
            # Where it comes back to, as the last server writes it.
            body = f"Return-Path: <{envelope.mail_from}>\r\n".encode() + body
        self.took.append((address, body))
        if self.folder:
            part = self.folder / "part"
            part.write_bytes(body)
            part.rename(self.folder / f"{len(self.took):05d}-{address}")
        return YES


class Failing(SMTP):
    """Says 421 instead of a welcome where it is to."""

    async def push(self, status: Any) -> None:
        """A line to the client."""
        hall = self.event_handler
        if isinstance(status, str) and status.startswith("220 "):
            hall.connections += 1
            if answer := hall.faults.at_connect():
                hall.refused += 1
                await super().push(answer)
                assert self.transport is not None
                self.transport.close()
                return
        await super().push(status)


class Post(Controller):
    """The server in a thread: `with Post(Hall(Script()), port):`."""

    def factory(self) -> SMTP:
        return Failing(self.handler, hostname="mail.example")


async def serve(port: int, hall: Hall) -> None:
    """Until the process is ended."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Failing(hall, hostname="mail.example", loop=loop), "127.0.0.1", port)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    chance = Chance(Random(int(sys.argv[2])), always_slow="slow" in sys.argv[4:])
    asyncio.run(serve(int(sys.argv[1]), Hall(chance, Path(sys.argv[3]))))
