"""Who does an act at a table, with which key, on which tablet and when its clock said so."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User

from tournament.core.canonical import instant
from tournament.core.services import requests
from tournament.devices.models.device import Device


@dataclass(frozen=True)
class ActingAccount:
    """The account in whose name it is, the request's key; from a tablet also which, and its claim of the time."""

    by: User
    request_key: str
    device: Device | None = None
    claimed_at: datetime | None = None

    def once(self, act: str, payload: Any, do: Callable[[], int]) -> int:
        """Run an act once for this key and answer the number of the row it made; sent again, the same number."""
        answer, _replayed = requests.run_once(
            f"user:{self.by.pk}", self.request_key, act, payload, lambda: {"row": do()}
        )
        return int(answer["row"])

    @property
    def columns(self) -> dict[str, Any]:
        """As the rows of clock and conduct keep it."""
        return {"device": self.device, "claimed_at": self.claimed_at}


def source_of(row: Any) -> list[Any]:
    """Of a row that an act has made: the number of the tablet, and when its clock said so, as a digest has them."""
    return [row.device.number if row.device else None, instant(row.claimed_at) if row.claimed_at else ""]
