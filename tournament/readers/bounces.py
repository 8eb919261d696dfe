"""A mail of the mailbox for returned mail: what it reports of which mail, or that it reports nothing.

Reports come by RFC 3464 (`message/delivery-status`) and RFC 5965 (feedback of providers), more or less tidy. What is
read may be anybody's: no mail makes this raise, and what a returned mail holds in its turn is not looked into.
"""

import base64
import email
import quopri
import re
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.header import decode_header, make_header
from email.message import Message
from email.utils import parsedate_to_datetime

from tournament.enums import BounceKind

LONGEST_WORDS, LONGEST_FIELD, LONGEST_ID, MOST_PARTS, MOST_BLOCKS = 2000, 4000, 200, 100, 50
STATUS_TYPES = ("message/delivery-status", "message/global-delivery-status")
RETURNED_TYPES = (
    *("message/rfc822", "message/global", "message/global-headers"),
    *("text/rfc822-headers", "message/rfc822-headers"),
)
# Whom a report was handed to, as each server writes it.
ADDRESSED = ("To", "Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To", "X-Delivered-To", "Received")
RECIPIENTS = ("Final-Recipient", "Original-Recipient", "X-Actual-Recipient", "Original-Rcpt-To", "Removal-Recipient")
SENDERS = ("mailer-daemon", "postmaster")
# Bounded: a line may be as long as its writer likes.
ADDRESS = re.compile(r"[^\s<>()\[\],;:\"'@]{1,64}@[^\s<>()\[\],;:\"'@]{1,255}")
ENHANCED = re.compile(r"(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.])")
REPLY = re.compile(r"(?<![\d.])([45])\d\d(?![\d.])")
MESSAGE_ID = re.compile(r"^Message-ID:\s*(<[^<>\s]+>)", re.IGNORECASE | re.MULTILINE)
BLANK = re.compile(rb"\r?\n[ \t]*\r?\n")
BY_ACTION = {"failed": BounceKind.HARD, "delayed": BounceKind.SOFT}
ARRIVED = ("delivered", "relayed", "expanded")
BY_CLASS = {"5": BounceKind.HARD, "4": BounceKind.SOFT}
AUTOMATIC = ("automatic reply", "auto reply", "autoreply", "out of office", "自動回覆", "自动回复")


@dataclass(frozen=True, slots=True)
class Report:
    """What is reported, and by what the mail may be known. `code` is RFC 3463's, where there is one; `addresses` are of
    the recipients that it names, in lower case."""

    kind: BounceKind
    code: str = ""
    words: str = ""
    at: datetime | None = None
    tokens: tuple[str, ...] = ()
    message_ids: tuple[str, ...] = ()
    addresses: frozenset[str] = frozenset()


class Ignored(Exception):
    """An automatic answer, a receipt, a report of success: it says of no mail that it came back."""


class Unreadable(Exception):
    """A person must look what it is."""


def read_report(content: bytes, return_address: str) -> Report:
    """The report. Raises `Ignored` or `Unreadable` and nothing else. `return_address`: the setting, may be empty."""
    try:
        return read(email.message_from_bytes(content), return_address)
    except (Ignored, Unreadable):
        raise
    except Exception as fault:
        raise Unreadable(type(fault).__name__) from fault


def read(message: Message, return_address: str) -> Report:
    """By the first part that says what became of a mail."""
    parts = list(own_parts(message))
    returned = [headers_in(body_of(part)) for part in parts if part.get_content_type() in RETURNED_TYPES]
    known = {"tokens": tokens_in(message, returned, return_address), "at": date_of(message)}
    known["message_ids"] = tuple(id for one in returned if (id := message_id(text(one, "Message-ID"))))
    status = [block for part in parts if part.get_content_type() in STATUS_TYPES for block in blocks_of(part)]
    if status:
        return from_status(status, known)
    feedback = [b for part in parts if part.get_content_type() == "message/feedback-report" for b in blocks_of(part)]
    if feedback:
        return from_feedback(feedback, known, return_address)
    if failed := message.get_all("X-Failed-Recipients"):
        return from_words(parts, failed, known)
    if is_automatic(message):
        raise Ignored
    raise Unreadable("no report")


# --- What it says ---------------------------------------------------------------------------------------
def from_status(blocks: list[Message], known: dict) -> Report:  # type: ignore[type-arg]
    """One that failed counts before one that is late, and that before one that arrived."""
    judged = [(kind, block) for block in blocks if (kind := kind_of(block)) is not None]
    for wanted in BounceKind.HARD, BounceKind.SOFT:
        for kind, block in judged:
            if kind == wanted:
                words = text(block, "Diagnostic-Code").partition(";")
                said = words[2].strip() or words[0].strip() or text(block, "Status")
                return Report(wanted, code_of(block), cleaned(said), addresses=addresses_in(blocks), **known)
    if judged:
        raise Ignored
    raise Unreadable("no status")


def kind_of(block: Message) -> BounceKind | str | None:
    """By its action, else by the class of its status; "": it arrived; None: it says nothing of a recipient."""
    action = text(block, "Action").lower().split()
    word = action[0].strip("().,;") if action else ""
    if word in BY_ACTION:
        return BY_ACTION[word]
    if word in ARRIVED:
        return ""
    figure = code_of(block)[:1]
    found = REPLY.search(text(block, "Diagnostic-Code"))
    figure = figure or (found[1] if found else "")
    return "" if figure == "2" else BY_CLASS.get(figure)


def code_of(block: Message) -> str:
    """Of its status, else what its words have."""
    found = ENHANCED.search(text(block, "Status")) or ENHANCED.search(text(block, "Diagnostic-Code"))
    return found[1] if found else ""


