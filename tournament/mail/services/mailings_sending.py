"""Sending: a worker claims a mailing for some seconds, and each mail of it by itself, just before the server has it.

What is promised: nobody is left out, and of one worker that is killed only what was with the server at that moment is
sent again, once, one mail a connection. So a delivery is swapped to `sending` before, and to `sent` right after the
server's yes, each in a transaction of its own; who takes a dead worker's mailing over puts its open mails back.
"""

import hashlib
import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import cast

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.message import SafeMIMEText
from django.db import DatabaseError, OperationalError, close_old_connections, transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.core.enums import DeliveryState, MailingState
from tournament.core.errors import Refused
from tournament.core.services.jobs import ClaimLost
from tournament.mail.adapters.mail import MailDeferred, MailRejected, MailServerDown, MailTransport
from tournament.mail.services import mail_texts
from tournament.mail.services.mailings_lanes import CONNECTION_WAIT_SECONDS, MailConnection, MailConnectionPool
from tournament.messages.domain import grounds_messages
from tournament.messages.models import Delivery, Mailing
from tournament.messages.queries import mailings as queries
from tournament.messages.queries.bounces import bounce_return_address
from tournament.messages.services import mailings, mailings_ending
from tournament.messages.services.mailings_subjects import SUBJECT_CHANGED_ADVICE

# Of one mail: after so many refusals for the moment it counts as failed. Half an hour, by MAIL_RETRY_AFTER as it is.
DELIVERY_MAX_TRIES = 8
MAIL_SERVER_MAX_WAIT = timedelta(seconds=600)
# Of the whole mailing: the server is asked again at least once a minute, since a notice cannot wait.
MAIL_CLAIM_MAX_SILENCE = timedelta(seconds=60)
# So many refusals for the moment one after another are the server's, not the recipients'; of those that name a mailbox,
# as a full one, so many with no mail taken in between.
REFUSALS_UNTIL_WAIT = 5
FULL_MAILBOXES_UNTIL_WAIT = 50
MARK_TRIES, MARK_PAUSE = 10, 1.0
SERVER_ANSWER_MAX_LENGTH = 300

MAIL_SERVER_SILENT = _("The mail server does not answer, or takes no mail from here. It is asked again by itself.")
MAIL_SERVER_BUSY = _("The mail server takes no mail at the moment. It is asked again by itself.")
NO_TEXT = _("The text of this mail could not be made: a fault of the system, told in its log.")
MAIL_SENT_UNKNOWN = _("The worker ended while this mail was with the server: whether it was sent is not known.")
logger = logging.getLogger(__name__)


def send_some(worker: str, seconds: float) -> bool:
    """Claim a mailing and send of it for about so many seconds; False: nothing is to be sent now.

    `worker`: the process's own mark. Harmless when several do it, or one twice: a mailing has one claim.
    """
    mailing = claim_mailing(worker)
    if mailing is None:
        return False
    turn = SendRun(mailing, time.monotonic() + seconds)
    try:
        turn.run()
        turn.release()
    except ClaimLost:
        logger.info("%s: paused, stopped, or another worker has it", mailing)
        release_mailing_claim(mailing)
    finally:
        turn.close()
    return True


def claim_mailing(worker: str) -> Mailing | None:
    """The mailing that is most urgent, now this worker's, with a dead worker's open mail put back; None: nothing.

    The swap is from the very row that was read. One that was stopped while its last mail was with a worker that died
    ends here, as does one whose worker died just before it wrote down the end.
    """
    now = timezone.now()
    for row in queries.claimable_mailings(now, now - timedelta(seconds=settings.MAIL_STALE_AFTER))[:10]:
        mark = f"{worker}:{row.pk}:{now.timestamp()}"[-64:]
        read = Mailing.objects.filter(pk=row.pk, state=row.state, claim=row.claim, beat_at=row.beat_at)
        if not read.update(claim=mark, beat_at=now):
            continue
        row.claim = mark
        left = row.deliveries.filter(state=DeliveryState.SENDING)
        if row.state == MailingState.SENDING and row.unsettled:
            left.update(state=DeliveryState.WAITING, claim="")
            return row
        left.update(state=DeliveryState.FAILED, claim="", answer=MAIL_SENT_UNKNOWN)
        mailings.finish_mailing(row, now=now)
    return None


