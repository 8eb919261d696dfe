"""The words of a table's panel on the referee's tablet (js/tablet/panel.js and its parts), in the page's language."""

from typing import Any

from django.utils.text import capfirst
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from tournament.enums import GameEnd, SheetState
from tournament.forms.sheet_sentences import CELLS, YES_NO
from tournament.forms.sheet_words import SENTENCES, VALUE_GAP
from tournament.moments import final_text
from tournament.services.setup_final import MOST_ROUNDS
from tournament.views.tablet_ice import board_words


def panel_words() -> dict[str, Any]:
    """Everything by the name that the scripts know it by; `board` is for the tile board and its verdict."""
    return {
        "language": get_language(),
        "board": board_words(),
        "problems": {**{code: _(wrong) for code, (wrong, _to_do) in SENTENCES.items()}, "value_gap": _(VALUE_GAP)},
        "cells": {name: _(word) for name, word in CELLS.items()},
        "yes_no": {name: _(word) for name, word in YES_NO.items()},
        "endings": {str(value): capfirst(str(label)) for value, label in GameEnd.choices},
        "states": {str(value): str(label) for value, label in SheetState.choices},
        **entry_words(),
        **board_screen_words(),
        **notes_words(),
        **agree_words(),
        **state_words(),
    }


def entry_words() -> dict[str, Any]:
    """A game being typed."""
    return {
        "and": pgettext("between seats", ", "),
        "table": _("Table %(table)s"),
        "game": _("Game %(game)s"),
        "of_games": _("of %(games)s"),
        "games": _("Games of this sheet"),
        "reached": {
            "typing": _("being typed"),
            "here": pgettext("panel", "saved here"),
            "sent": _("sent"),
            "recorded": _("recorded"),
            "refused": pgettext("panel", "not taken"),
            "held": pgettext("panel", "held"),
        },
        "notes": pgettext("panel", "Notes"),
        "call_judge": _("Chief judge"),
        "how": _("How it ended"),
        "rummikub": pgettext("panel", "Rummikub"),
        "pool": pgettext("panel", "Pool empty"),
        "pool_why": _("nobody out"),
        "time": pgettext("panel", "Time up"),
        "minutes": _("%(minutes)s minutes"),
        "seat": pgettext("panel", "Seat"),
        "opened": pgettext("panel", "Opened"),
        "not_opened": _("Not opened"),
        "could": _("could: %(value)s"),
        "could_not": _("could not"),
        "tap_tiles": _("tap tiles"),
        "rack_value": pgettext("panel", "Rack"),
        "tiles": pgettext("panel", "Tiles"),
        "points": pgettext("panel", "Points"),
        "out": pgettext("panel", "out"),
        "away": pgettext("panel", "not playing"),
        "left": pgettext("panel", "left"),
        "pushed_over": pgettext("panel", "pushed over"),
        "value_of": _("%(seat)s, rack value: %(value)s"),
        "tiles_of": _("%(seat)s, tiles left: %(value)s"),
        "opened_of": _("%(seat)s: %(value)s"),
        "empty_cell": pgettext("panel", "empty"),
        "digits": _("Keys for the rack value of %(seat)s"),
        "counts": _("Keys for the tiles of %(seat)s"),
        "erase": _("Erase"),
        "by_tiles": pgettext("panel", "Tap tiles"),
        "more_counts": _("16 and more"),
        "fewer_counts": _("1 to 15"),
        "undo": pgettext("panel", "Undo"),
        "record": _("Record game %(game)s"),
        "record_again": _("Record game %(game)s as mended"),
        "to_next": _("On to game %(game)s"),
        "to_agree": _("Agree and sign"),
        "lacking": _("Missing: %(cells)s"),
        "lacking_one": pgettext("panel", "%(seat)s %(cells)s"),
        "lacking_ending": _("Missing: how it ended"),
        "lacking_cells": {
            "ice": pgettext("missing", "ice"),
            "face_value": pgettext("missing", "rack"),
            "tiles": pgettext("missing", "tiles"),
        },
        "mend_first": _("Mend what is marked first"),
        "sum": _("Sum 0"),
        "waits_for": _("%(seats)s to come"),
        "wins": _("%(seat)s wins this game"),
        "shared": _("%(seats)s, equally low, share %(points)s; %(seat)s has fewer tiles and wins."),
        "shared_wins": _("%(seats)s, equally low in value and tiles, share %(points)s and all win."),
        "starts": _("%(seat)s starts game %(game)s"),
        "starts_why": _("Winner of the last game; then clockwise: %(seats)s."),
        "draws": _("%(seats)s draw again for the start of game %(game)s"),
        "draws_all": _("All draw a number: the highest starts game %(game)s"),
        "drawn": _("Drawn numbers…"),
        "sheet": pgettext("panel", "Sheet"),
        "confirm_title": _("Unusual: is it so?"),
        "confirm_why": _("Look once more at the racks. It is noted with your name."),
        "confirmed": _("The referee has looked: it is so."),
        "confirm": _("It is so"),
        "mend": _("Go back and mend"),
        "reason": pgettext("panel", "Reason"),
    }


