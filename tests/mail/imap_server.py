"""A mailbox on the loopback interface: as much of IMAP4rev1 over TLS as a reader of returned mail needs, and faults."""

import ipaddress
import re
import socketserver
import ssl
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

FETCH = re.compile(rb"UID FETCH (\d+) \(BODY\.PEEK\[\]<0\.(\d+)>\)")
STORE = re.compile(rb"UID STORE (\d+) \+FLAGS\.SILENT \((.*)\)")
SEARCH = re.compile(rb"UID SEARCH UID (\d+):\*")


def certify(folder: Path) -> tuple[Path, Path]:
    """A certificate of 127.0.0.1, signed by itself, and its key."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "box")])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    made = made.not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
    here = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    signed = made.add_extension(here, critical=False).sign(key, hashes.SHA256())
    plain = serialization.NoEncryption()
    files = folder / "box.crt", folder / "box.key"
    files[0].write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    files[1].write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, plain)
    )
    return files


@dataclass
class Mails:
    """What is in it: mails and flags by number. `faults` are commands at which the connection breaks off, once each;
    `asked` are the commands in order."""

    password: str = "let me in"
    mails: dict[int, bytes] = field(default_factory=dict)
    flags: dict[int, set[str]] = field(default_factory=dict)
    validity: int = 1
    faults: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    after: Callable[[str], None] = lambda command: None

    def put(self, content: bytes) -> int:
        """One more mail; its number."""
        uid = max(self.mails, default=0) + 1
        self.mails[uid] = content
        return uid


class Talk(socketserver.StreamRequestHandler):
    server: "Server"

    def handle(self) -> None:
        """Until it ends, or is broken off."""
        with suppress(OSError):
            self.say(b"* OK ready")
            for line in self.rfile:
                tag, _space, command = line.strip().partition(b" ")
                name = command.replace(b"UID ", b"").split(b" ")[0].decode().upper()
                self.server.mails.asked.append(name)
                if name in self.server.mails.faults:
                    self.server.mails.faults.remove(name)
                    return
                self.say(tag + b" " + self.answer(name, command))
                self.server.mails.after(name)
                if name == "LOGOUT":
                    return

    def say(self, line: bytes) -> None:
        self.wfile.write(line + b"\r\n")

    def answer(self, name: str, command: bytes) -> bytes:
        """To one command; what stands before the last line is said here."""
        box = self.server.mails
        if name == "CAPABILITY":
            self.say(b"* CAPABILITY IMAP4rev1")
        elif name == "LOGIN" and box.password.encode() not in command:
            return b"NO wrong"
        elif name == "SELECT" and b'"INBOX"' not in command:
            return b"NO no such folder"
        elif name == "SELECT":
            self.say(f"* {len(box.mails)} EXISTS\r\n* OK [UIDVALIDITY {box.validity}] valid".encode())
        elif found := SEARCH.fullmatch(command):
            # As the standard has it: the last mail is in "8:*" even where it is number 7.
            uids = [uid for uid in sorted(box.mails) if uid >= int(found[1])] or sorted(box.mails)[-1:]
            self.say(b"* SEARCH " + b" ".join(str(uid).encode() for uid in uids))
        elif found := FETCH.fullmatch(command):
            if (content := box.mails.get(int(found[1]))) is not None:
                part = content[: int(found[2])]
                self.wfile.write(b"* 1 FETCH (UID %s BODY[]<0> {%d}\r\n" % (found[1], len(part)) + part + b")\r\n")
        elif found := STORE.fullmatch(command):
            box.flags.setdefault(int(found[1]), set()).update(found[2].decode().split())
        return b"OK done"


class Server(socketserver.ThreadingTCPServer):
    """`with Server(mails, pair) as server:`; `pair` are certificate and key."""

    allow_reuse_address = daemon_threads = True

    def __init__(self, mails: Mails, pair: tuple[Path, Path]) -> None:
        self.mails = mails
        super().__init__(("127.0.0.1", 0), Talk)
        self.safe = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.safe.load_cert_chain(*pair)

    @property
    def url(self) -> str:
        return f"imaps://box%40desk.example:let%20me%20in@127.0.0.1:{self.server_address[1]}/INBOX"

    def get_request(self):  # type: ignore[no-untyped-def]
        """The handshake is made when the first byte is read, so that one that fails ends nothing else."""
        request, address = super().get_request()
        return self.safe.wrap_socket(request, server_side=True, do_handshake_on_connect=False), address

    def handle_error(self, request: object, client_address: object) -> None:
        """A reader that does not trust the certificate goes away."""

    def __enter__(self) -> "Server":
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *args: object) -> None:
        self.shutdown()
        self.server_close()
