"""Ties, releases, certificates, places in the final and their private links."""

from django.utils.translation import gettext_noop as _

from tournament.core.acts.act import Act

# What is proposed about equals: that some are level, and who, is the unreleased ranking.
ABOUT_EQUALS = ("decide_tie", "announce_lots")

RESULTS = (
    Act("decide_tie", "stage", _("tie decided"), right="decide_tie", takes_two=True),
    Act("announce_lots", "stage", _("lots announced"), right="decide_tie", takes_two=True),
    Act("release", "release", _("released"), right="release"),
    Act("withdraw_release", "release", _("release withdrawn"), right="release"),
    Act("write_public_files", "event", _("public files written again"), only_logged=True),
    Act("print_certificates", "release", _("certificates printed"), right="print_certificates", only_logged=True),
    Act("record_answer", "entrant", _("answer recorded"), right="record_answer"),
    Act("set_answers_until", "stage", _("last moment for answers set"), right="freeze_finalists", only_logged=True),
    Act("make_link", "entrant", _("private link made"), right="invite_finalists"),
    Act("revoke_link", "entrant", _("private link revoked"), right="invite_finalists"),
    Act("take_out_links", "stage", _("private links taken out in a file"), right="invite_finalists", only_logged=True),
    Act("freeze_finalists", "stage", _("list of finalists fixed"), right="freeze_finalists"),
    Act("thaw_finalists", "stage", _("list of finalists opened again"), right="freeze_finalists"),
)
