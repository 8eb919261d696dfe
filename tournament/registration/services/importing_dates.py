"""The order of day and month in the dates of one file: judged as a column, answered once, kept with the file."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.audit import services
from tournament.core.errors import BadInput, Refused
from tournament.entrants.models.importing import EntrantFile
from tournament.entrants.readers.dates import DATE_ORDERS
from tournament.registration.services.importing import entrant_file_subject_ref, save_decision, waiting_file
from tournament.registration.services.importing_preview import dates_in, read_file_heads

DATE_ORDER_MISSING = _("Choose whether the day or the month stands first.")
DATE_ORDER_NOT_NEEDED = _("No date of this file depends on the order of day and month.")


@transaction.atomic
def answer_dates(entrant_file: EntrantFile, *, order: str, by: User | None) -> EntrantFile:
    """Say once for the whole column which stands first; another answer replaces it, the same again changes nothing.

    Refused: BadInput `wrong_date_order` for no such order; `nothing_to_decide` where no date depends on it.
    """
    kept = waiting_file(entrant_file)
    if order not in DATE_ORDERS:
        raise BadInput("wrong_date_order", DATE_ORDER_MISSING)
    dates = dates_in(kept, read_file_heads(kept))
    if not dates.column.matters:
        raise Refused("nothing_to_decide", DATE_ORDER_NOT_NEEDED)
    before = kept.decisions.get(str(kept.head_row), {})
    if before.get("date_order", {}).get("order") == order:
        return kept
    answer = {"order": order, "by": by.pk if by else None, "at": timezone.now().isoformat()}
    save_decision(kept, kept.head_row, {**before, "date_order": answer})
    services.append_audit_entry(
        kept.event, by, "answer_date_order", entrant_file_subject_ref(kept), reason=order.replace("_", " ")
    )
    return kept
