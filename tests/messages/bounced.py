"""Reports of mail that came back, as mail servers write them: made-up ones of the folder, filled in for one mail."""

from pathlib import Path

from django.contrib.auth.models import User

from tests.messages.mailed import begin, enter, send_all
from tournament.core.models.event import Event
from tournament.messages.models import Delivery, Mailing
from tournament.messages.queries.bounces import bounce_token_of

FOLDER = Path(__file__).parents[1] / "data" / "bounces"
RETURN = "bounces@desk.example"
NAMES = sorted(path.stem for path in FOLDER.iterdir())


def filled(name: str, token: str, address: str, message_id: str) -> bytes:
    """The report about a mail known by these."""
    said = {"{TOKEN}": token, "{UPPER}": token.upper(), "{ADDRESS}": address, "{MESSAGE_ID}": message_id}
    text = (FOLDER / f"{name}.eml").read_bytes()
    for place, value in said.items():
        text = text.replace(place.encode(), value.encode())
    return text


def report_of(name: str, delivery: Delivery, *, token: str | None = None) -> bytes:
    """The report about a mail of ours; with another token where one is given."""
    return filled(name, bounce_token_of(delivery) if token is None else token, delivery.address, delivery.message_id)


def mailed(event: Event, by: User, count: int = 3) -> tuple[Mailing, list[Delivery]]:
    """A notice to so many families, all of which the mail server took."""
    enter(event, count)
    mailing = begin(event, by)
    send_all()
    return mailing, list(mailing.deliveries.select_related("mailing__event", "entrant").order_by("pk"))
