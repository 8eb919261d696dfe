"""The words of the referee's tablet around its tables: pairing, PIN, network, outbox (js/tablet/shell.js)."""

from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournament.moments import session_of_day_text
from tournament.views.tablet_words import final_words


def shell_words() -> dict[str, Any]:
    """By the name that the scripts know them by, in the page's language."""
    return {
        **bar_words(),
        **pairing_words(),
        **pin_words(),
        **end_words(),
        **outbox_words(),
        **menu_words(),
    }


def bar_words() -> dict[str, Any]:
    """Where, the clock, the network."""
    return {
        "tables": _("Tables %(tables)s"),
        "table": _("Table %(table)s"),
        "and": pgettext("between tables", ", "),
        "session": {str(number): capfirst(session_of_day_text(number)) for number in range(1, 10)},
        "replay": {str(number): capfirst(session_of_day_text(number, True)) for number in range(1, 10)},
        "final": final_words(),
        "referee": _("Referee %(name)s"),
        "left": _("time left"),
        "left_here": _("Time left of this session"),
        "table_left": _("Table %(table)s: %(time)s"),
        "table_paused": _("Table %(table)s: paused"),
        "until": _("ends %(time)s"),
        "starts": _("begins %(time)s"),
        "not_started": _("not started"),
        "suspended": _("suspended"),
        "closed": _("closed"),
        "live": _("Connected"),
        "all_recorded": _("everything recorded"),
        "offline": _("Offline"),
        "waits": _("%(count)s to send"),
        "at_desk": _("with the desk %(count)s"),
        "count_here": _("here %(count)s"),
        "count_sent": _("sent %(count)s"),
        "count_recorded": _("recorded %(count)s"),
        "count_desk": _("with the desk %(count)s"),
        "net_ended": _("Not paired"),
        "unsaved": _("Not saved"),
        "unsaved_more": _("this tablet's storage refuses"),
        "last_heard": _("saved on this tablet, last connected %(time)s"),
        "never_heard": _("saved on this tablet, not connected yet"),
        "attention": _("Needs attention: %(count)s"),
        "attention_more": _("the server did not take it"),
        "look_at": pgettext("what needs attention", "Look at it"),
        "menu": pgettext("tablet", "Menu"),
        "page": _("Referee's tablet"),
        "rehearsal": _("Rehearsal: for practice alone. Nothing here counts."),
        "sound_on": _("Sound: on"),
        "sound_off": _("Sound: off"),
        "vibration_on": _("Vibration: on"),
        "vibration_off": _("Vibration: off"),
        "close": pgettext("a dialog", "Close"),
        "not_kept": _("This tablet could not save that. It is not recorded."),
        "not_kept_why": _("Its storage refuses. Do not go on with this tablet: write it on paper and tell the desk."),
        "with_desk": _("With the desk, not settled yet: %(count)s"),
        "with_desk_why": _("It is kept whole and counts once the chief judge has settled it."),
    }


def pairing_words() -> dict[str, Any]:
    """A tablet without tables."""
    return {
        "not_paired": _("This tablet has no tables yet"),
        "not_paired_why": _(
            "The desk shows a QR code for your tables: open it with the camera of this tablet. It is valid once, for "
            "ten minutes."
        ),
        "code": _("Or type the address or code that stands under it"),
        "pair": _("Pair this tablet"),
        "pairing": _("Pairing …"),
        "pairing_waits": _("No answer from the server yet. It is tried again by itself, with the same code."),
        "pairing_refused": _("This code does not work"),
        "still_here": _("Still on this tablet from an earlier pairing: %(count)s. Nothing is lost."),
        "other_window": _("This page is open in another window"),
        "other_window_why": _("Only one window may send. Close this one, or go on here and the other steps back."),
        "go_on_here": _("Go on here"),
        "no_disk": _("This browser keeps nothing"),
        "no_disk_why": _(
            "Nothing could be saved without network. Leave the private window, free some space, or take another tablet."
        ),
        "questions": _("Questions during play"),
    }


def pin_words() -> dict[str, Any]:
    """Who has the tablet."""
    return {
        "who": _("Who are you?"),
        "pin_of": _("PIN of %(name)s"),
        "pin": _("PIN"),
        "pin_typed": _("%(count)s digits typed"),
        "delete": _("Delete"),
        "open": _("Open"),
        "other_referee": _("I am somebody else"),
        "take_back": _("Take the tablet back"),
        "left_alone": _("Nobody has touched this tablet for three minutes. Give it to the referee, who types the PIN."),
        "left_alone_why": _("What is signed or reported before that waits for the chief judge."),
        "in_hands_over": _("Give the tablet back to the referee. What was signed on it is kept."),
        "give_up": _("Not now"),
        "kept_count": _("Waiting on this tablet to be sent: %(count)s."),
        "kept_none": _("Everything on this tablet is recorded."),
        "pin_offline_other": _("No network: only the referee who had this tablet last can open it now."),
        "pin_offline_wrong": _("This is not the PIN that opened this tablet last."),
        "pin_offline_wait": _(
            "Wrong PINs. You can try again in %(wait)s s, at %(time)s; what was recorded is kept on this tablet."
        ),
        "pin_locked": _(
            "Wrong PINs. You can try again in %(wait)s s, at %(time)s; what was recorded is kept. The desk can unlock "
            "it at once, or another referee can open this tablet."
        ),
        "why_again": _("The server asks for your PIN before it takes what waits."),
    }


