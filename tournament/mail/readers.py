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
from typing import Any

from tournament.core.enums import BounceKind

MAX_REPORT_WORDS, MAX_REPORT_FIELD, MAX_MESSAGE_ID, MAX_REPORT_PARTS, MAX_REPORT_BLOCKS = 2000, 4000, 200, 100, 50
STATUS_TYPES = ("message/delivery-status", "message/global-delivery-status")
RETURNED_TYPES = (
    *("message/rfc822", "message/global", "message/global-headers"),
    *("text/rfc822-headers", "message/rfc822-headers"),
)
# Whom a report was handed to, as each server writes it.
ADDRESSEE_FIELDS = ("To", "Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To", "X-Delivered-To", "Received")
RECIPIENT_FIELDS = (
    "Final-Recipient",
    "Original-Recipient",
    "X-Actual-Recipient",
    "Original-Rcpt-To",
    "Removal-Recipient",
)
BOUNCE_SENDERS = ("mailer-daemon", "postmaster")
# Bounded: a line may be as long as its writer likes.
MAIL_ADDRESS_PATTERN = re.compile(r"[^\s<>()\[\],;:\"'@]{1,64}@[^\s<>()\[\],;:\"'@]{1,255}")
ENHANCED_CODE_PATTERN = re.compile(r"(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.])")
SMTP_REPLY_PATTERN = re.compile(r"(?<![\d.])([45])\d\d(?![\d.])")
MESSAGE_ID = re.compile(r"^Message-ID:\s*(<[^<>\s]+>)", re.IGNORECASE | re.MULTILINE)
# A line of blanks alone goes on with the field before it (RFC 5322, 4.2).
BLANK_LINE_PATTERN = re.compile(rb"\r?\n\r?\n")
BOUNCE_KIND_OF_ACTION = {"failed": BounceKind.HARD, "delayed": BounceKind.SOFT}
ACTIONS_OF_ARRIVAL = ("delivered", "relayed", "expanded")
BOUNCE_KIND_OF_CLASS = {"5": BounceKind.HARD, "4": BounceKind.SOFT}
AUTOMATIC_SUBJECTS = ("automatic reply", "auto reply", "autoreply", "out of office", "自動回覆", "自动回复")


@dataclass(frozen=True, slots=True)
class BounceReport:
    """What is reported, and by what the mail may be known. `code` is RFC 3463's, where there is one; `addresses` are of
    the recipients that it names, in lower case."""

    kind: BounceKind
    code: str = ""
    words: str = ""
    at: datetime | None = None
    tokens: tuple[str, ...] = ()
    message_ids: tuple[str, ...] = ()
    addresses: frozenset[str] = frozenset()


class ReportIgnored(Exception):
    """An automatic answer, a receipt, a report of success: it says of no mail that it came back."""


class ReportUnreadable(Exception):
    """A person must look what it is."""


def read_report(content: bytes, return_address: str) -> BounceReport:
    """The report. Raises `ReportIgnored` or `ReportUnreadable` and nothing else. `return_address`: the setting, may be
    empty.
    """
    try:
        return read_report_message(email.message_from_bytes(content), return_address)
    except (ReportIgnored, ReportUnreadable):
        raise
    except Exception as fault:
        raise ReportUnreadable(type(fault).__name__) from fault


def read_report_message(message: Message, return_address: str) -> BounceReport:
    """By the first part that says what became of a mail."""
    parts = list(own_message_parts(message))
    returned = [header_fields_in(body_of_part(part)) for part in parts if part.get_content_type() in RETURNED_TYPES]
    known = {"tokens": bounce_tokens_in_message(message, returned, return_address), "at": date_of_report(message)}
    known["message_ids"] = tuple(id for one in returned if (id := plausible_message_id(header_text(one, "Message-ID"))))
    status = [block for part in parts if part.get_content_type() in STATUS_TYPES for block in report_blocks_of(part)]
    if status:
        return report_from_status(status, known)
    feedback = [
        b for part in parts if part.get_content_type() == "message/feedback-report" for b in report_blocks_of(part)
    ]
    if feedback:
        return report_from_feedback(feedback, known, return_address)
    if failed := message.get_all("X-Failed-Recipients"):
        return report_from_words(parts, failed, known)
    if is_automatic_answer(message):
        raise ReportIgnored
    raise ReportUnreadable("no report")


