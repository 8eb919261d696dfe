"""What happens to an entrant, to the files that entrants come from, and to personal data."""

from django.utils.translation import gettext_noop as _

from tournament.core.acts.act import Act
from tournament.core.enums import EntrantStatus

OK, FORFEITED, WITHDRAWN = EntrantStatus.OK, EntrantStatus.FORFEITED, EntrantStatus.WITHDRAWN
DISQUALIFIED = EntrantStatus.DISQUALIFIED

PEOPLE = (
    Act("read_entrant_file", "entrant file", _("file read"), right="import_entrants", only_logged=True),
    Act(
        "answer_date_order",
        "entrant file",
        _("order of day and month answered"),
        right="import_entrants",
        only_logged=True,
    ),
    Act("accept_entrant_row", "entrant file", _("row accepted"), right="decide_entry", only_logged=True),
    Act("refuse_entrant_row", "entrant file", _("row left out"), right="decide_entry", only_logged=True),
    Act("reopen_entrant_row", "entrant file", _("row open again"), right="import_entrants", only_logged=True),
    Act("mend_entrant_name", "entrant file", _("name in the file mended"), right="import_entrants", only_logged=True),
    Act("put_aside_file", "entrant file", _("file put aside"), right="import_entrants", only_logged=True),
    Act("expire_preview", "entrant file", _("preview erased when its time was over"), only_logged=True),
    Act(
        "import_entrants",
        "entrant file",
        _("entrants imported"),
        right="import_entrants",
        only_logged=True,
        reason_refers=True,
    ),
    Act("accept_age", "entrant", _("age accepted"), right="decide_entry"),
    Act("change_entrant", "entrant", _("entrant changed"), right="change_entrant", takes_two=True, reason_refers=True),
    Act(
        "record_no_show", "entrant", _("no-show recorded"), right="record_absence", leads_from=(OK,), leads_to=FORFEITED
    ),
    Act(
        "record_withdrawal",
        "entrant",
        _("withdrawal recorded"),
        right="record_absence",
        leads_from=(OK,),
        leads_to=WITHDRAWN,
    ),
    Act(
        "disqualify_entrant",
        "entrant",
        _("disqualified"),
        right="disqualify",
        leads_from=(OK, FORFEITED, WITHDRAWN),
        leads_to=DISQUALIFIED,
    ),
    Act(
        "readmit_entrant",
        "entrant",
        _("readmitted"),
        right="record_absence",
        leads_from=(FORFEITED, WITHDRAWN, DISQUALIFIED),
        leads_to=OK,
    ),
    Act("export_personal_data", "event", _("personal data taken out"), right="export_people", only_logged=True),
    Act(
        "make_subject_copy",
        "entrant",
        _("copy of all personal data of one person made"),
        right="erase_personal_data",
        only_logged=True,
    ),
    Act("erase_personal_data", ("entrant", "event"), _("erasure of personal data begun"), right="erase_personal_data"),
    Act("erase_step", ("entrant", "event"), _("a step of an erasure"), right="erase_personal_data"),
    Act("erase_names", "release", _("names erased from a release"), right="erase_personal_data"),
    Act("finish_erasure", ("entrant", "event"), _("personal data erased"), right="erase_personal_data"),
    Act("remind_of_erasure", "event", _("organisers reminded of the erasure by mail"), only_logged=True),
)
