"""Lots whose seed is in nobody's hand (R37): first what will be taken is announced, later the value is written in.

The seed of a draw is one text: the head of the audit log when the draw was announced (64 hexadecimal digits), a space,
and the public value. The lots are ordered by scoring.tie_break.draw_lots, so that anyone can draw again.

Why the head of the announcement and not of the draw: who draws may write entries into the log and so try one head after
another, but only while they wish for nothing, since the value is still unknown. Once it is known the head is fixed.
"""

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.accounts.models import Proposal
from tournament.audit import services
from tournament.audit.models import AuditHead
from tournament.core import canonical
from tournament.core.dateformat import datetime_text
from tournament.core.errors import BadInput, Refused
from tournament.core.models.stage import Stage
from tournament.messages.services.published_text import check_published_texts
from tournament.ranking.models.lots import LotsAnnouncement
from tournament.ranking.queries.lots import announced_lots
from tournament.stages.services.second_person import SecondPerson, approve_decision, is_decided_again, propose_decision

ANNOUNCE_LOTS_ACT = "announce_lots"
PUBLIC_VALUE_MAX_LENGTH = 34
LOTS_LOG_LINE_MAX_LENGTH = 500
PUBLIC_NUMBER_RE = re.compile(r"[+-]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?")


@dataclass(frozen=True, slots=True)
class LotsInput:
    """What the chief judge announces: for whom, from which public value, and from when on it can be known."""

    tied: Collection[Any]
    places: int
    public_value: str
    known_from: datetime
    reason: str = ""
    words_confirmed: str = ""


def announce_lots(
    stage: Stage,
    of: str,
    ids: Collection[str],
    given: LotsInput,
    *,
    by: User,
    second: SecondPerson | None = None,
    now: datetime | None = None,
) -> LotsAnnouncement | Proposal:
    """Announce a draw for these; the caller has seen that they are equal, and holds the audit head.

    1. The same that waits already: it is returned. 2. What will be taken is named and not known yet; it names nobody.
    3. Where something was announced or decided about them before: proposed to a second person, with a reason. 4. Row
    and audit entry.
    """
    now = now or timezone.now()
    value, reason = given.public_value.strip(), given.reason.strip()
    waiting = announced_lots(stage, of, ids)
    if waiting and (waiting.public_value, waiting.known_from) == (value, given.known_from):
        return waiting
    if not value:
        raise BadInput("public_value_missing", _("Write which public figure will be taken, and how it is written."))
    if given.known_from <= now:
        raise BadInput(
            "value_known_already",
            _("The figure must not be known yet: write a moment to come. A figure that is known may have been chosen."),
        )
    again = is_decided_again(stage, of, ids)
    if again and not reason:
        raise BadInput("reason_missing", _("Write down why it is drawn again: the reason is published."))
    passed = check_published_texts(
        stage.event, {"public_value": value, "reason": reason}, confirmed=given.words_confirmed
    )
    if again and second is None:
        facts: dict[str, Any] = {"public_value": value, "known_from": given.known_from.isoformat(), "reason": reason}
        facts |= {"tied": list(given.tied), "places": given.places, "words_confirmed": given.words_confirmed}
        return propose_decision(stage, ANNOUNCE_LOTS_ACT, of, facts, ids=ids, by=by)
    if second is not None:
        approve_decision(stage, of, second, ids=ids, places=given.places)
    head = AuditHead.objects.get(event=stage.event_id)
    made = LotsAnnouncement.objects.create(
        stage=stage,
        of=of,
        tied=sorted(ids),
        places=given.places,
        public_value=value,
        known_from=given.known_from,
        reason=reason,
        head_seq=head.seq,
        head_hash=head.hash,
        by=by,
        at=now,
        agreed_by=second.by if second else None,
    )
    subject = f"stage {stage.kind}"
    line, digest = announcement_log_text(made), announcement_digest(made)
    services.append_audit_entry(stage.event, by, "announce_lots", subject, digest=("", digest), reason=line, at=made.at)
    passed.record(stage.event, by, subject)
    return made


def announcement_digest(made: LotsAnnouncement) -> str:
    """Of one announcement, all of it."""
    names = ("of", "tied", "places", "public_value", "reason", "head_seq", "head_hash", "agreed_by_id")
    return canonical.digest_of([*(getattr(made, name) for name in names), canonical.instant(made.known_from)])


def announcement_log_text(made: LotsAnnouncement) -> str:
    """For the log: for whom, from what, known from when, after which head."""
    about = f"{made.of} {' '.join(made.tied)} for {made.places} places: {made.public_value}, known from"
    again = f" {made.reason}" if made.reason else ""
    return f"{about} {timezone.localtime(made.known_from):%Y-%m-%d %H:%M}; head {made.head_seq}.{again}"[
        :LOTS_LOG_LINE_MAX_LENGTH
    ]


def seed_of_value(stage: Stage, of: str, ids: Collection[str], places: int, value: str, now: datetime) -> str:
    """The seed of the draw that was announced for these, now that its value is known.

    Refused: `lots_not_announced`, `value_not_known_yet`; BadInput: `value_missing`, `value_unreadable`.
    """
    announced = announced_lots(stage, of, ids)
    if announced is None or (announced.of, announced.places) != (of, places):
        raise Refused(
            "lots_not_announced",
            _("No draw is announced for these. Announce first which public figure will be taken; draw when it is out."),
        )
    if now < announced.known_from:
        raise Refused(
            "value_not_known_yet",
            _("The figure is announced for %(at)s. It is written in once it is known."),
            at=datetime_text(announced.known_from),
        )
    return f"{announced.head_hash} {value_text(value)}"


def value_text(text: str) -> str:
    """One spelling for one figure: 24,123.50 is 24123.5; several figures with one space between them."""
    parts = unicodedata.normalize("NFKC", text).split()
    if not parts:
        raise BadInput("value_missing", _("Write the public figure that was announced."))
    if not all(PUBLIC_NUMBER_RE.fullmatch(part) for part in parts):
        raise BadInput("value_unreadable", _("Write figures alone, as 24123.5 or 3 12 24: no words, no units."))
    value = " ".join(plain_number(part) for part in parts)
    if len(value) > PUBLIC_VALUE_MAX_LENGTH:
        raise BadInput("value_unreadable", _("Write figures alone, as 24123.5 or 3 12 24: no words, no units."))
    return value


def plain_number(part: str) -> str:
    """Without separators, sign of a plus, or zeros that say nothing."""
    number = Decimal(part.replace(",", ""))
    text = f"{number:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return text if Decimal(text) else "0"