# --- What it says ---------------------------------------------------------------------------------------
def report_from_status(blocks: list[Message], known: dict[str, Any]) -> BounceReport:
    """One that failed counts before one that is late, and that before one that arrived."""
    judged = [(kind, block) for block in blocks if (kind := bounce_kind_of_block(block)) is not None]
    for wanted in BounceKind.HARD, BounceKind.SOFT:
        for kind, block in judged:
            if kind == wanted:
                words = header_text(block, "Diagnostic-Code").partition(";")
                said = words[2].strip() or words[0].strip() or header_text(block, "Status")
                return BounceReport(
                    wanted,
                    status_code_of_block(block),
                    clean_report_words(said),
                    addresses=recipients_in_blocks(blocks),
                    **known,
                )
    if judged:
        raise ReportIgnored
    raise ReportUnreadable("no status")


def bounce_kind_of_block(block: Message) -> BounceKind | str | None:
    """By its action, else by the class of its status; "": it arrived; None: it says nothing of a recipient."""
    action = header_text(block, "Action").lower().split()
    word = action[0].strip("().,;") if action else ""
    if word in BOUNCE_KIND_OF_ACTION:
        return BOUNCE_KIND_OF_ACTION[word]
    if word in ACTIONS_OF_ARRIVAL:
        return ""
    figure = status_code_of_block(block)[:1]
    found = SMTP_REPLY_PATTERN.search(header_text(block, "Diagnostic-Code"))
    figure = figure or (found[1] if found else "")
    return "" if figure == "2" else BOUNCE_KIND_OF_CLASS.get(figure)


def status_code_of_block(block: Message) -> str:
    """Of its status, else what its words have."""
    found = ENHANCED_CODE_PATTERN.search(header_text(block, "Status")) or ENHANCED_CODE_PATTERN.search(
        header_text(block, "Diagnostic-Code")
    )
    return found[1] if found else ""


def report_from_feedback(blocks: list[Message], known: dict[str, Any], return_address: str) -> BounceReport:
    """A recipient called it unwanted; "not-spam" takes that back, which changes nothing here."""
    kinds = {header_text(block, "Feedback-Type").lower() for block in blocks} - {""}
    if kinds <= {"not-spam"}:
        raise ReportIgnored
    tokens = [
        token
        for block in blocks
        for token in bounce_tokens_in_text(header_text(block, "Original-Mail-From"), return_address)
    ]
    known["tokens"] = (*known["tokens"], *tokens)
    return BounceReport(
        BounceKind.COMPLAINT, "", " ".join(sorted(kinds))[:40], addresses=recipients_in_blocks(blocks), **known
    )


def report_from_words(parts: list[Message], failed: list[str], known: dict[str, Any]) -> BounceReport:
    """A mail server's own words beside the addresses that it names as failed."""
    texts = [said for part in parts if part.get_content_type() == "text/plain" for said in [decode_text_part(part)]]
    said = "\n".join(texts)
    known["message_ids"] = (*known["message_ids"], *(id for id in MESSAGE_ID.findall(said) if plausible_message_id(id)))
    line = next(
        (line for line in said.splitlines() if ENHANCED_CODE_PATTERN.search(line) or SMTP_REPLY_PATTERN.search(line)),
        "",
    )
    code = ENHANCED_CODE_PATTERN.search(line)
    named = frozenset(one.lower() for value in failed for one in MAIL_ADDRESS_PATTERN.findall(str(value)))
    return BounceReport(BounceKind.HARD, code[1] if code else "", clean_report_words(line), addresses=named, **known)


def is_automatic_answer(message: Message) -> bool:
    """Somebody's program answers; a mail server's own words, which are no report, are left for a person."""
    sender = header_text(message, "From").lower()
    if any(f"{name}@" in sender for name in BOUNCE_SENDERS):
        return False
    if str(message.get_param("report-type") or "").lower() == "disposition-notification":
        return True
    if header_text(message, "Auto-Submitted").lower().partition(";")[0].strip() not in ("", "no"):
        return True
    marks = ("X-Autoreply", "X-Autorespond", "X-Auto-Reply")
    subject = header_text(message, "Subject").lower()
    return any(message[mark] is not None for mark in marks) or subject.startswith(AUTOMATIC_SUBJECTS)