def release_mailing_claim(mailing: Mailing) -> None:
    """It is paused or stopped: whoever goes on need not wait for this worker's signs of life to grow old."""
    Mailing.objects.filter(pk=mailing.pk, claim=mailing.claim).update(claim="")
    if Mailing.objects.filter(pk=mailing.pk, state=MailingState.STOPPED, finished_at=None).exists():
        mailings.finish_mailing(mailing)


class SendRun:
    """One worker's turn at one mailing. Raises `ClaimLost` where it is no longer its own, or is paused or stopped."""

    def __init__(self, mailing: Mailing, until: float) -> None:
        self.mailing, self.until = mailing, until
        self.outlet = MailTransport()
        self.lanes = MailConnectionPool(self.outlet, settings.MAIL_CONNECTIONS)
        self.down: MailServerDown | None = None
        self.next_at = time.monotonic()
        self.taken = self.in_a_row = self.full_in_a_row = 0
        # As the row had it when it was claimed: how long the server was waited for the last time.
        waited = mailing.wait_until - mailing.beat_at if mailing.wait_until and mailing.beat_at else timedelta()
        self.waited = waited if mailing.trouble else timedelta()

    @property
    def mine(self) -> QuerySet[Mailing]:
        """The row, while it is this worker's to send."""
        return Mailing.objects.filter(pk=self.mailing.pk, claim=self.mailing.claim, state=MailingState.SENDING)

    def run(self) -> None:
        """Mail after mail at the mailing's rate, until the time is over, nothing is due or the server is in trouble.

        Whatever ends it, what is with the server is waited for and written down.
        """
        try:
            try:
                while time.monotonic() < self.until and self.send_next():
                    pass
            finally:
                self.drain()
        except MailServerDown as down:
            self.down = down
        if self.down is not None:
            logger.warning("%s: %s", self.mailing, self.down)
            self.wait(MAIL_SERVER_SILENT)
        elif self.is_refused():
            self.wait(MAIL_SERVER_BUSY)

    def send_next(self) -> bool:
        """Hand the next mail to a connection that is free; False: nothing is due, or no connection is left."""
        lane = self.free_lane()
        if self.ends():
            return False
        if not self.lanes.in_flight:
            lane.outlet.open()
        self.keep_rate()
        delivery = None if self.ends() else self.take()
        if delivery is None:
            return False
        made = self.made(delivery)
        if made is not None:
            self.lanes.send(lane, made[0], (delivery, made[1]))
        return True

    def free_lane(self) -> MailConnection:
        """A connection that carries nothing; another is opened where those that are open keep the mail waiting."""
        self.collect()
        while (lane := self.lanes.idle()) is None:
            self.lanes.wait(CONNECTION_WAIT_SECONDS if self.lanes.may_open() else None)
            self.collect()
            if self.lanes.idle() is None and self.lanes.may_open():
                return self.lanes.open()
        return lane

    def collect(self) -> None:
        """Write down what the server has answered; one connection of several that it refuses is done without."""
        for lane, (delivery, digest), answer in self.lanes.answered():
            try:
                self.settle(delivery, digest, answer)
            except MailServerDown as down:
                if not self.lanes.lose(lane):
                    self.down = down

    def drain(self) -> None:
        """Wait for all that is with the server."""
        while self.lanes.in_flight:
            self.lanes.wait(None)
            self.collect()

    def close(self) -> None:
        self.lanes.close()

    def ends(self) -> bool:
        """Whether what came back leaves nothing to go on with."""
        return self.down is not None or self.is_refused()

    def is_refused(self) -> bool:
        """Whether the server takes nobody's mail at the moment."""
        return self.in_a_row >= REFUSALS_UNTIL_WAIT or self.full_in_a_row >= FULL_MAILBOXES_UNTIL_WAIT

    def keep_rate(self) -> None:
        """So many a second at most; what a slow server has cost is not made up for. What comes back meanwhile is
        written down at once."""
        while (pause := self.next_at - time.monotonic()) > 0:
            if self.lanes.in_flight:
                self.lanes.wait(pause)
                self.collect()
            else:
                time.sleep(pause)
        self.next_at = max(self.next_at, time.monotonic()) + 1 / max(self.mailing.rate, 1)

    def take(self) -> Delivery | None:
        """The next delivery whose word is still so, swapped to `sending` with its try counted; with it this worker's
        sign of life. None: nothing is due, or the subject has ended and the mailing with it.

        The row of the mailing is locked first, as by every act that ends it: what it ends is not taken afterwards.
        """
        ended, delivery = self.take_next()
        if ended:
            mailings_ending.end_by_worker(self.mailing)
        return delivery

    def take_next(self) -> tuple[bool, Delivery | None]:
        """Whether the subject has ended; the delivery. Those whose own seat or place is another are stopped."""
        now = timezone.now()
        with transaction.atomic():
            if not self.mine.update(beat_at=now):
                raise ClaimLost(str(self.mailing))
            if self.subject_ended():
                return True, None
            while (pk := queries.due_delivery(self.mailing, now)) is not None:
                due = Delivery.objects.filter(pk=pk, state=DeliveryState.WAITING)
                delivery = queries.delivery_to_send(pk)
                stale = grounds_messages.reason_not_in_force(delivery)
                if stale is not None:
                    due.update(state=DeliveryState.STOPPED, next_try_at=None, answer=SUBJECT_CHANGED_ADVICE[stale.code])
                    continue
                held = {"claim": self.mailing.claim, "claimed_at": now, "tries": delivery.tries + 1}
                if not due.update(state=DeliveryState.SENDING, **held):
                    return False, None
                delivery.tries += 1
                return False, delivery
            return False, None

    def subject_ended(self) -> bool:
        """Whether what the mailing is about counts no more; asked before each mail."""
        return grounds_messages.reason_not_in_force(self.mailing) is not None

    def made(self, delivery: Delivery) -> tuple[EmailMessage, str] | None:
        """The message and the SHA-256 of its bytes; None, with why, where it cannot be made."""
        try:
            message = message_for(delivery)
            return message, hashlib.sha256(freeze_message_bytes(message)).hexdigest()
        except Refused as refused:
            self.fail(delivery, refused.sentence)
        except DatabaseError:
            raise
        except Exception:
            logger.exception("%s: no text", delivery)
            self.fail(delivery, NO_TEXT)
        return None

    def settle(self, delivery: Delivery, digest: str, answer: Callable[[], None]) -> None:
        """Record the server's answer. Raises `MailServerDown` where that is not about this mail; it waits again."""
        try:
            answer()
        except MailRejected as refused:
            self.in_a_row = 0
            self.fail(delivery, str(refused))
        except MailDeferred as refused:
            self.full_in_a_row += refused.of_recipient
            self.in_a_row += not refused.of_recipient
            self.put_off(delivery, str(refused))
        except MailServerDown as down:
            self.own(delivery).update(
                state=DeliveryState.WAITING, claim="", tries=F("tries") - 1, answer=str(down)[:SERVER_ANSWER_MAX_LENGTH]
            )
            raise
        else:
            self.in_a_row = self.full_in_a_row = 0
            mark_sent(delivery, digest)
            self.well()

    def own(self, delivery: Delivery) -> QuerySet[Delivery]:
        """The row, while this worker has it."""
        return Delivery.objects.filter(pk=delivery.pk, state=DeliveryState.SENDING, claim=self.mailing.claim)

    def fail(self, delivery: Delivery, why: str) -> None:
        """Listed, and tried again only when somebody says so."""
        self.own(delivery).update(state=DeliveryState.FAILED, claim="", answer=why[:SERVER_ANSWER_MAX_LENGTH])

    def put_off(self, delivery: Delivery, why: str) -> None:
        """Another time, later with each try; after the last of them it has failed."""
        if delivery.tries >= DELIVERY_MAX_TRIES:
            self.fail(delivery, why)
            return
        seconds = settings.MAIL_RETRY_AFTER * 2 ** (delivery.tries - 1)
        later = timezone.now() + min(timedelta(seconds=seconds), MAIL_SERVER_MAX_WAIT)
        self.own(delivery).update(
            state=DeliveryState.WAITING, claim="", next_try_at=later, answer=why[:SERVER_ANSWER_MAX_LENGTH]
        )

    def well(self) -> None:
        """The server takes mail: the trouble that was told of is over."""
        self.taken += 1
        if self.taken == 1 and self.mailing.trouble:
            self.mine.update(trouble="", wait_until=None)
            self.mailing.trouble = ""

    def wait(self, trouble: str) -> None:
        """The whole mailing waits, twice as long as the last time unless a mail was taken since."""
        first = timedelta(seconds=settings.MAIL_RETRY_AFTER)
        pause = first if self.taken else min(max(2 * self.waited, first), max(MAIL_CLAIM_MAX_SILENCE, first))
        now = timezone.now()
        self.mine.update(trouble=trouble, wait_until=now + pause, beat_at=now)

    def release(self) -> None:
        """Leave the mailing to whoever comes next: at once, when the first of those put off may be tried, or ended.

        The row is locked first, so that somebody who tries failures again at this moment is not overwritten.
        """
        with transaction.atomic():
            if not self.mine.update(claim=""):
                raise ClaimLost(str(self.mailing))
            now_free = Mailing.objects.filter(pk=self.mailing.pk)
            due = queries.next_delivery_try(self.mailing)
            if due is not None and not now_free.filter(wait_until__gte=due).exists():
                now_free.update(wait_until=due)
        mailings.finish_mailing(self.mailing)


