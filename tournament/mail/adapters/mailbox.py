"""The mailbox for returned mail, by IMAP over TLS with the standard library: its new mails, each up to a limit, and
their flags.

Every answer of the server has `MAILBOX_TIMEOUT` seconds; whatever goes wrong is a `MailboxError` with a code.
"""

import imaplib
import ssl
from types import TracebackType
from typing import Any, Self
from urllib.parse import unquote, urlsplit

MAILBOX_TIMEOUT = 10.0
IMAPS_PORT = 993
# Of one mail: its head and its report stand at its beginning.
MAX_REPORT_BYTES = 256 * 1024
IMAP_SEEN, IMAP_FLAGGED = r"\Seen", r"\Flagged"
MAILBOX_NO_ANSWER, MAILBOX_NOT_SAFE, MAILBOX_NOT_SIGNED_IN, MAILBOX_NO_FOLDER, MAILBOX_BROKEN = (
    "no_answer",
    "not_safe",
    "not_signed_in",
    "no_folder",
    "broken",
)


class MailboxError(Exception):
    """Why the mailbox cannot be read; `code` is stable."""

    def __init__(self, code: str, said: object = "") -> None:
        super().__init__(f"{code}: {said}")
        self.code = code


class Mailbox:
    """`with Mailbox("imaps://user:password@imap.example.org/INBOX") as box:`.

    An @ in user or password is written %40.
    """

    def __init__(self, url: str) -> None:
        at = urlsplit(url)
        self.host, self.port = at.hostname or "", at.port or IMAPS_PORT
        self.user, self.password = unquote(at.username or ""), unquote(at.password or "")
        self.folder = unquote(at.path.strip("/")) or "INBOX"
        self.uid_validity = 0

    def __enter__(self) -> Self:
        try:
            safe = ssl.create_default_context()
            self.server = imaplib.IMAP4_SSL(self.host, self.port, ssl_context=safe, timeout=MAILBOX_TIMEOUT)
        except ssl.SSLError as error:
            raise MailboxError(MAILBOX_NOT_SAFE, error) from error
        except (OSError, imaplib.IMAP4.error) as error:
            raise MailboxError(MAILBOX_NO_ANSWER, error) from error
        try:
            self.enter()
        except MailboxError:
            self.server.shutdown()
            raise
        return self

    def enter(self) -> None:
        """Sign in and open the folder."""
        try:
            self.server.login(self.user, self.password)
        except imaplib.IMAP4.abort as error:
            raise MailboxError(MAILBOX_NO_ANSWER, error) from error
        except (imaplib.IMAP4.error, UnicodeError) as error:
            raise MailboxError(MAILBOX_NOT_SIGNED_IN, error) from error
        except OSError as error:
            raise MailboxError(MAILBOX_NO_ANSWER, error) from error
        quoted = self.folder.replace("\\", "\\\\").replace('"', '\\"')
        if self.ask(self.server.select, f'"{quoted}"')[0] != "OK":
            raise MailboxError(MAILBOX_NO_FOLDER)
        said = self.server.response("UIDVALIDITY")[1]
        self.uid_validity = int(said[0]) if said and said[0] and said[0].isdigit() else 0

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.server.logout()
        except (OSError, imaplib.IMAP4.error):
            self.server.shutdown()

    def newer_than(self, uid: int) -> list[int]:
        """The mails' numbers after this one, ascending."""
        state, found = self.ask(self.server.uid, "SEARCH", f"UID {uid + 1}:*")
        if state != "OK":
            raise MailboxError(MAILBOX_BROKEN, found)
        # "UID 8:*" names the last mail even where that is number 7.
        return sorted(number for one in (found[0] or b"").split() if (number := int(one)) > uid)

    def fetch(self, uid: int) -> bytes | None:
        """A mail, or its beginning; None: somebody has deleted it. It does not become read by this."""
        state, found = self.ask(self.server.uid, "FETCH", str(uid), f"(BODY.PEEK[]<0.{MAX_REPORT_BYTES}>)")
        if state != "OK":
            raise MailboxError(MAILBOX_BROKEN, found)
        return next((bytes(part[1]) for part in found if isinstance(part, tuple)), None)

    def flag(self, uid: int, *flags: str) -> None:
        """Mark it as read, or as one to be looked at."""
        self.ask(self.server.uid, "STORE", str(uid), "+FLAGS.SILENT", f"({' '.join(flags)})")

    def ask(self, command: Any, *words: str) -> Any:
        """One command and its answer."""
        try:
            return command(*words)
        except (OSError, imaplib.IMAP4.error, ValueError) as error:
            raise MailboxError(MAILBOX_BROKEN, error) from error
