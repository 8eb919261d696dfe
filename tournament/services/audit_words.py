"""Words that left the house after what they told was in force no more: a mail of results that were withdrawn or
replaced, of a notice that was corrected."""

from datetime import datetime, timedelta

from tournament.enums import DeliveryState, MailingKind
from tournament.models import Delivery, Event, Mailing, Notice, Release
from tournament.queries import audit as queries
from tournament.services.audit import instant
from tournament.services.audit_chain import Chain
from tournament.services.mailings import thing_of

# What a worker had in hand when its subject ended may still go out.
IN_HAND = timedelta(minutes=1)


def check_words(chain: Chain, using: str) -> None:
    """Every mailing whose subject has ended: no mail of it was begun afterwards."""
    ends = {**release_ends(chain.event, using), **notice_ends(chain.event, using)}
    for mailing in queries.mailings_of(chain.event, using):
        end = ends.get(about(mailing))
        if end is None:
            continue
        sent = Delivery.objects.using(using).filter(mailing=mailing, state=DeliveryState.SENT)
        if late := sent.filter(claimed_at__gt=end + IN_HAND).count():
            chain.find("mailed_after_its_end", thing_of(mailing), instant(end), f"{late} mails")


def about(mailing: Mailing) -> str:
    """As the ends are called; empty where its subject has no end of this kind."""
    if mailing.kind == MailingKind.RESULTS:
        return mailing.subject
    return f"notice {mailing.notice_id}" if mailing.notice_id else ""


def release_ends(event: Event, using: str) -> dict[str, datetime]:
    """When each was withdrawn, or the next of its stage released."""
    rows = list(Release.objects.using(using).filter(stage__event=event).defer("content", "people").order_by("number"))
    found = {}
    for place, row in enumerate(rows):
        newer = [one.released_at for one in rows[place + 1 :] if one.stage_id == row.stage_id][:1]
        if times := [*([row.withdrawn_at] if row.withdrawn_at else []), *newer]:
            found[f"release {row.number}"] = min(times)
    return found


def notice_ends(event: Event, using: str) -> dict[str, datetime]:
    """When each was corrected by another that is published."""
    rows = Notice.objects.using(using).filter(event=event, number__isnull=False, corrects__isnull=False)
    found: dict[str, datetime] = {}
    for row in rows.order_by("number"):
        if row.published_at:
            found.setdefault(f"notice {row.corrects_id}", row.published_at)
    return found