def message_for(delivery: Delivery) -> EmailMessage:
    """The text, which goes to the one address of its row under the row's Message-ID, or nowhere.

    Where a return address is set, it is the envelope's sender; the header From stays.
    """
    message = mail_texts.message_of(delivery)
    if message.recipients() != [delivery.address]:
        raise ValueError("a mail has other recipients than its row")
    message.extra_headers["Message-ID"] = delivery.message_id
    if comes_back_to := bounce_return_address(delivery):
        message.extra_headers["From"] = message.from_email
        message.from_email = comes_back_to
    return message


def freeze_message_bytes(message: EmailMessage) -> bytes:
    """The bytes of the message, which from now on are what is sent: Django would make new boundaries each time."""
    made = message.message()
    body = cast(SafeMIMEText, made).as_bytes(linesep="\r\n")
    message.message = lambda **_policy: made  # type: ignore[method-assign]  # of this one message
    return body


def mark_sent(delivery: Delivery, digest: str) -> None:
    """The server said yes, which is so whatever has become of the claim. A database that is away is waited for."""
    row = Delivery.objects.filter(pk=delivery.pk, mailing__finished_at=None).exclude(state=DeliveryState.SENT)
    values = {"state": DeliveryState.SENT, "sent_at": timezone.now(), "digest": digest, "claim": "", "answer": ""}
    for left in reversed(range(MARK_TRIES)):
        try:
            if not row.update(next_try_at=None, **values):
                logger.warning("%s was sent, and had been before", delivery)
            return
        except OperationalError:
            if not left:
                raise
            close_old_connections()
            time.sleep(MARK_PAUSE)


def is_due(now: datetime) -> bool:
    """Whether a worker would find a mailing to claim."""
    return queries.claimable_mailings(now, now - timedelta(seconds=settings.MAIL_STALE_AFTER)).exists()
