"""What is done at the door of a session, and to those who did not come to it."""

from django.utils.translation import gettext_noop as _

from tournament.core.acts.act import Act

ARRIVALS = (
    Act("check_in", "entrant", _("checked in"), right="check_in"),
    Act("undo_check_in", "entrant", _("check-in undone"), right="check_in"),
    Act("record_door_check", "entrant", _("seen at the door"), right="check_in"),
    Act("undo_door_check", "entrant", _("seen at the door: taken back"), right="check_in"),
    Act("forfeit_absent", "session", _("absent entrants recorded as no-shows"), right="record_absence"),
    Act("revert_forfeits", "session", _("no-shows of one press taken back"), right="record_absence"),
)
