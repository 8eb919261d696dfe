"""Who sits where, on which paper, with which referee."""

from django.utils.translation import gettext_noop as _

from tournament.core.acts.act import Act

SEATS = (
    Act("draw_seats", "session", _("seats drawn"), right="draw_seats", reason_refers=True),
    Act("confirm_seats", "session", _("seats confirmed"), right="draw_seats", only_logged=True),
    Act("swap_seats", "session", _("seats swapped"), right="draw_seats"),
    Act("move_seat", "session", _("seat moved"), right="draw_seats"),
    Act("seat_late_entrant", "session", _("late entrant seated"), right="draw_seats"),
    Act("free_seat", "session", _("seat freed"), right="draw_seats"),
    Act("open_table", "session", _("table opened"), right="draw_seats"),
    Act("dissolve_table", "session", _("table dissolved"), right="draw_seats"),
    Act("undo_move", "session", _("move undone"), right="draw_seats"),
    Act("assign_referee", "session", _("referee given"), right="draw_seats"),
    Act("print_scoresheets", "session", _("scoresheets printed"), right="print_scoresheets"),
)