def board_screen_words() -> dict[str, Any]:
    """Tapping a rack, and the ice."""
    return {
        "back": _("Back to table %(table)s"),
        "ice_title": _("Ice: table %(table)s, seat %(seat)s"),
        "rack_title": _("Rack: table %(table)s, seat %(seat)s"),
        "board_hint": _("The rack at the end of game %(game)s, a tile just drawn included. A press adds a tile."),
        "has_opened": _("Had opened"),
        "has_not_opened": _("Had not opened"),
        "use": _("Use %(value)s, back to table %(table)s"),
        "overrule": _("Rule otherwise…"),
        "overrule_title": _("The tiles say %(worked_out)s. Rule otherwise?"),
        "overrule_able": _("Rule that it could open: %(value)s"),
        "overrule_unable": _("Rule that it could not open: %(value)s"),
        "tap_first": _("Tap the tiles of %(seat)s first"),
        "overrule_why": _("The reason is noted with your name and the time."),
        "overruled": _("Ruled otherwise: %(reason)s"),
        "reasons_ice": [
            _("The chief judge ruled so"),
            _("A joker's use was judged otherwise"),
            _("The tiles on the rack were changed after the end"),
        ],
    }


def notes_words() -> dict[str, Any]:
    """What a referee notes of a game beside its result."""
    return {
        "notes_title": _("Notes of table %(table)s, game %(game)s"),
        "close": pgettext("panel", "Close"),
        "note_of": _("Table %(table)s: %(act)s"),
        "cancel": pgettext("panel", "Cancel"),
        "which_seat": _("Whose?"),
        "whole_table": _("The table's"),
        "acts": {
            "warning": _("Verbal warning"),
            "call": _("Call the chief judge"),
            "pushed_over": _("Rack pushed over"),
            "absent": _("Did not come"),
            "late": _("Came late"),
            "left": _("Leaves"),
            "disqualified": _("Disqualified"),
            "miscount": _("Rack counted wrong"),
            "pause": _("Toilet break"),
            "dispute": pgettext("a note", "Dispute"),
            "new_deal": _("New deal"),
            "exposed_tile": _("Exposed tile"),
            "turn_forfeited": _("Turn forfeited"),
            "overtime": _("Overtime"),
            "drawn_numbers": pgettext("panel", "Drawn numbers"),
        },
        "warned": _("warned %(times)s times"),
        "warned_once": _("warned once"),
        "warned_twice": _("Both verbal warnings were given. The chief judge decides on a third breach."),
        "warn": _("Warn %(seat)s"),
        "call": _("Call the chief judge now"),
        "called": _("Chief judge called %(time)s: %(reason)s"),
        "call_taken": _("%(name)s is coming."),
        "call_answer": _("Ruled: %(answer)s"),
        "third_breach": _("Third breach of %(seat)s"),
        "reasons_warning": [
            _("Talking or signals"),
            _("Slow play on purpose"),
            _("Touching others' tiles"),
            _("Disturbing others"),
        ],
        "reasons_call": [
            _("Dispute about a move"),
            _("Breach of the rules"),
            _("Question about the rules"),
            _("An entrant is unwell"),
        ],
        "tiles_counted": _("Tiles counted on the rack"),
        "note_pushed": _("Note: pushed over, tiles: %(tiles)s"),
        "count_first": _("Count the tiles first"),
        "pushed_not": _("Not pushed over after all"),
        "left_now": _("Leaves during game %(game)s: rack frozen"),
        "left_before": _("Takes no part from game %(game)s on"),
        "left_not": _("Plays on after all"),
        **mark_words(),
        "escort": _("Escort"),
        "pause_start": _("Break begins: the table's time stops"),
        "pause_end": _("Break ends: time runs on"),
        "is_paused": pgettext("panel", "Paused"),
        "paused": _("Toilet break of %(seat)s since %(time)s"),
        "minutes_more": _("Minutes"),
        "overtime_add": _("Add %(minutes)s minutes"),
        "overtime_has": _("%(minutes)s minutes of overtime so far"),
        "note_it": _("Note it"),
        "starter_is": _("%(seat)s starts"),
        "draw_again": _("The highest number is there twice: these draw again."),
        "draw_first": _("Choose the number that each has drawn"),
    }


