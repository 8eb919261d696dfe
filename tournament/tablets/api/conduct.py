"""Conduct at a tablet's tables: calls for the chief judge, warnings, incidents, pauses, overtime (R43, R47)."""

from django.utils.translation import gettext_noop as _

from tournament.api.fields import PlainTextField, StrictIntegerField, WordChoiceField
from tournament.api.keys import RequestData
from tournament.core.enums import IncidentKind, NoteKind
from tournament.core.errors import BadInput
from tournament.devices.services.acting import ActingAccount
from tournament.sheets.queries import signing_disputes
from tournament.sheets.services import clock as clocks
from tournament.sheets.services import signing_disputes as disputes
from tournament.tables.api import API_SEAT_LETTERS
from tournament.tables.models import Table
from tournament.tablets.api.tablet import ItemRequest, TabletReasonRequest, TabletTableViewSet, tablet_changes
from tournament.tablets.queries import conduct
from tournament.tablets.services import conduct as services
from tournament.tablets.services import conduct_notes

DISPUTE_ACT = "dispute"


def game_number_field(**given: object) -> StrictIntegerField:
    return StrictIntegerField(min_value=1, max_value=services.NOTE_MAX_GAMES, **given)


class CallRequest(TabletReasonRequest):
    """Why the chief judge is asked for; of which game and seat, where it is of one."""

    game = game_number_field(required=False)
    letter = WordChoiceField(choices=API_SEAT_LETTERS, required=False)


class WarningRequest(TabletReasonRequest):
    """Who is warned, in which game, and why."""

    letter = WordChoiceField(choices=API_SEAT_LETTERS)
    game = game_number_field()


class IncidentRequest(ItemRequest):
    """What happened; a rack pushed over has its count."""

    kind = WordChoiceField(choices=IncidentKind.values)
    game = game_number_field()
    letter = WordChoiceField(choices=API_SEAT_LETTERS, required=False)
    tiles = StrictIntegerField(min_value=1, max_value=services.PUSHED_OVER_MAX_TILES, required=False)
    note = PlainTextField(max_length=500, allow_blank=True, required=False)


class TakeBackRequest(TabletReasonRequest):
    """Which note, and why: `kind` and `note` as the state tells them, or `item`, the key that made it."""

    kind = WordChoiceField(choices=[*NoteKind.values, DISPUTE_ACT])
    note = StrictIntegerField(min_value=1, required=False)
    item = PlainTextField(max_length=64, required=False)


class PauseRequest(ItemRequest):
    """Who leaves the table for a while, and who goes along."""

    letter = WordChoiceField(choices=API_SEAT_LETTERS)
    escort = PlainTextField(max_length=100)


class OvertimeRequest(TabletReasonRequest):
    """How many minutes, and why."""

    minutes = StrictIntegerField(min_value=1, max_value=clocks.OVERTIME_MAX_MINUTES)


class TabletConductBaseViewSet(TabletTableViewSet):
    """What is recorded of a table beside its sheet; no revision, since it changes no value."""

    def acting(self, given: RequestData) -> ActingAccount:
        """In whose name, with which key, on this tablet, when its clock said."""
        return ActingAccount(self.referee(given), given.key, self.device, given.data["made_at"])


class TabletCallJudgeViewSet(TabletConductBaseViewSet):
    """The players too may ask for the chief judge while they hold the tablet."""

    while_handed_out = True

    @tablet_changes("call", _("Call the chief judge to a tablet's table"), takes=CallRequest)
    def tablet_call(self, found: Table, given: RequestData) -> str:
        """To the chief judge's queue."""
        data = given.data
        about = {"game": data.get("game"), "letter": data.get("letter", "")}
        services.call_judge(found, reason=data["reason"], acting=self.acting(given), **about)
        return ""


class TabletWarnViewSet(TabletConductBaseViewSet):
    """The first and the second; the third breach is the chief judge's."""

    @tablet_changes("warning", _("Warn an entrant at a tablet's table"), takes=WarningRequest)
    def tablet_warning(self, found: Table, given: RequestData) -> str:
        """409 `third_breach` asks for the chief judge."""
        data = given.data
        about = {"letter": data["letter"], "game": data["game"], "reason": data["reason"]}
        services.warn_entrant(found, acting=self.acting(given), **about)
        return ""


class TabletIncidentViewSet(TabletConductBaseViewSet):
    """What happened in a game."""

    @tablet_changes("incident", _("Record what happened at a tablet's table"), takes=IncidentRequest)
    def tablet_incident(self, found: Table, given: RequestData) -> str:
        data = given.data
        services.record_incident(
            found,
            kind=data["kind"],
            game=data["game"],
            letter=data.get("letter", ""),
            tiles=data.get("tiles"),
            note=data.get("note", ""),
            acting=self.acting(given),
        )
        return ""


class TabletWithdrawNoteViewSet(TabletConductBaseViewSet):
    """A note is taken back: by its key where the server has told it, else by the key of the item that made it."""

    @tablet_changes("withdraw", _("Take a tablet's note back"), takes=TakeBackRequest)
    def tablet_withdraw(self, found: Table, given: RequestData) -> str:
        """With a reason; what was noted stays in the log."""
        data = given.data
        if data["kind"] == DISPUTE_ACT:
            return self.withdraw_dispute(found, given)
        note = (
            conduct.find_note(self.event, data["kind"], data["note"])
            if data.get("note")
            else conduct.note_of_item(self.event, data.get("item", ""))
        )
        if note is None:
            raise BadInput("no_such_note", conduct_notes.NOTE_UNKNOWN)
        conduct_notes.withdraw_note(found, note=note, reason=data["reason"], acting=self.acting(given))
        return ""

    def withdraw_dispute(self, found: Table, given: RequestData) -> str:
        """The sheet goes on as it was typed."""
        data = given.data
        dispute = data.get("note") or signing_disputes.dispute_of_item(found, data.get("item", ""))
        if dispute is None:
            raise BadInput("no_such_note", conduct_notes.NOTE_UNKNOWN)
        by = self.referee(given)
        disputes.withdraw_dispute(found, dispute=dispute, reason=data["reason"], by=by, request_key=given.key)
        return ""


class TabletPauseViewSet(TabletConductBaseViewSet):
    """Play stops at this table alone."""

    @tablet_changes("pause", _("Pause a tablet's table"), takes=PauseRequest)
    def tablet_pause(self, found: Table, given: RequestData) -> str:
        """The table's end moves by as long."""
        clocks.pause_table(found, letter=given.data["letter"], escort=given.data["escort"], acting=self.acting(given))
        return ""


class TabletUnpauseViewSet(TabletConductBaseViewSet):
    @tablet_changes("unpause", _("Let a tablet's table play on"), takes=ItemRequest)
    def tablet_unpause(self, found: Table, given: RequestData) -> str:
        clocks.unpause_table(found, acting=self.acting(given))
        return ""


class TabletOvertimeViewSet(TabletConductBaseViewSet):
    @tablet_changes("overtime", _("Give a tablet's table overtime"), takes=OvertimeRequest)
    def tablet_overtime(self, found: Table, given: RequestData) -> str:
        clocks.give_overtime(
            found, minutes=given.data["minutes"], reason=given.data["reason"], acting=self.acting(given)
        )
        return ""
