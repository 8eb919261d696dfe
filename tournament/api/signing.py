"""The second person and the stamp: certified, sent back, stamped."""

from typing import Any

from django.urls import path
from django.utils.translation import gettext_noop as _

from tournament.api.fields import Strict, Text, Truth
from tournament.api.keys import Answer, Given
from tournament.api.resource import writes
from tournament.api.scoresheets import SHEET, SheetResource
from tournament.api.scoresheets_answers import ScoresheetAnswer
from tournament.errors import Refused, StaleVersion
from tournament.models import Table
from tournament.queries import scoresheets as queries
from tournament.services import scoresheets, signing

LONGEST = 500


class SignaturesGiven(Strict):
    """ "" where the signature is there; else the chief judge's reason for a missing one."""

    A, B, C, D = (Text(required=False, allow_blank=True, max_length=LONGEST) for _letter in "ABCD")


class CertifyRequest(Strict):
    """Every seated entrant who has not left, by letter. `heading_seen`: the head differs, and the reason holds."""

    signatures = SignaturesGiven()
    heading_seen = Truth(required=False)


class RejectRequest(Strict):
    """Why: the typist reads it."""

    reason = Text(max_length=LONGEST)


class Certification(SheetResource):
    """Compared with the paper by a second account."""

    @writes(
        "certify_scoresheet",
        "certify_scoresheet",
        _("Certify a scoresheet: it is locked, and only a correction by two people changes it"),
        ScoresheetAnswer,
        takes=CertifyRequest,
        match=True,
    )
    def post(self, found: Table, given: Given) -> Answer:
        """Ready to certified."""
        signatures = dict(given.data["signatures"])
        seen = {"revision": given.revision or 0, "heading_seen": given.data.get("heading_seen", False)}
        signing.certify(found, signatures=signatures, by=given.by, request_key=given.key, **seen)
        return self.told(found)


class Rejection(SheetResource):
    """Back to its typist."""

    @writes(
        "reject_scoresheet",
        "certify_scoresheet",
        _("Send a scoresheet back to its typist"),
        ScoresheetAnswer,
        takes=RejectRequest,
        match=True,
    )
    def post(self, found: Table, given: Given) -> Answer:
        """Ready to draft."""
        reason = given.data["reason"]
        signing.reject(found, revision=given.revision or 0, reason=reason, by=given.by, request_key=given.key)
        return self.told(found)


class Stamping(SheetResource):
    """大會蓋印."""

    @writes("stamp_scoresheet", "stamp", _("Stamp a certified scoresheet"), ScoresheetAnswer, match=True)
    def post(self, found: Table, given: Given) -> Answer:
        """The version that was seen, and no other."""
        signing.stamp(seen_sheet(found, given), by=given.by)
        return self.told(found)


def seen_sheet(table: Table, given: Given) -> Any:
    """The newest sheet, refused where its author has seen another revision."""
    sheet = queries.current_sheet(table)
    if sheet is None:
        raise Refused("not_official", signing.NOT_OFFICIAL, about=table)
    if sheet.revision != given.revision:
        raise StaleVersion("scoresheet_changed", scoresheets.CHANGED, about=sheet, current=sheet)
    return sheet


urlpatterns = [
    path(f"{SHEET}certify/", Certification.as_view(), name="api_certify"),
    path(f"{SHEET}reject/", Rejection.as_view(), name="api_reject"),
    path(f"{SHEET}stamp/", Stamping.as_view(), name="api_stamp"),
]