def mark_words() -> dict[str, Any]:
    """What a table marks for the desk, and how a note is undone or taken back."""
    return {
        "marks": {
            "absent": pgettext("mark", "did not come"),
            "late": pgettext("mark", "came late"),
            "left": pgettext("mark", "left"),
            "disqualified": pgettext("mark", "disqualified"),
            "miscount": pgettext("mark", "counted wrong"),
        },
        "waits_desk": _("%(mark)s; the desk will record it"),
        "desk_records": _("%(seat)s %(mark)s: the desk is still to record it."),
        "desk_did_not": _("The desk did not record that %(seat)s %(mark)s."),
        "signs_before_desk": _("The players may sign now."),
        "signs_before_desk_why": _("The sheet is locked once the desk has recorded who did not come or left."),
        "left_hint": _("The game can be recorded. The note goes to the desk, which records it or says why not."),
        "absent_now": _("%(seat)s takes no part from game %(game)s on"),
        "reasons_disqualified": [_("Aids were found"), _("Third breach"), _("The chief judge ruled so")],
        "disqualified_now": _("%(seat)s is disqualified: rack frozen"),
        "late_hint": _("The player takes part. The desk decides whether to admit."),
        "reasons_late": [_("Came before play began"), _("Came during this game"), _("Came after this game")],
        "miscount_hint": _("Type the game again and record it. Figures that cannot be are decided by the chief judge."),
        "reasons_miscount": [
            _("All players agree on another count"),
            _("The tiles were mixed before they were counted"),
            _("Jokers were counted wrong"),
        ],
        "undo_said": _("Noted: %(act)s"),
        "noted_so_far": _("Noted so far: %(count)s"),
        "noted_title": _("Noted at table %(table)s"),
        "take_note_back": pgettext("note", "Take back"),
        "take_note_back_why": _("The note and your reason stay in the log."),
        "take_back_of": _("Take back: %(act)s %(seat)s"),
        "reasons_take_back": [_("Pressed by mistake"), _("It was another player"), _("It turned out otherwise")],
    }


def final_words() -> dict[str, str]:
    """The final by its round; 0: one that has no rounds."""
    return {str(number): final_text(number or None) for number in range(MOST_ROUNDS + 1)}


