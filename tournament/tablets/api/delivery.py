"""A tablet's item that somebody else brings to its address: from a file, from QR codes, or settled at the desk.

So every check is the tablet's own, and its key too: when the tablet sends the same later it is a replay.
"""

import json
from collections.abc import Mapping
from io import BytesIO
from typing import Any

from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpResponseBase
from django.urls import Resolver404, resolve

from tournament.devices.models.device import Device
from tournament.tablets.api.tablet import DELIVERED_FOR_ENVIRON, RESOLVED_BY_ENVIRON, DeskResolution, TabletTableViewSet
from tournament.tablets.domain import TABLET_SCHEMA
from tournament.tablets.services.held import OutboxItem

HAND_OUT_ACT = "hand-out"


def tablet_act_path(table: int, act: str) -> str:
    """The address of an act at a table."""
    return f"/api/v1/tablet/tables/{table}/{act}/"


def deliver_submission(
    device: Device, item: OutboxItem, settling: DeskResolution | None = None
) -> HttpResponseBase | None:
    """The answer of the item's own address; None where there is none for tablets' items."""
    path = tablet_act_path(item.table, item.act)
    try:
        found = resolve(path)
    except Resolver404:
        return None
    view = getattr(found.func, "cls", None)
    if item.act == HAND_OUT_ACT or not (isinstance(view, type) and issubclass(view, TabletTableViewSet)):
        return None
    request = build_tablet_request(device, item, path)
    setattr(request, RESOLVED_BY_ENVIRON, settling)
    response: HttpResponseBase = found.func(request, *found.args, **found.kwargs)
    return response


def build_tablet_request(device: Device, item: OutboxItem, path: str) -> WSGIRequest:
    """The request that the tablet would have made; whose it is stands in it, not in a header."""
    content = json.dumps(dict(item.body)).encode()
    environ = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": path,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(content)),
        "HTTP_X_CLIENT_SCHEMA": str(TABLET_SCHEMA),
        "HTTP_IDEMPOTENCY_KEY": item.key,
        "wsgi.input": BytesIO(content),
    }
    if item.revision is not None:
        environ["HTTP_IF_MATCH"] = f'"v{item.revision}"'
    request = WSGIRequest(environ)
    setattr(request, DELIVERED_FOR_ENVIRON, device)
    return request


def response_members(response: Any) -> Mapping[str, Any]:
    """What an address of the API answered."""
    data = getattr(response, "data", None)
    return data if isinstance(data, Mapping) else {}
