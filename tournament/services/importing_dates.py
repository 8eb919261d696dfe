"""The order of day and month in the dates of one file: judged as a column, answered once, kept with the file."""

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.errors import BadInput, Refused
from tournament.models import EntrantFile
from tournament.readers.dates import ORDERS
from tournament.services import audit
from tournament.services.importing import save_decision, subject_of, waiting_file
from tournament.services.importing_preview import dates_in, heads_of

UNKNOWN = _("Choose whether the day or the month stands first.")
NOTHING = _("No date of this file depends on the order of day and month.")


@transaction.atomic
def answer_dates(entrant_file: EntrantFile, *, order: str, by: AbstractUser | None) -> EntrantFile:
    """Say once for the whole column which stands first; another answer replaces it, the same again changes nothing.

    Refused: BadInput `wrong_date_order` for no such order; `nothing_to_decide` where no date depends on it.
    """
    kept = waiting_file(entrant_file)
    if order not in ORDERS:
        raise BadInput("wrong_date_order", UNKNOWN)
    dates = dates_in(kept, heads_of(kept))
    if not dates.column.matters:
        raise Refused("nothing_to_decide", NOTHING)
    before = kept.decisions.get(str(kept.head_row), {})
    if before.get("date_order", {}).get("order") == order:
        return kept
    answer = {"order": order, "by": by.pk if by else None, "at": timezone.now().isoformat()}
    save_decision(kept, kept.head_row, {**before, "date_order": answer})
    audit.record(kept.event, by, "answer_date_order", subject_of(kept), reason=order.replace("_", " "))
    return kept
