"""Private links by which finalists answer: made, shown, followed, revoked (R37).

A link's text is the row's id and an HMAC over the row's nonce with a key derived from the installation's own. So the
desk can show and print a link again at any time, and neither the database nor a backup holds anything that opens one.
An installation that gets another SECRET_KEY makes its links anew.
"""

import base64
import hashlib
import hmac
import re
import secrets
from datetime import datetime, timedelta

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_noop as _

from tournament.bridge.release_places import live_places
from tournament.errors import BadInput, Gone, Missing, Refused, TooMany
from tournament.models import AuditHead, Entrant, Invitation, LinkTry, PlaceAnswer, Stage
from tournament.queries import invitations as queries
from tournament.services import audit
from tournament.services.release_places import link_digest, record_answer

KEY_OF = "tournament.place-link-1"
NONCE_BYTES = 32
# 25 of Crockford's characters are 125 bits; in groups of five they can be read out and typed from paper.
SECRET, GROUP = 25, 5
RFC_4648, CROCKFORD = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "0123456789abcdefghjkmnpqrstvwxyz"
SPELLED = str.maketrans(RFC_4648, CROCKFORD)
MISREAD = str.maketrans("ilo", "110")
LINK = re.compile(r"([0-9]{1,9})-([0-9a-z-]{1,80})", re.ASCII)
TRIES, TRIES_WITHIN, KEPT_FOR = 10, timedelta(minutes=15), timedelta(hours=1)
LONGEST_REASON = 500

UNKNOWN = _("This link is not one of ours. Look at the letter again, every letter and figure of the address.")
REVOKED = _("This link counts no more: another one was made, or it was taken back. Ask the desk for the newest.")
TOO_MANY = _(
    "This link is not one of ours, and too many such were tried from here. Look at the letter again, then wait "
    "%(wait)s seconds. A right link opens at once."
)
NO_PLACE = _("Entrant %(number)s holds no place now, so that there is nothing to invite to.")
REASON = _("Write down why, in at most 500 characters.")


# --- The text of a link ---------------------------------------------------------------------------------
def token_of(invitation: Invitation) -> str:
    """What stands in the address: `12-7k3fm-…`, five groups of five."""
    text = secret_of(invitation)
    groups = [text[start : start + GROUP] for start in range(0, SECRET, GROUP)]
    return "-".join([str(invitation.pk), *groups])


def secret_of(invitation: Invitation) -> str:
    """The part that only this installation can make."""
    value = f"{invitation.pk} {invitation.stage_id} {invitation.entrant_id} {invitation.nonce}"
    digest = salted_hmac(KEY_OF, value, algorithm="sha256").digest()
    return base64.b32encode(digest).decode().translate(SPELLED)[:SECRET]


def read_token(text: str) -> tuple[int, str] | None:
    """The id and the secret of a link as it was typed: capitals, spaces, i for 1 and o for 0 are all the same."""
    found = LINK.fullmatch(re.sub(r"\s+", "", text.lower()))
    return (int(found[1]), found[2].replace("-", "").translate(MISREAD)) if found else None


# --- Made and revoked -----------------------------------------------------------------------------------
@transaction.atomic
def make_links(stage: Stage, *, by: AbstractUser, now: datetime | None = None) -> list[Invitation]:
    """A link for everyone who holds a place and has none; the new ones. Sent again: none.

    1. The audit head is the lock. 2. Who holds a place now, reserves who were called among them. 3. Rows and entries.
    """
    now = now or timezone.now()
    AuditHead.objects.select_for_update(no_key=True).get(event=stage.event_id)
    live, have = live_places(stage), queries.links_in_force(stage)
    rows = [live.entrants[holder.id] for holder in live.places.holders]
    wanted = {row.id for row in rows if row.number not in have}
    return [_make(stage, entrant, by, now) for entrant in Entrant.objects.filter(pk__in=wanted).order_by("number")]


@transaction.atomic
def replace_link(
    stage: Stage, *, number: int, reason: str, by: AbstractUser, now: datetime | None = None, seen: int = 0
) -> Invitation:
    """A new link for one who holds a place; the one before is revoked. `seen`: the one that was shown, by id (0: none).

    Sent again it finds another link than the one seen, which is answered as it is.
    """
    now = now or timezone.now()
    AuditHead.objects.select_for_update(no_key=True).get(event=stage.event_id)
    standing = queries.links_in_force(stage).get(number)
    if standing is not None and standing.pk != seen:
        return standing
    live = live_places(stage)
    row = next((live.entrants[one.id] for one in live.places.holders if live.entrants[one.id].number == number), None)
    if row is None:
        raise Refused("no_place", NO_PLACE, number=f"{number:04d}")
    if standing is not None:
        _revoke(standing, reason, by, now)
    return _make(stage, Entrant.objects.get(pk=row.id), by, now)