# --- By what the mail is known ---------------------------------------------------------------------------
def bounce_tokens_in_message(message: Message, returned: list[Message], return_address: str) -> tuple[str, ...]:
    """Whatever stands where a token would: in the address that it came to, or that the returned mail had come from."""
    said = [str(value) for name in ADDRESSEE_FIELDS for value in message.get_all(name, [])]
    said += [str(value) for one in returned for value in one.get_all("Return-Path", [])]
    return tuple(dict.fromkeys(token for value in said for token in bounce_tokens_in_text(value, return_address)))


def bounce_tokens_in_text(said: str, return_address: str) -> list[str]:
    """Between the + and the @ of the address, whatever its case."""
    local, sign, domain = return_address.rpartition("@")
    if not sign:
        return []
    found = re.findall(rf"{re.escape(local)}\+([0-9a-z.-]{{1,60}})@{re.escape(domain)}", said, re.IGNORECASE)
    return [token.lower() for token in found]


def plausible_message_id(said: str) -> str:
    """One that could be ours; empty for anything else."""
    said = said.strip()
    return said if said.isascii() and said.isprintable() and len(said) <= MAX_MESSAGE_ID else ""


def recipients_in_blocks(blocks: list[Message]) -> frozenset[str]:
    """Every recipient that the blocks name."""
    said = [header_text(block, name) for block in blocks for name in RECIPIENT_FIELDS]
    return frozenset(
        one.lower() for value in said for one in MAIL_ADDRESS_PATTERN.findall(value.partition(";")[2] or value)
    )


# --- Parts ----------------------------------------------------------------------------------------------
def own_message_parts(message: Message) -> Iterator[Message]:
    """The mail and its parts in order, without those of a mail inside it."""
    left, seen = [message], 0
    while left and seen < MAX_REPORT_PARTS:
        part, seen = left.pop(), seen + 1
        yield part
        inner = part.get_payload()
        if part.get_content_maintype() == "multipart" and isinstance(inner, list):
            left.extend(one for one in reversed(inner) if isinstance(one, Message))


def report_blocks_of(part: Message) -> list[Message]:
    """The groups of fields of a report, parted by empty lines."""
    return [
        header_fields_in(block) for block in BLANK_LINE_PATTERN.split(body_of_part(part).strip())[:MAX_REPORT_BLOCKS]
    ]


def header_fields_in(content: bytes) -> Message:
    """The fields at its beginning."""
    head = BLANK_LINE_PATTERN.split(content.lstrip(), maxsplit=1)[0]
    return email.message_from_bytes(head)


def body_of_part(part: Message) -> bytes:
    """What stands after the part's own header, with its encoding undone."""
    found = BLANK_LINE_PATTERN.split(part.as_bytes(), maxsplit=1)
    body = found[1] if len(found) > 1 else b""
    encoding = str(part.get("Content-Transfer-Encoding", "")).strip().lower()
    if encoding == "base64":
        return base64.b64decode(body)
    return quopri.decodestring(body) if encoding == "quoted-printable" else body


def decode_text_part(part: Message) -> str:
    """A text part, whatever charset it says."""
    content = part.get_payload(decode=True)
    return content.decode("utf-8", "replace") if isinstance(content, bytes) else ""


def header_text(message: Message, name: str) -> str:
    """A field on one line, with its encoded words as they read."""
    value = str(message.get(name, ""))[:MAX_REPORT_FIELD]
    with suppress(LookupError, ValueError):
        value = str(make_header(decode_header(value)))
    return " ".join(value.split())


def clean_report_words(words: str) -> str:
    """On one line, cut, without anything that does not print."""
    line = " ".join(words.split())
    return "".join(one for one in line if unicodedata.category(one)[0] != "C")[:MAX_REPORT_WORDS]


def date_of_report(message: Message) -> datetime | None:
    """When the report says it was written."""
    try:
        at = parsedate_to_datetime(header_text(message, "Date"))
    except (ValueError, OverflowError):
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)
