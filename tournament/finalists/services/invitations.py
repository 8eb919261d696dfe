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

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_noop as _

from tournament.audit import services
from tournament.audit.models import AuditHead
from tournament.core.errors import BadInput, Gone, NotFoundRefused, Refused, TooManyRequests
from tournament.core.models.stage import Stage
from tournament.entrants.models.final import Invitation, LinkTry
from tournament.entrants.models.people import Entrant
from tournament.finalists import queries
from tournament.finalists.domain.release_places import live_places
from tournament.finalists.services.release_places import link_digest, record_place_answer
from tournament.releases.models import PlaceAnswer

KEY_OF = "tournament.place-link-1"
NONCE_BYTES = 32
# 25 of Crockford's characters are 125 bits; in groups of five they can be read out and typed from paper.
PLACE_LINK_SECRET_LENGTH, PLACE_LINK_GROUP_LENGTH = 25, 5
RFC_4648, BASE32_CROCKFORD = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "0123456789abcdefghjkmnpqrstvwxyz"
TO_CROCKFORD = str.maketrans(RFC_4648, BASE32_CROCKFORD)
MISREAD_LETTERS = str.maketrans("ilo", "110")
PLACE_LINK_RE = re.compile(r"([0-9]{1,9})-([0-9a-z-]{1,80})", re.ASCII)
PLACE_LINK_MAX_TRIES, PLACE_LINK_TRIES_WINDOW, PLACE_LINK_TRIES_KEPT_FOR = 10, timedelta(minutes=15), timedelta(hours=1)
PLACE_LINK_REASON_MAX_LENGTH = 500

PLACE_LINK_UNKNOWN = _(
    "This link is not one of ours. Look at the letter again, every letter and figure of the address."
)
PLACE_LINK_REVOKED = _(
    "This link counts no more: another one was made, or it was taken back. Ask the desk for the newest."
)
PLACE_LINK_TOO_MANY_TRIES = _(
    "This link is not one of ours, and too many such were tried from here. Look at the letter again, then wait "
    "%(wait)s seconds. A right link opens at once."
)
NO_PLACE = _("Entrant %(number)s holds no place now, so that there is nothing to invite to.")
PLACE_LINK_REASON_MISSING = _("Write down why, in at most 500 characters.")


# --- The text of a link ---------------------------------------------------------------------------------
def place_link_token(invitation: Invitation) -> str:
    """What stands in the address: `12-7k3fm-…`, five groups of five."""
    text = secret_of(invitation)
    groups = [
        text[start : start + PLACE_LINK_GROUP_LENGTH]
        for start in range(0, PLACE_LINK_SECRET_LENGTH, PLACE_LINK_GROUP_LENGTH)
    ]
    return "-".join([str(invitation.pk), *groups])


def secret_of(invitation: Invitation) -> str:
    """The part that only this installation can make."""
    value = f"{invitation.pk} {invitation.stage_id} {invitation.entrant_id} {invitation.nonce}"
    digest = salted_hmac(KEY_OF, value, algorithm="sha256").digest()
    return base64.b32encode(digest).decode().translate(TO_CROCKFORD)[:PLACE_LINK_SECRET_LENGTH]


def read_token(text: str) -> tuple[int, str] | None:
    """The id and the secret of a link as it was typed: capitals, spaces, i for 1 and o for 0 are all the same."""
    found = PLACE_LINK_RE.fullmatch(re.sub(r"\s+", "", text.lower()))
    return (int(found[1]), found[2].replace("-", "").translate(MISREAD_LETTERS)) if found else None


# --- Made and revoked -----------------------------------------------------------------------------------
@transaction.atomic
def make_place_links(stage: Stage, *, by: User, now: datetime | None = None) -> list[Invitation]:
    """A link for everyone who holds a place and has none; the new ones. Sent again: none.

    1. The audit head is the lock. 2. Who holds a place now, reserves who were called among them. 3. Rows and entries.
    """
    now = now or timezone.now()
    AuditHead.objects.select_for_update(no_key=True).get(event=stage.event_id)
    live, have = live_places(stage), queries.links_in_force(stage)
    rows = [live.entrants[holder.id] for holder in live.places.holders]
    wanted = {row.id for row in rows if row.number not in have}
    return [
        create_place_link(stage, entrant, by, now)
        for entrant in Entrant.objects.filter(pk__in=wanted).order_by("number")
    ]


