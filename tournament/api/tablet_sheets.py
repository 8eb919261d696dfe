"""A tablet's sheets: saved, handed on, taken back, signed seat by seat, delivered at once, disputed."""

from typing import Any

from django.urls import path
from django.utils.translation import gettext_noop as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournament.api.fields import Choice, Strict, Text
from tournament.api.keys import Given
from tournament.api.scoresheets import plain
from tournament.api.scoresheets_requests import SheetTyped, reasons
from tournament.api.seating import LETTERS
from tournament.api.tablet import ItemRequest, ReasonRequest, TabletResource, changes, receipt_for
from tournament.models import Table
from tournament.readers import strokes
from tournament.services import scoresheets
from tournament.services import tablet_sheets as services

POINT = {"type": "array", "items": {"type": "integer"}, "minItems": 4, "maxItems": 4}
DIGEST = 64


@extend_schema_field({"type": "array", "items": {"type": "array", "items": POINT, "maxItems": strokes.MOST}})
class Strokes(serializers.Field):
    """[[[x, y, t, p], ...], ...] as readers.strokes reads them; too small a one is told from what is none there."""

    def to_internal_value(self, data: Any) -> Any:
        """Read by the service, which knows the refusals."""
        return data


class DrawnRequest(Strict):
    """One seat's signature; `made_at` by the tablet's clock."""

    letter = Choice(choices=LETTERS)
    strokes = Strokes()
    made_at = serializers.DateTimeField()


class TabletSaveRequest(ItemRequest):
    """The sheet as entered so far; it replaces what was saved before."""

    typed = SheetTyped()
    confirmations = reasons()


class TabletReadyRequest(ItemRequest):
    """What is unusual, confirmed."""

    confirmations = reasons()


class SignRequest(ItemRequest):
    """One seat's signature under the values of this digest."""

    letter = Choice(choices=LETTERS)
    strokes = Strokes()
    digest = Text(min_length=DIGEST, max_length=DIGEST)


class PackageRequest(TabletSaveRequest):
    """The values with a signature of each who signs."""

    signatures = DrawnRequest(many=True, max_length=len(LETTERS))


class DisputeRequest(ReasonRequest):
    """Why, and whose seat it is where it is a player's."""

    letter = Choice(choices=LETTERS, required=False)


class TabletSheet(TabletResource):
    """What all acts at a sheet share: the revision seen, the referee, the key; a body may be too large."""

    refuses = (*TabletResource.refuses, 413)

    def seen(self, given: Given) -> dict[str, Any]:
        """As every service takes it."""
        seen = (given.revision or 0) if self.settling is None else self.settling.seen
        return {"revision": seen, "by": self.referee(given), "request_key": given.key}

    def read_by(self, given: Given) -> dict[str, Any]:
        """Whose values they are where the desk enters them: the referee's whom the item names."""
        return {"read_by": given.data["referee"] if self.settling is not None else None}


class TabletSave(TabletSheet):
    """After each game."""

    @changes("tablet_save", "save", _("Save a tablet's sheet"), takes=TabletSaveRequest, match=True)
    def post(self, found: Table, given: Given) -> str:
        """Open or draft to draft."""
        notes = dict(given.data.get("confirmations", {}))
        sheet = services.save(
            found, typed=plain(given.data["typed"]), confirmations=notes, **self.seen(given), **self.read_by(given)
        )
        return receipt_for(sheet)


class TabletReady(TabletSheet):
    """To be signed."""

    @changes("tablet_ready", "ready", _("Hand a tablet's sheet on to be signed"), takes=TabletReadyRequest, match=True)
    def post(self, found: Table, given: Given) -> str:
        """Draft to ready."""
        sheet = scoresheets.newest(found)
        notes = {**(sheet.confirmations if sheet else {}), **given.data.get("confirmations", {})}
        return receipt_for(scoresheets.ready(found, confirmations=notes, **self.seen(given)))


class TabletReopen(TabletSheet):
    """Back to entering; all sign again."""

    @changes("tablet_reopen", "reopen", _("Take a tablet's sheet back"), takes=ItemRequest, match=True)
    def post(self, found: Table, given: Given) -> str:
        """Ready to draft."""
        return receipt_for(services.reopen(found, **self.seen(given)))


class TabletSign(TabletSheet):
    """One signature."""

    while_handed_out = True

    @changes("tablet_sign", "sign", _("Sign a tablet's sheet, one seat"), takes=SignRequest, match=True)
    def post(self, found: Table, given: Given) -> str:
        """Ready, or with the last one signed."""
        data, seen = given.data, self.seen(given)
        drawn = services.drawn_of(data["letter"], data["strokes"], data["made_at"])
        return receipt_for(services.sign(found, device=self.device, digest=data["digest"], drawn=drawn, **seen))


class TabletPackage(TabletSheet):
    """Values and signatures in one: untouched or locked."""

    while_handed_out = True

    @changes(
        "tablet_package",
        "package",
        _("Deliver a tablet's sheet with every signature: saved, signed and locked, or none of it"),
        takes=PackageRequest,
        match=True,
        holds=services.is_conflict,
    )
    def post(self, found: Table, given: Given) -> str:
        """To signed. Where the server has another sheet the whole package is held for the chief judge."""
        data, seen = given.data, self.seen(given)
        signatures = [services.drawn_of(one["letter"], one["strokes"], one["made_at"]) for one in data["signatures"]]
        if self.settling is not None:
            signatures = services.unsigned(found, signatures)
        values = {"typed": plain(data["typed"]), "confirmations": dict(data.get("confirmations", {}))}
        values |= {**self.read_by(given), "as_shown": self.settling is None}
        return receipt_for(services.package(found, device=self.device, signatures=signatures, **values, **seen))


class TabletDispute(TabletSheet):
    """To the chief judge's queue."""

    while_handed_out = True

    @changes("tablet_dispute", "dispute", _("Dispute a tablet's sheet"), takes=DisputeRequest, match=True)
    def post(self, found: Table, given: Given) -> str:
        """Draft or ready to disputed."""
        said = {"reason": given.data["reason"], "letter": given.data.get("letter", "")}
        return receipt_for(services.dispute(found, **said, **self.seen(given)))


SHEET = "tables/<int:table>/"
urlpatterns = [
    path(f"{SHEET}save/", TabletSave.as_view(), name="tablet_save"),
    path(f"{SHEET}ready/", TabletReady.as_view(), name="tablet_ready"),
    path(f"{SHEET}reopen/", TabletReopen.as_view(), name="tablet_reopen"),
    path(f"{SHEET}sign/", TabletSign.as_view(), name="tablet_sign"),
    path(f"{SHEET}package/", TabletPackage.as_view(), name="tablet_package"),
    path(f"{SHEET}dispute/", TabletDispute.as_view(), name="tablet_dispute"),
]
