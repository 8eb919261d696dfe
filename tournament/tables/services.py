"""A printed paper may be used for its table, or the refusal that says which paper replaced it."""

from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.core.errors import Refused
from tournament.tables.queries.seating import JudgedPaper, PaperState

PAPER_REPLACED = _(
    "This paper (%(serial)s) was replaced by print %(number)s at %(when)s. Use that one: its serial is %(newest)s."
)
PAPER_TABLE_DISSOLVED = _(
    "Table %(table)s was dissolved after paper %(serial)s was printed. Its entrants sit at other tables."
)
PAPER_UNKNOWN = _("There is no paper with serial %(serial)s.")


def require_usable(paper: JudgedPaper) -> JudgedPaper:
    """Refuse in words a paper that was replaced, whose table is dissolved, or that was never printed."""
    if paper.usable:
        return paper
    if paper.state == PaperState.REPLACED and paper.newest:
        raise Refused(
            "paper_replaced",
            PAPER_REPLACED,
            paper.session,
            serial=paper.serial,
            number=paper.newest.number,
            when=f"{timezone.localtime(paper.newest.printed_at):%H:%M}",
            newest=paper.newest_serial,
        )
    if paper.state == PaperState.DISSOLVED:
        raise Refused("table_dissolved", PAPER_TABLE_DISSOLVED, paper.session, table=paper.table, serial=paper.serial)
    raise Refused("paper_unknown", PAPER_UNKNOWN, paper.session, serial=paper.serial)
