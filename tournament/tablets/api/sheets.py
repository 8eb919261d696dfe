"""A tablet's sheets: saved, handed on, taken back, signed seat by seat, delivered at once, disputed."""

from typing import Any

from django.utils.translation import gettext_noop as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournament.api.fields import PlainTextField, StrictBody, WordChoiceField
from tournament.api.keys import RequestData
from tournament.entrants.readers import strokes
from tournament.sheets.api import SheetTyped, confirmation_reasons_field, to_plain_data
from tournament.sheets.services import scoresheets
from tournament.tables.api import API_SEAT_LETTERS
from tournament.tables.models import Table
from tournament.tablets.api.tablet import (
    ItemRequest,
    TabletReasonRequest,
    TabletTableViewSet,
    receipt_for,
    tablet_changes,
)
from tournament.tablets.services import sheets as services

STROKE_POINT_SCHEMA = {"type": "array", "items": {"type": "integer"}, "minItems": 4, "maxItems": 4}
TABLET_DIGEST_LENGTH = 64


@extend_schema_field(
    {"type": "array", "items": {"type": "array", "items": STROKE_POINT_SCHEMA, "maxItems": strokes.MAX_STROKE_POINTS}}
)
class StrokesField(serializers.Field[Any, Any, Any, Any]):
    """[[[x, y, t, p], ...], ...] as readers.strokes reads them; too small a one is told from what is none there."""

    def to_internal_value(self, data: Any) -> Any:
        """Read by the service, which knows the refusals."""
        return data


class DrawnRequest(StrictBody):
    """One seat's signature; `made_at` by the tablet's clock."""

    letter = WordChoiceField(choices=API_SEAT_LETTERS)
    strokes = StrokesField()
    made_at = serializers.DateTimeField()


class TabletSaveRequest(ItemRequest):
    """The sheet as entered so far; it replaces what was saved before."""

    typed = SheetTyped()
    confirmations = confirmation_reasons_field()


class TabletReadyRequest(ItemRequest):
    """What is unusual, confirmed."""

    confirmations = confirmation_reasons_field()


class SignRequest(ItemRequest):
    """One seat's signature under the values of this digest."""

    letter = WordChoiceField(choices=API_SEAT_LETTERS)
    strokes = StrokesField()
    digest = PlainTextField(min_length=TABLET_DIGEST_LENGTH, max_length=TABLET_DIGEST_LENGTH)


class PackageRequest(TabletSaveRequest):
    """The values with a signature of each who signs."""

    signatures = serializers.ListSerializer[Any](child=DrawnRequest(), max_length=len(API_SEAT_LETTERS))


class DisputeRequest(TabletReasonRequest):
    """Why, and whose seat it is where it is a player's."""

    letter = WordChoiceField(choices=API_SEAT_LETTERS, required=False)


class TabletSheetBaseViewSet(TabletTableViewSet):
    """What all acts at a sheet share: the revision seen, the referee, the key; a body may be too large."""

    refuses = (*TabletTableViewSet.refuses, 413)

    def seen(self, given: RequestData) -> dict[str, Any]:
        """As every service takes it."""
        seen = (given.revision or 0) if self.settling is None else self.settling.seen
        return {"revision": seen, "by": self.referee(given), "request_key": given.key}

    def read_by(self, given: RequestData) -> dict[str, Any]:
        """Whose values they are where the desk enters them: the referee's whom the item names."""
        return {"read_by": given.data["referee"] if self.settling is not None else None}


class TabletSaveViewSet(TabletSheetBaseViewSet):
    @tablet_changes("save", _("Save a tablet's sheet"), takes=TabletSaveRequest, match=True)
    def tablet_save(self, found: Table, given: RequestData) -> str:
        """Open or draft to draft."""
        notes = dict(given.data.get("confirmations", {}))
        sheet = services.save_tablet_sheet(
            found,
            typed=to_plain_data(given.data["typed"]),
            confirmations=notes,
            **self.seen(given),
            **self.read_by(given),
        )
        return receipt_for(sheet)


class TabletReadyViewSet(TabletSheetBaseViewSet):
    @tablet_changes("ready", _("Hand a tablet's sheet on to be signed"), takes=TabletReadyRequest, match=True)
    def tablet_ready(self, found: Table, given: RequestData) -> str:
        sheet = scoresheets.newest_version(found)
        notes = {**(sheet.confirmations if sheet else {}), **given.data.get("confirmations", {})}
        return receipt_for(scoresheets.hand_in_scoresheet(found, confirmations=notes, **self.seen(given)))


class TabletReopenViewSet(TabletSheetBaseViewSet):
    """Back to entering; all sign again."""

    @tablet_changes("reopen", _("Take a tablet's sheet back"), takes=ItemRequest, match=True)
    def tablet_reopen(self, found: Table, given: RequestData) -> str:
        return receipt_for(services.reopen_tablet_sheet(found, **self.seen(given)))


class TabletSignViewSet(TabletSheetBaseViewSet):
    while_handed_out = True

    @tablet_changes("sign", _("Sign a tablet's sheet, one seat"), takes=SignRequest, match=True)
    def tablet_sign(self, found: Table, given: RequestData) -> str:
        """Ready, or with the last one signed."""
        data, seen = given.data, self.seen(given)
        drawn = services.drawn_of(data["letter"], data["strokes"], data["made_at"])
        return receipt_for(
            services.sign_tablet_sheet(found, device=self.device, digest=data["digest"], drawn=drawn, **seen)
        )


class TabletPackageViewSet(TabletSheetBaseViewSet):
    """Values and signatures in one: untouched or locked."""

    while_handed_out = True

    @tablet_changes(
        "package",
        _("Deliver a tablet's sheet with every signature: saved, signed and locked, or none of it"),
        takes=PackageRequest,
        match=True,
        holds=services.is_conflict,
    )
    def tablet_package(self, found: Table, given: RequestData) -> str:
        """To signed. Where the server has another sheet the whole package is held for the chief judge."""
        data, seen = given.data, self.seen(given)
        signatures = [services.drawn_of(one["letter"], one["strokes"], one["made_at"]) for one in data["signatures"]]
        if self.settling is not None:
            signatures = services.signatures_still_missing(found, signatures)
        values = {"typed": to_plain_data(data["typed"]), "confirmations": dict(data.get("confirmations", {}))}
        values |= {**self.read_by(given), "as_shown": self.settling is None}
        return receipt_for(
            services.submit_tablet_package(found, device=self.device, signatures=signatures, **values, **seen)
        )


class TabletDisputeViewSet(TabletSheetBaseViewSet):
    """To the chief judge's queue."""

    while_handed_out = True

    @tablet_changes("dispute", _("Dispute a tablet's sheet"), takes=DisputeRequest, match=True)
    def tablet_dispute(self, found: Table, given: RequestData) -> str:
        """Draft or ready to disputed."""
        said = {"reason": given.data["reason"], "letter": given.data.get("letter", "")}
        return receipt_for(services.dispute_tablet_sheet(found, **said, **self.seen(given)))