@transaction.atomic
def replace_place_link(
    stage: Stage, *, number: int, reason: str, by: User, now: datetime | None = None, seen: int = 0
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
        revoke_link_in_force(standing, reason, by, now)
    return create_place_link(stage, Entrant.objects.get(pk=row.id), by, now)


@transaction.atomic
def revoke_place_link(
    stage: Stage, *, number: int, reason: str, by: User, now: datetime | None = None
) -> Invitation | None:
    """The link in force counts no more; answers given by it stand. None: there was none, and nothing is written."""
    AuditHead.objects.select_for_update(no_key=True).get(event=stage.event_id)
    standing = queries.links_in_force(stage).get(number)
    if standing is not None:
        revoke_link_in_force(standing, reason, by, now or timezone.now())
    return standing


@transaction.atomic
def export_place_links(stage: Stage, *, what: str, by: User) -> list[Invitation]:
    """The links in force for a file that leaves with them, letters or a list; that it left is written down each
    time."""
    AuditHead.objects.select_for_update(no_key=True).get(event=stage.event_id)
    links = list(queries.links_in_force(stage).values())
    if not links:
        raise Refused("no_links", _("There is no link yet. Make the links first."))
    services.append_audit_entry(
        stage.event, by, "take_out_links", f"stage {stage.kind}", details={"what": what, "links": len(links)}
    )
    return sorted(links, key=lambda one: one.entrant.number)


def create_place_link(stage: Stage, entrant: Entrant, by: User, now: datetime) -> Invitation:
    """A new private link for an entrant's place; the log has its digest."""
    made = Invitation.objects.create(
        stage=stage, entrant=entrant, nonce=secrets.token_urlsafe(NONCE_BYTES), made_by=by, made_at=now
    )
    services.append_audit_entry(
        stage.event, by, "make_link", f"entrant {entrant}", digest=("", link_digest(made)), at=now
    )
    return made


def revoke_link_in_force(standing: Invitation, reason: str, by: User, now: datetime) -> None:
    """The swap is from a link in force; the reason stands in the log."""
    reason = reason.strip()
    if not 0 < len(reason) <= PLACE_LINK_REASON_MAX_LENGTH:
        raise BadInput("reason_missing", PLACE_LINK_REASON_MISSING)
    Invitation.objects.filter(pk=standing.pk, revoked_at=None).update(revoked_at=now)
    standing.revoked_at = now
    digest = link_digest(standing)
    subject = f"entrant {standing.entrant}"
    services.append_audit_entry(
        standing.stage.event, by, "revoke_link", subject, digest=(digest, digest), reason=reason, at=now
    )


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
        raise unknown_place_link_error(source, now)
    if found.revoked_at is not None:
        raise Gone("link_revoked", PLACE_LINK_REVOKED)
    return found


def unknown_place_link_error(source: str, now: datetime) -> Refused:
    """What an unknown link is answered: 404, counted, or 429, which is not."""
    place = hashlib.sha256(salted_hmac(KEY_OF, source, algorithm="sha256").digest()).hexdigest()
    wrong = queries.link_tries_since(place, now - PLACE_LINK_TRIES_WINDOW)
    if len(wrong) >= PLACE_LINK_MAX_TRIES:
        return TooManyRequests(
            "too_many_links",
            PLACE_LINK_TOO_MANY_TRIES,
            max(1, round((wrong[0] + PLACE_LINK_TRIES_WINDOW - now).total_seconds())),
        )
    LinkTry.objects.filter(at__lt=now - PLACE_LINK_TRIES_KEPT_FOR).delete()
    LinkTry.objects.create(source=place, at=now)
    return NotFoundRefused("link_unknown", PLACE_LINK_UNKNOWN)


@transaction.atomic
def answer_by_link(invitation: Invitation, *, answer: str, seen: int, now: datetime | None = None) -> PlaceAnswer:
    """Record what came by a link, as `release_places.record_answer` does; 410 where it was revoked meanwhile."""
    AuditHead.objects.select_for_update(no_key=True).get(event=invitation.stage.event_id)
    if Invitation.objects.filter(pk=invitation.pk, revoked_at=None).first() is None:
        raise Gone("link_revoked", PLACE_LINK_REVOKED)
    number = invitation.entrant.number
    return record_place_answer(
        invitation.stage, number=number, answer=answer, by=None, seen=seen, invitation=invitation, now=now
    )
