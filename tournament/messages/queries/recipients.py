"""Who gets a mail, and who has no address for one: shared by all that is mailed, and by those that a notice is for."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db.models import Exists, OuterRef, Q

from tournament.core.enums import EntrantStatus, Language
from tournament.core.models.stage import Session
from tournament.entrants.models.final import Finalist
from tournament.entrants.models.people import Entrant
from tournament.messages.models import Notice
from tournament.messages.queries.mailings import deliveries_taken


@dataclass(frozen=True, slots=True)
class Recipient:
    """One mail to one address: `entrant_id` is the row of the one it is kept under, `number` that entrant's.

    `facts` is JSON data that the text is made from, the same for the same mail; no name, and nothing that opens a
    private link. `also`: numbers of other entrants of the same address and language, ascending.
    """

    entrant_id: int
    number: int
    address: str
    language: str
    facts: dict[str, Any] = field(default_factory=dict)
    also: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Recipients:
    """`found` by number; `missing`: the numbers of those without an address that a mail could go to."""

    found: tuple[Recipient, ...]
    missing: tuple[int, ...]

    @property
    def numbers(self) -> tuple[int, ...]:
        """Everyone who is told, ascending."""
        return tuple(sorted(number for one in self.found for number in (one.number, *one.also)))


def for_notice(notice: Notice) -> Recipients:
    """Everyone taking part whom the notice is about: its sessions', in a final the finalists; none: the whole event's.
    Of one that follows a mailing exactly those whom that reached.

    One mail an address and language: parents of two children are told once. Two queries.
    """
    if notice.readers_of_id is not None:
        return merge_same_address(recipients_of(entrants_reached_by(notice.readers_of_id)))
    entrants = Entrant.objects.filter(event=notice.event_id, status=EntrantStatus.OK)
    sessions = list(Session.objects.filter(stage__event=notice.event_id).select_related("stage").order_by("number"))
    if notice.sessions:
        about = with_replays(sessions, set(notice.sessions))
        in_rounds = {one.stage_id for one in about if one.stage.has_rounds_for_all}
        listed = Finalist.objects.filter(entrant=OuterRef("pk"), stage__in=in_rounds)
        entered = Q(session__in=[one.pk for one in about]) | Q(session__stage__in=in_rounds)
        entrants = entrants.filter(entered | Exists(listed))
    return merge_same_address(recipients_of(entrants.select_related("person").order_by("number")))


def entrants_reached_by(mailing: int) -> list[Entrant]:
    """Whom the mails of a mailing that a server took told about, with their persons, by number."""
    sent = deliveries_taken().filter(mailing=mailing).values_list("entrant__number", "also")
    numbers = {number for first, also in sent for number in (first, *also)}
    rows = Entrant.objects.filter(event__mailings=mailing, number__in=numbers)
    return list(rows.select_related("person").order_by("number"))


def with_replays(sessions: Sequence[Session], numbers: set[int]) -> list[Session]:
    """The sessions of these numbers, and those that replay them, where their entrants are now."""
    replay_of = {one.replays_id: one for one in sessions if one.replays_id}
    chosen: dict[int, Session] = {}
    for one in sessions:
        now: Session | None = one if one.number in numbers else None
        while now is not None and now.pk not in chosen:
            chosen[now.pk] = now
            now = replay_of.get(now.pk)
    return list(chosen.values())


def recipients_of(entrants: Iterable[Entrant], facts: dict[int, dict[str, Any]] | None = None) -> Recipients:
    """One mail an entrant; `facts` by number, for those who have any. The entrants' persons are at hand."""
    found, missing = [], []
    for entrant in entrants:
        if not is_mail_address(entrant.person.email):
            missing.append(entrant.number)
            continue
        own = facts[entrant.number] if facts else {}
        language = mail_language_of(entrant.person.language)
        found.append(Recipient(entrant.pk, entrant.number, entrant.person.email, language, own))
    return Recipients(tuple(found), tuple(missing))


def merge_same_address(recipients: Recipients) -> Recipients:
    """Of those with one address (whatever its case) and one language the first, with the others' numbers in `also`."""
    together: dict[tuple[str, str], list[Recipient]] = {}
    for one in recipients.found:
        together.setdefault((one.address.casefold(), one.language), []).append(one)
    found = [replace(first, also=tuple(one.number for one in rest)) for first, *rest in together.values()]
    return Recipients(tuple(found), recipients.missing)


def is_mail_address(text: str) -> bool:
    """Whether a mail can go there. Letters beyond ASCII are taken in the domain alone, where they have a spelling."""
    try:
        validate_email(text)
    except ValidationError:
        return False
    return text.rpartition("@")[0].isascii()


def mail_language_of(text: str) -> str:
    """The language to write in: Chinese where none is known."""
    return text if text in Language.values else Language.CHINESE.value
