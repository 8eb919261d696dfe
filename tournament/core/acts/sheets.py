"""What happens to a scoresheet version: the transition table of D1, and acts that leave its state."""

from django.utils.translation import gettext_noop as _

from tournament.core.acts.act import Act
from tournament.core.enums import LOCKED_STATES, SheetState

OPEN, DRAFT, READY, DISPUTED = SheetState.OPEN, SheetState.DRAFT, SheetState.READY, SheetState.DISPUTED
WRITABLE = (OPEN, DRAFT)
UNCHECKED = (DRAFT, READY)
UNLOCKED = (OPEN, DRAFT, READY, DISPUTED)

SHEETS = (
    Act("open_scoresheet", "scoresheet", _("sheet opened"), right="void_scoresheet", leads_to=OPEN),
    Act("save_scoresheet", "scoresheet", _("saved"), right="type_scoresheet", leads_from=WRITABLE, leads_to=DRAFT),
    Act(
        "ready_scoresheet",
        "scoresheet",
        _("handed on to be checked"),
        right="type_scoresheet",
        leads_from=WRITABLE,
        leads_to=READY,
    ),
    Act(
        "reopen_scoresheet", "scoresheet", _("taken back"), right="type_scoresheet", leads_from=(READY,), leads_to=DRAFT
    ),
    Act(
        "reject_scoresheet",
        "scoresheet",
        _("sent back"),
        right="certify_scoresheet",
        leads_from=(READY,),
        leads_to=DRAFT,
    ),
    Act("sign_scoresheet", "scoresheet", _("signed on a tablet"), leads_from=(READY,)),
    Act(
        "lock_scoresheet", "scoresheet", _("signed by all and locked"), leads_from=(READY,), leads_to=SheetState.SIGNED
    ),
    Act(
        "certify_scoresheet",
        "scoresheet",
        _("certified and locked"),
        right="certify_scoresheet",
        leads_from=(READY,),
        leads_to=SheetState.CERTIFIED,
    ),
    Act(
        "confirm_heading",
        "scoresheet",
        _("paper's head confirmed"),
        right="certify_scoresheet",
        leads_from=(READY,),
        only_logged=True,
    ),
    Act("save_second_typing", "scoresheet", _("second typing saved"), right="type_scoresheet", leads_from=(READY,)),
    Act("type_scoresheet_again", "scoresheet", _("typed a second time"), right="type_scoresheet", leads_from=(READY,)),
    Act(
        "settle_second_typing",
        "scoresheet",
        _("third look: other values"),
        right="certify_scoresheet",
        leads_from=(READY,),
        leads_to=DRAFT,
    ),
    Act(
        "uphold_first_typing",
        "scoresheet",
        _("third look: the first typing stands"),
        right="certify_scoresheet",
        leads_from=(READY,),
    ),
    Act(
        "dispute_scoresheet",
        "scoresheet",
        _("disputed"),
        right="dispute_scoresheet",
        leads_from=UNCHECKED,
        leads_to=DISPUTED,
    ),
    Act(
        "decide_dispute",
        "scoresheet",
        _("dispute decided"),
        right="decide_dispute",
        leads_from=(DISPUTED,),
        leads_to=READY,
    ),
    Act(
        "withdraw_dispute",
        "scoresheet",
        _("dispute taken back"),
        right="dispute_scoresheet",
        leads_from=(DISPUTED,),
        leads_to=DRAFT,
    ),
    Act("propose_void", "scoresheet", _("void proposed"), right="void_scoresheet", leads_from=UNLOCKED),
    Act(
        "void_scoresheet",
        "scoresheet",
        _("made void"),
        right="void_scoresheet",
        leads_from=UNLOCKED,
        leads_to=SheetState.VOID,
        takes_two=True,
    ),
    Act("stamp_scoresheet", "scoresheet", _("stamped"), right="stamp", leads_from=LOCKED_STATES),
    Act("begin_correction", "scoresheet", _("correction begun"), right="correct_scoresheet", leads_to=DRAFT),
    Act("propose_correction", "scoresheet", _("correction proposed"), right="agree_correction", leads_from=(READY,)),
    Act(
        "approve_correction",
        "scoresheet",
        _("correction approved: it counts"),
        right="agree_correction",
        leads_from=(READY,),
        leads_to=SheetState.CERTIFIED,
        takes_two=True,
    ),
    Act(
        "give_up_correction",
        "scoresheet",
        _("correction given up"),
        right="agree_correction",
        leads_from=UNCHECKED,
        leads_to=SheetState.VOID,
    ),
    Act("see_drawings", "scoresheet", _("signatures looked at"), right="see_drawings", only_logged=True),
    Act("attach_scan", "table", _("scan attached"), right="type_scoresheet", only_logged=True),
    Act("set_second_typing", "stage", _("share of second typings set"), right="set_up_event", only_logged=True),
)