def agree_words() -> dict[str, Any]:
    """The agreed sheet and its signatures."""
    return {
        "paper": _("Scoresheet as on paper"),
        "agree_title": _("Scoresheet of the preliminary"),
        "agree_title_final": _("Scoresheet of the final"),
        "agree_facts": _("Session %(session)s, table %(table)s, referee %(referee)s, sheet %(serial)s"),
        "agree_facts_final": _("%(session)s, table %(table)s, referee %(referee)s, sheet %(serial)s"),
        "final": final_words(),
        "name": pgettext("panel", "Name"),
        "columns": {
            "wins": pgettext("panel", "Wins"),
            "points": pgettext("panel", "Points"),
            "tiles": pgettext("panel", "Tiles"),
        },
        "total": pgettext("panel", "Total"),
        "to_sign": _("to sign %(signed)s / %(all)s"),
        "read_first": _("Read the sheet together first."),
        "read_first_why": _("Whoever finds a mistake says so now. Then hand the tablet to the players."),
        "hand_out": _("Hand to the players to sign"),
        "binding": _("A signature confirms the result; no appeal is taken afterwards."),
        "binding_why": _("A mistake? Tell the referee before signing. In the players' hands nothing can be changed."),
        "waits": pgettext("signature", "waiting"),
        "press_to_sign": _("Press: %(seat)s signs"),
        "is_it": _("Referee: is this %(seat)s %(name)s in person?"),
        "it_is": _("Yes, this is %(seat)s"),
        "pass_on": _("Pass the tablet to %(seat)s"),
        "part_before": pgettext("player", "Previous"),
        "part_after": pgettext("player", "Next"),
        "part_of": _("Player %(seat)s"),
        "sign_here": _("%(seat)s signs here with a finger"),
        "sign_done": _("%(seat)s has signed"),
        "clear": pgettext("signature", "Clear"),
        "too_small": _("Not a signature yet: a dot or a line does not count."),
        "signed_at": _("signed %(time)s"),
        "not_signed": _("not signed"),
        "has_left": _("Left: does not sign"),
        "too_quick": _("%(seat)s signed within 2 seconds of %(other)s: did each sign in person? It is noted."),
        "referee_there": _("The referee stays and sees that each signs in person."),
        "refuse": _("Refuses to sign, or disputes"),
        "dispute_title": _("To the chief judge, before signing"),
        "dispute_why": _("The chief judge decides; all sign again afterwards."),
        "dispute_send": _("Send to the chief judge"),
        "reasons_dispute": [
            _("Refuses to sign"),
            _("A figure is wrong"),
            _("Not agreed how the game ended"),
        ],
        "take_back": _("Back to the referee (PIN)"),
        "voided": _("The sheet was changed: the signatures are void and all sign again."),
        "signature": _("Signature of %(seat)s"),
        "rows_to_finish": _("Before signing"),
        "correct_game": _("Mend game %(game)s"),
        "still": _("Game %(game)s is not recorded yet."),
    }


def state_words() -> dict[str, Any]:
    """What a table's panel says while nothing is typed."""
    return {
        "not_started": _("The session has not begun"),
        "not_started_why": _("The desk starts it. Enter results now only if play has begun all the same."),
        "begin_anyway": _("Enter results"),
        "suspended": _("The session is suspended"),
        "suspended_why": _("Play has stopped; the time stands still. What is entered is kept."),
        "closed": _("The session is closed"),
        "closed_why": _("Nothing more can be entered."),
        "postponed": _("The session is postponed"),
        "postponed_why": _("Nothing is entered until it has new times."),
        "void_session": _("The session is void"),
        "void_session_why": _("What was signed stays as it is and does not count."),
        "signed_here": _("Signed here, not yet recorded"),
        "signed_here_why": _("Kept on this tablet; it is sent when the network is there. Nothing to do until then."),
        "locked": _("Received and locked"),
        "locked_why": _(
            "Only a correction by two people at the desk can change it. The players may write down the receipt code."
        ),
        "receipt": _("Receipt code"),
        "certified_by": _("Certified by the chief judge"),
        "disputed": _("In dispute"),
        "disputed_here": _("Dispute is on its way to the chief judge"),
        "with_reason": _("%(what)s: %(reason)s"),
        "disputed_why": _("The chief judge decides; then all sign."),
        "decided": _("The chief judge has decided"),
        "void": _("This sheet is void"),
        "conflict": _("The desk has another version of this sheet"),
        "conflict_why": _("Yours is kept whole. The chief judge compares both and decides."),
        "made_locked": _("This was made while the tablet was locked"),
        "made_locked_why": _("It is kept whole. The chief judge decides whether it counts."),
        "with_desk": _("With the desk, not settled yet: %(count)s"),
        "with_desk_why": _("It is kept whole and counts once the chief judge has settled it."),
        "attention": _("The server did not take this"),
        "attention_do": _("Nothing is lost. Compare yours with what stands there, then send yours or put it aside."),
        "settle": _("Compare and choose"),
        "elsewhere": _("The sheet was changed elsewhere"),
        "elsewhere_why": _("Your figures and the desk's differ. Compare, then choose."),
        "keep_mine": _("Keep mine"),
        "take_theirs": _("Take the desk's"),
        "theirs": _("desk"),
        "mine": _("this tablet"),
        "other_form": _("This sheet is typed at the desk from the paper"),
        "other_form_why": _("It can be read here, not typed."),
        "show_sheet": _("Show the sheet"),
        "in_hands": _("The players hold this tablet for table %(table)s"),
    }