@transaction.atomic
def revoke_link(
    stage: Stage, *, number: int, reason: str, by: AbstractUser, now: datetime | None = None
) -> Invitation | None:
    """The link in force counts no more; answers given by it stand. None: there was none, and nothing is written."""
    AuditHead.objects.select_for_update(no_key=True).get(event=stage.event_id)
    standing = queries.links_in_force(stage).get(number)
    if standing is not None:
        _revoke(standing, reason, by, now or timezone.now())
    return standing


@transaction.atomic
def take_out(stage: Stage, *, what: str, by: AbstractUser) -> list[Invitation]:
    """The links in force for a file that leaves with them, letters or a list; that it left is written down each
    time."""
    AuditHead.objects.select_for_update(no_key=True).get(event=stage.event_id)
    links = list(queries.links_in_force(stage).values())
    if not links:
        raise Refused("no_links", _("There is no link yet. Make the links first."))
    audit.record(stage.event, by, "take_out_links", f"stage {stage.kind}", reason=f"{what}, {len(links)}")
    return sorted(links, key=lambda one: one.entrant.number)


def _make(stage: Stage, entrant: Entrant, by: AbstractUser, now: datetime) -> Invitation:
    made = Invitation.objects.create(
        stage=stage, entrant=entrant, nonce=secrets.token_urlsafe(NONCE_BYTES), made_by=by, made_at=now
    )
    audit.record(stage.event, by, "make_link", f"entrant {entrant}", digest=("", link_digest(made)), at=now)
    return made


def _revoke(standing: Invitation, reason: str, by: AbstractUser, now: datetime) -> None:
    """The swap is from a link in force; the reason stands in the log."""
    reason = reason.strip()
    if not 0 < len(reason) <= LONGEST_REASON:
        raise BadInput("reason_missing", REASON)
    Invitation.objects.filter(pk=standing.pk, revoked_at=None).update(revoked_at=now)
    standing.revoked_at = now
    digest = link_digest(standing)
    thing = f"entrant {standing.entrant}"
    audit.record(standing.stage.event, by, "revoke_link", thing, digest=(digest, digest), reason=reason, at=now)


# --- Followed -------------------------------------------------------------------------------------------
def find_link(text: str, *, source: str, now: datetime | None = None) -> Invitation:
    """The link of this text. `source`: where it was asked from; its digest alone is kept, with what was wrong.

    The secret is looked at first: a link of ours opens, whoever guessed wrong beside it. 404 as `link_unknown`, 410
    `link_revoked`; from the eleventh unknown one within a quarter of an hour on, 429 `too_many_links` instead of 404.
    """
    now = now or timezone.now()
    typed = read_token(text)
    found = queries.invitation_by_id(typed[0]) if typed else None
    if typed is None or found is None or not hmac.compare_digest(secret_of(found), typed[1]):
        raise refusal_of_unknown(source, now)
    if found.revoked_at is not None:
        raise Gone("link_revoked", REVOKED)
    return found


def refusal_of_unknown(source: str, now: datetime) -> Refused:
    """What an unknown link is answered: 404, counted, or 429, which is not."""
    place = hashlib.sha256(salted_hmac(KEY_OF, source, algorithm="sha256").digest()).hexdigest()
    wrong = queries.tries_since(place, now - TRIES_WITHIN)
    if len(wrong) >= TRIES:
        return TooMany("too_many_links", TOO_MANY, max(1, round((wrong[0] + TRIES_WITHIN - now).total_seconds())))
    LinkTry.objects.filter(at__lt=now - KEPT_FOR).delete()
    LinkTry.objects.create(source=place, at=now)
    return Missing("link_unknown", UNKNOWN)


@transaction.atomic
def answer_by_link(invitation: Invitation, *, answer: str, seen: int, now: datetime | None = None) -> PlaceAnswer:
    """Record what came by a link, as `release_places.record_answer` does; 410 where it was revoked meanwhile."""
    AuditHead.objects.select_for_update(no_key=True).get(event=invitation.stage.event_id)
    if Invitation.objects.filter(pk=invitation.pk, revoked_at=None).first() is None:
        raise Gone("link_revoked", REVOKED)
    number = invitation.entrant.number
    return record_answer(
        invitation.stage, number=number, answer=answer, by=None, seen=seen, invitation=invitation, now=now
    )
