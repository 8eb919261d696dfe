"""Conduct at a tablet's tables: calls for the chief judge, warnings, incidents, pauses, overtime (R43, 守則 6)."""

from django.urls import path
from django.utils.translation import gettext_noop as _

from tournament.api.fields import Choice, Text, Whole
from tournament.api.keys import Given
from tournament.api.seating import LETTERS
from tournament.api.tablet import ItemRequest, ReasonRequest, TabletResource, changes
from tournament.enums import IncidentKind, NoteKind
from tournament.errors import BadInput
from tournament.models import Table
from tournament.queries import conduct, signing_disputes
from tournament.services import clock as clocks
from tournament.services import conduct as services
from tournament.services import conduct_notes
from tournament.services import signing_disputes as disputes
from tournament.services.acting import Acting

DISPUTE = "dispute"


def game(**given: object) -> Whole:
    """A game's number."""
    return Whole(min_value=1, max_value=services.GAMES, **given)


class CallRequest(ReasonRequest):
    """Why the chief judge is asked for; of which game and seat, where it is of one."""

    game = game(required=False)
    letter = Choice(choices=LETTERS, required=False)


class WarningRequest(ReasonRequest):
    """Who is warned, in which game, and why."""

    letter = Choice(choices=LETTERS)
    game = game()


class IncidentRequest(ItemRequest):
    """What happened; a rack pushed over has its count."""

    kind = Choice(choices=IncidentKind.values)
    game = game()
    letter = Choice(choices=LETTERS, required=False)
    tiles = Whole(min_value=1, max_value=services.MOST_TILES, required=False)
    note = Text(max_length=500, allow_blank=True, required=False)


class TakeBackRequest(ReasonRequest):
    """Which note, and why: `kind` and `note` as the state tells them, or `item`, the key that made it."""

    kind = Choice(choices=[*NoteKind.values, DISPUTE])
    note = Whole(min_value=1, required=False)
    item = Text(max_length=64, required=False)


class PauseRequest(ItemRequest):
    """Who leaves the table for a while, and who goes along."""

    letter = Choice(choices=LETTERS)
    escort = Text(max_length=100)


class OvertimeRequest(ReasonRequest):
    """How many minutes, and why."""

    minutes = Whole(min_value=1, max_value=clocks.MOST_OVERTIME)


class TabletConduct(TabletResource):
    """What is recorded of a table beside its sheet; no revision, since it changes no value."""

    def acting(self, given: Given) -> Acting:
        """In whose name, with which key, on this tablet, when its clock said."""
        return Acting(self.referee(given), given.key, self.device, given.data["made_at"])


class TabletCall(TabletConduct):
    """The players too may ask for the chief judge while they hold the tablet."""

    while_handed_out = True

    @changes("tablet_call", "call", _("Call the chief judge to a tablet's table"), takes=CallRequest)
    def post(self, found: Table, given: Given) -> str:
        """To the chief judge's queue."""
        data = given.data
        about = {"game": data.get("game"), "letter": data.get("letter", "")}
        services.call_judge(found, reason=data["reason"], acting=self.acting(given), **about)
        return ""


class TabletWarning(TabletConduct):
    """The first and the second; the third breach is the chief judge's."""

    @changes("tablet_warning", "warning", _("Warn an entrant at a tablet's table"), takes=WarningRequest)
    def post(self, found: Table, given: Given) -> str:
        """409 `third_breach` asks for the chief judge."""
        data = given.data
        about = {"letter": data["letter"], "game": data["game"], "reason": data["reason"]}
        services.warn(found, acting=self.acting(given), **about)
        return ""


class TabletIncident(TabletConduct):
    """What happened in a game."""

    @changes("tablet_incident", "incident", _("Record what happened at a tablet's table"), takes=IncidentRequest)
    def post(self, found: Table, given: Given) -> str:
        """Kept beside the sheet."""
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


class TabletWithdraw(TabletConduct):
    """A note is taken back: by its key where the server has told it, else by the key of the item that made it."""

    @changes("tablet_withdraw", "withdraw", _("Take a tablet's note back"), takes=TakeBackRequest)
    def post(self, found: Table, given: Given) -> str:
        """With a reason; what was noted stays in the log."""
        data = given.data
        if data["kind"] == DISPUTE:
            return self.withdraw_dispute(found, given)
        note = (
            conduct.find_note(self.event, data["kind"], data["note"])
            if data.get("note")
            else conduct.note_of_item(self.event, data.get("item", ""))
        )
        if note is None:
            raise BadInput("no_such_note", conduct_notes.NO_NOTE)
        conduct_notes.withdraw(found, note=note, reason=data["reason"], acting=self.acting(given))
        return ""

    def withdraw_dispute(self, found: Table, given: Given) -> str:
        """The sheet goes on as it was typed."""
        data = given.data
        dispute = data.get("note") or signing_disputes.dispute_of_item(found, data.get("item", ""))
        if dispute is None:
            raise BadInput("no_such_note", conduct_notes.NO_NOTE)
        by = self.referee(given)
        disputes.withdraw_dispute(found, dispute=dispute, reason=data["reason"], by=by, request_key=given.key)
        return ""


class TabletPause(TabletConduct):
    """Play stops at this table alone."""

    @changes("tablet_pause", "pause", _("Pause a tablet's table"), takes=PauseRequest)
    def post(self, found: Table, given: Given) -> str:
        """The table's end moves by as long."""
        clocks.pause(found, letter=given.data["letter"], escort=given.data["escort"], acting=self.acting(given))
        return ""


class TabletUnpause(TabletConduct):
    """Play goes on."""

    @changes("tablet_unpause", "unpause", _("Let a tablet's table play on"), takes=ItemRequest)
    def post(self, found: Table, given: Given) -> str:
        """The pause ends."""
        clocks.unpause(found, acting=self.acting(given))
        return ""


class TabletOvertime(TabletConduct):
    """Minutes more."""

    @changes("tablet_overtime", "overtime", _("Give a tablet's table overtime"), takes=OvertimeRequest)
    def post(self, found: Table, given: Given) -> str:
        """The table's end moves."""
        clocks.give_overtime(
            found, minutes=given.data["minutes"], reason=given.data["reason"], acting=self.acting(given)
        )
        return ""


TABLE = "tables/<int:table>/"
urlpatterns = [
    path(f"{TABLE}call/", TabletCall.as_view(), name="tablet_call"),
    path(f"{TABLE}warning/", TabletWarning.as_view(), name="tablet_warning"),
    path(f"{TABLE}incident/", TabletIncident.as_view(), name="tablet_incident"),
    path(f"{TABLE}withdraw/", TabletWithdraw.as_view(), name="tablet_withdraw"),
    path(f"{TABLE}pause/", TabletPause.as_view(), name="tablet_pause"),
    path(f"{TABLE}unpause/", TabletUnpause.as_view(), name="tablet_unpause"),
    path(f"{TABLE}overtime/", TabletOvertime.as_view(), name="tablet_overtime"),
]