def from_feedback(blocks: list[Message], known: dict, return_address: str) -> Report:  # type: ignore[type-arg]
    """A recipient called it unwanted; "not-spam" takes that back, which changes nothing here."""
    kinds = {text(block, "Feedback-Type").lower() for block in blocks} - {""}
    if kinds <= {"not-spam"}:
        raise Ignored
    tokens = [token for block in blocks for token in tokens_of(text(block, "Original-Mail-From"), return_address)]
    known["tokens"] = (*known["tokens"], *tokens)
    return Report(BounceKind.COMPLAINT, "", " ".join(sorted(kinds))[:40], addresses=addresses_in(blocks), **known)


def from_words(parts: list[Message], failed: list[str], known: dict) -> Report:  # type: ignore[type-arg]
    """A mail server's own words beside the addresses that it names as failed."""
    texts = [said for part in parts if part.get_content_type() == "text/plain" for said in [decoded(part)]]
    said = "\n".join(texts)
    known["message_ids"] = (*known["message_ids"], *(id for id in MESSAGE_ID.findall(said) if message_id(id)))
    line = next((line for line in said.splitlines() if ENHANCED.search(line) or REPLY.search(line)), "")
    code = ENHANCED.search(line)
    named = frozenset(one.lower() for value in failed for one in ADDRESS.findall(str(value)))
    return Report(BounceKind.HARD, code[1] if code else "", cleaned(line), addresses=named, **known)


def is_automatic(message: Message) -> bool:
    """Somebody's program answers; a mail server's own words, which are no report, are left for a person."""
    sender = text(message, "From").lower()
    if any(f"{name}@" in sender for name in SENDERS):
        return False
    if str(message.get_param("report-type") or "").lower() == "disposition-notification":
        return True
    if text(message, "Auto-Submitted").lower().partition(";")[0].strip() not in ("", "no"):
        return True
    marks = ("X-Autoreply", "X-Autorespond", "X-Auto-Reply")
    subject = text(message, "Subject").lower()
    return any(message[mark] is not None for mark in marks) or subject.startswith(AUTOMATIC)


# --- By what the mail is known ---------------------------------------------------------------------------
def tokens_in(message: Message, returned: list[Message], return_address: str) -> tuple[str, ...]:
    """Whatever stands where a token would: in the address that it came to, or that the returned mail had come from."""
    said = [str(value) for name in ADDRESSED for value in message.get_all(name, [])]
    said += [str(value) for one in returned for value in one.get_all("Return-Path", [])]
    return tuple(dict.fromkeys(token for value in said for token in tokens_of(value, return_address)))


def tokens_of(said: str, return_address: str) -> list[str]:
    """Between the + and the @ of the address, whatever its case."""
    local, sign, domain = return_address.rpartition("@")
    if not sign:
        return []
    found = re.findall(rf"{re.escape(local)}\+([0-9a-z.-]{{1,60}})@{re.escape(domain)}", said, re.IGNORECASE)
    return [token.lower() for token in found]


def message_id(said: str) -> str:
    """One that could be ours; empty for anything else."""
    said = said.strip()
    return said if said.isascii() and said.isprintable() and len(said) <= LONGEST_ID else ""


def addresses_in(blocks: list[Message]) -> frozenset[str]:
    """Every recipient that the blocks name."""
    said = [text(block, name) for block in blocks for name in RECIPIENTS]
    return frozenset(one.lower() for value in said for one in ADDRESS.findall(value.partition(";")[2] or value))


# --- Parts ----------------------------------------------------------------------------------------------
def own_parts(message: Message) -> Iterator[Message]:
    """The mail and its parts in order, without those of a mail inside it."""
    left, seen = [message], 0
    while left and seen < MOST_PARTS:
        part, seen = left.pop(), seen + 1
        yield part
        inner = part.get_payload()
        if part.get_content_maintype() == "multipart" and isinstance(inner, list):
            left.extend(one for one in reversed(inner) if isinstance(one, Message))


def blocks_of(part: Message) -> list[Message]:
    """The groups of fields of a report, parted by empty lines."""
    return [headers_in(block) for block in BLANK.split(body_of(part).strip())[:MOST_BLOCKS]]


def headers_in(content: bytes) -> Message:
    """The fields at its beginning."""
    head = BLANK.split(content.lstrip(), maxsplit=1)[0]
    return email.message_from_bytes(head)


def body_of(part: Message) -> bytes:
    """What stands after the part's own header, with its encoding undone."""
    found = BLANK.split(part.as_bytes(), maxsplit=1)
    body = found[1] if len(found) > 1 else b""
    encoding = str(part.get("Content-Transfer-Encoding", "")).strip().lower()
    if encoding == "base64":
        return base64.b64decode(body)
    return quopri.decodestring(body) if encoding == "quoted-printable" else body


def decoded(part: Message) -> str:
    """A text part, whatever charset it says."""
    content = part.get_payload(decode=True)
    return content.decode("utf-8", "replace") if isinstance(content, bytes) else ""


def text(message: Message, name: str) -> str:
    """A field on one line, with its encoded words as they read."""
    value = str(message.get(name, ""))[:LONGEST_FIELD]
    with suppress(LookupError, ValueError):
        value = str(make_header(decode_header(value)))
    return " ".join(value.split())


def cleaned(words: str) -> str:
    """On one line, cut, without anything that does not print."""
    line = " ".join(words.split())
    return "".join(one for one in line if unicodedata.category(one)[0] != "C")[:LONGEST_WORDS]


def date_of(message: Message) -> datetime | None:
    """When the report says it was written."""
    try:
        at = parsedate_to_datetime(text(message, "Date"))
    except (ValueError, OverflowError):
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)
