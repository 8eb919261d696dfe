"""Notices, mailings, and the signals that they tell of."""

from django.utils.translation import gettext_noop as _

from tournament.core.acts.act import ANYTHING, Act

NOTICES = (
    Act("draft_notice", "notice", _("notice drafted"), right="publish_notice", only_logged=True, reason_refers=True),
    Act("change_notice", "notice", _("draft of a notice changed"), right="publish_notice", only_logged=True),
    Act("discard_notice", "notice", _("draft of a notice put aside"), right="publish_notice", only_logged=True),
    Act("publish_notice", "notice", _("notice published"), right="publish_notice"),
    Act("take_down_banner", "notice", _("banner taken down"), right="publish_notice"),
    Act("confirm_published_words", ANYTHING, _("words to be published confirmed"), only_logged=True),
    Act("start_mailing", "mailing", _("mailing begun"), right="send_mailing", reason_refers=True),
    Act("pause_mailing", "mailing", _("mailing paused"), right="send_mailing"),
    Act("resume_mailing", "mailing", _("mailing gone on with"), right="send_mailing"),
    Act("stop_mailing", "mailing", _("mailing stopped"), right="send_mailing"),
    Act("end_mailing", "mailing", _("mailing stopped: its subject has ended")),
    Act("stop_mails", "mailing", _("mails stopped whose place is another"), only_logged=True),
    Act("retry_mailing", "mailing", _("failed mails tried again"), right="send_mailing"),
    Act("finish_mailing", "mailing", _("mailing ended")),
    Act("record_bounce", "mailing", _("mail reported as not delivered")),
    Act("observe_signal", "signal", _("signal observed")),
    Act("enter_signal", "signal", _("signal entered"), right="enter_weather"),
    Act("look_by_hand", "weather looks", _("signals checked by hand"), right="enter_weather"),
    Act("decide_weather", "weather", _("day decided"), right="decide_weather"),
)