def end_words() -> dict[str, Any]:
    """A token that holds no more; a page that is too old."""
    return {
        "ended": _("This tablet is not paired any more"),
        "ended_waiting": _(
            "Not recorded: %(count)s. Hand them to the desk: they are kept there and the chief judge decides."
        ),
        "ended_nothing": _("Nothing waits on it: when it was last connected, at %(time)s, the server had everything."),
        "hand_over": _("Hand them to the desk"),
        "handed_over": _("Handed over: %(count)s"),
        "hand_over_failed": _("The server did not answer. Try again, or take the file or the codes to the desk."),
        "hand_over_unknown": _(
            "The server does not know this tablet any more. Ask the desk for a new code: what is here stays, and is "
            "handed over afterwards."
        ),
        "pair_again": _("The desk can pair it again with a new code."),
        "session_closed": _("This session is closed"),
        "session_closed_why": _("Thank you. Nothing more can be recorded for it here."),
        "next": _("On to %(session)s, tables %(tables)s"),
        "next_day": _("On to %(session)s of %(day)s, tables %(tables)s"),
        "next_unsigned": _("Not signed yet: table %(tables)s. Going on leaves it."),
        "next_waits": _("It goes on when everything is recorded."),
        "took_over": _("Now on this tablet, before on tablet %(tablet)s: table %(table)s"),
        "taken_over": _("Now on tablet %(tablet)s: table %(table)s"),
        "reload": _("A newer page is there"),
        "reload_why": _("Load it again. What waits on this tablet stays and is sent afterwards."),
        "reload_now": _("Load again"),
    }


def outbox_words() -> dict[str, Any]:
    """What has not reached the server, and how far it has come."""
    return {
        "outbox": _("What this tablet has recorded"),
        "here": _("saved on this tablet"),
        "sent": _("sent"),
        "recorded": _("recorded"),
        "held": _("with the chief judge"),
        "desk": _("with the desk"),
        "aside": _("put aside by the desk"),
        "refused": _("needs attention"),
        "nothing": _("Nothing waits."),
        "acts": {
            "save": _("scores"),
            "package": _("signed scoresheet"),
            "dispute": _("dispute"),
            "call": _("call for the chief judge"),
            "warning": _("warning"),
            "incident": _("note of a game"),
            "pause": _("pause"),
            "unpause": _("end of a pause"),
            "overtime": _("overtime"),
            "withdraw": _("note taken back"),
        },
        "item": _("Table %(table)s: %(act)s, %(time)s"),
        "send_over": _("Send mine, over what is there"),
        "set_aside": _("Put mine aside"),
        "set_aside_sure": _("Really put it aside? It stays readable here and is not sent."),
        "yes_set_aside": _("Yes, put it aside"),
        "understood": _("Understood"),
        "differs": _("%(cell)s. This tablet: %(mine)s. Server: %(theirs)s."),
        "try_now": _("Try now"),
    }


def menu_words() -> dict[str, Any]:
    """What is needed seldom."""
    return {
        "lock": _("Hand over to another referee"),
        "resend": _("Send everything again"),
        "resend_why": _(
            "The tablet does this by itself where the server lacks something. It does no harm: nothing counts twice."
        ),
        "resent": _("%(count)s items are sent again."),
        "save_file": _("Save as a file"),
        "show_codes": _("Show as QR codes"),
        "leave_why": _("If the network does not come back: take what waits to the desk."),
        "code_of": _("Code %(number)s of %(count)s"),
        "before": pgettext("codes", "Back"),
        "after": pgettext("codes", "Next"),
        "tablet": _("Tablet %(number)s"),
        "stored": _("This browser has promised to keep the data."),
        "not_stored": _("This browser may clear the data if its space runs out."),
        "insecure": _("Plain http: the page does not open without network. What is recorded is kept all the same."),
        "not_offline": _("This page does NOT open without network."),
        "not_offline_why": _(
            "Do not load it again or close it while there is no network. The desk trusts the certificate on this "
            "tablet, then the page is opened anew."
        ),
        "opens_offline": _("The page opens without network."),
    }
