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

from tournament.api.tablet import DELIVERED, SETTLED, Settling, TabletResource
from tournament.bridge.tablet import SCHEMA
from tournament.models import Device
from tournament.services.devices_held import Item

HANDS = "hand-out"


def path_of(table: int, act: str) -> str:
    """The address of an act at a table."""
    return f"/api/v1/tablet/tables/{table}/{act}/"


def answer_of(device: Device, item: Item, settling: Settling | None = None) -> HttpResponseBase | None:
    """The answer of the item's own address; None where there is none for tablets' items."""
    path = path_of(item.table, item.act)
    try:
        found = resolve(path)
    except Resolver404:
        return None
    view = getattr(found.func, "cls", None)
    if item.act == HANDS or not (isinstance(view, type) and issubclass(view, TabletResource)):
        return None
    request = request_of(device, item, path)
    setattr(request, SETTLED, settling)
    response: HttpResponseBase = found.func(request, *found.args, **found.kwargs)
    return response


def request_of(device: Device, item: Item, path: str) -> WSGIRequest:
    """The request that the tablet would have made; whose it is stands in it, not in a header."""
    content = json.dumps(dict(item.body)).encode()
    environ = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": path,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(content)),
        "HTTP_X_CLIENT_SCHEMA": str(SCHEMA),
        "HTTP_IDEMPOTENCY_KEY": item.key,
        "wsgi.input": BytesIO(content),
    }
    if item.revision is not None:
        environ["HTTP_IF_MATCH"] = f'"v{item.revision}"'
    request = WSGIRequest(environ)
    setattr(request, DELIVERED, device)
    return request


def body_of(response: Any) -> Mapping[str, Any]:
    """What an address of the API answered."""
    data = getattr(response, "data", None)
    return data if isinstance(data, Mapping) else {}
