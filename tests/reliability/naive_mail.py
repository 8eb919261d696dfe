"""Mail sent the usual way, without the safety: the control. In batches of twenty, marked all before or all after.

Killed before its batch is marked it sends the batch again; killed after it has marked one that is not sent yet, it
leaves those out for ever.
"""

import time

from tests.reliability import django_ready
from tournament.core.enums import DeliveryState
from tournament.mail.adapters.mail import MailDeferred, MailRejected, MailServerDown, MailTransport
from tournament.mail.services.mailings_sending import message_for
from tournament.messages.models import Delivery
from tournament.messages.queries.mailings import delivery_to_send

BATCH = 20


def send(keys: list[int]) -> list[int]:
    """Hand over one after another; who was refused for the moment is left out, once more, by the next batch."""
    outlet, sent = MailTransport(), []
    for key in keys:
        try:
            outlet.send(message_for(delivery_to_send(key)))
        except (MailDeferred, MailServerDown):
            continue
        except MailRejected:
            unmarked = Delivery.objects.filter(pk=key).exclude(state=DeliveryState.SENT)
            unmarked.update(state=DeliveryState.FAILED)
            continue
        sent.append(key)
    outlet.close()
    return sent


def main() -> None:
    """Batch after batch, marked first by one process and last by the next."""
    first = int(time.time() * 1000) % 2 == 0
    while True:
        waiting = Delivery.objects.filter(state=DeliveryState.WAITING).order_by("id")
        keys = list(waiting.values_list("pk", flat=True)[:BATCH])
        if not keys:
            time.sleep(0.05)
            continue
        if first:
            Delivery.objects.filter(pk__in=keys).update(state=DeliveryState.SENT)
            send(keys)
        else:
            Delivery.objects.filter(pk__in=send(keys)).update(state=DeliveryState.SENT)


if __name__ == "__main__":
    assert django_ready
    main()
