"""What a sheet with faults is refused with: a sentence for each act, which says what the database holds after it."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_noop as _

from scoring.sheet import SheetCheck
from tournament.core.errors import SheetHasErrors
from tournament.sheets.domain import scoresheets as bridge

SAVED_WITH_FAULTS = _(
    "Saved as a draft. Before the scoresheet can be checked, %(mend)s must be mended and %(look)s confirmed."
)
DRAFT_AS_BEFORE = _(
    "Not handed on; the draft stays as it was saved before. %(mend)s must be mended and %(look)s confirmed first."
)
NOTHING_SAVED = _(
    "Nothing of this was saved: it is handed on whole or not at all. %(mend)s must be mended and %(look)s confirmed "
    "first."
)


def refuse_sheet_faults(check: SheetCheck, notes: Mapping[str, str], sentence: str, about: Any = None) -> None:
    """Refuse while something is to be mended or unconfirmed; `sentence` says what the act leaves in the database."""
    look = bridge.unconfirmed_problems(check, notes)
    if check.mend or look:
        raise SheetHasErrors(sentence, check, len(look), about=about)
