"""What a tablet brings that the server did not take, and how a person settles it on its page."""

import json
from copy import deepcopy
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from tests.sheets.drawing import racks, strokes
from tests.tablets.tablet_caller import MADE_AT, Tablet
from tournament.devices.models.device import Device, QuarantinedSubmission
from tournament.devices.services import devices
from tournament.tablets.api.outbox import seal_of

PAGES = "/desk/hk-2026/tablets/"
ENGLISH = {"Accept-Language": "en"}


def said(referee: User, **more: Any) -> dict[str, Any]:
    """The body of an item."""
    return {"referee": referee.pk, "made_at": MADE_AT, **more}


def whole(referee: User, **more: Any) -> dict[str, Any]:
    """The body of a package."""
    signed = [{"letter": one, "strokes": strokes("ABCD".index(one)), "made_at": MADE_AT} for one in "ABCD"]
    return said(referee, typed=racks(), confirmations={}, signatures=signed) | more


def sealed(device: Device, *items: Any, event: str = "hk-2026") -> str:
    """The file that a tablet's page gives, with its seal."""
    file = {"format": 1, "event": event, "device": device.number, "items": list(items)}
    seal = seal_of(json.dumps(file, ensure_ascii=False, separators=(",", ":")), device.seal_key)
    return json.dumps({**file, "seal": seal})


def late(
    tablet: Tablet, by: User, act: str, body: dict[str, Any], key: str = "", revision: int | None = 0
) -> QuarantinedSubmission:
    """What a tablet brings that was cut off."""
    if tablet.device.revoked_at is None:
        devices.revoke_tablet(tablet.device, reason="flat battery", by=by)
    key = key or f"late-{act}"
    item = {"key": key, "act": act, "session": 1, "table": 1, "revision": revision, "body": body}
    assert tablet.post("late/", {"items": [item]}).status_code == 202
    return QuarantinedSubmission.objects.get(key=key)


def press(
    client: Client, item: QuarantinedSubmission, do: str, seen: int = 0, reason: str = "asked them", **more: str
) -> Any:
    """Settle it on its page."""
    sent = {"do": do, "reason": reason, "revision": seen, "request_key": f"settle-{item.pk}-{do}", **more}
    return client.post(f"{PAGES}held/{item.pk}/", sent)


def conflict(tablet: Tablet, referee: User) -> QuarantinedSubmission:
    """A package over an older reading of a sheet that has one other value now."""
    other = deepcopy(racks())
    other["games"][0]["seats"]["B"]["face_value"] = "15"
    tablet.post("tables/1/save/", said(referee, typed=other, confirmations={}), seen=0)
    assert tablet.post("tables/1/package/", whole(referee), seen=0, key="package-1").status_code == 409
    return QuarantinedSubmission.objects.get(because="conflict")
