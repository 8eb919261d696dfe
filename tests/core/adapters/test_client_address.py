"""Where a request comes from: what a proxy of ours says, and nobody else."""

from typing import Any

import pytest
from django.test import RequestFactory

from tournament.core.adapters.client_address import client_address

CASES = [
    ("203.0.113.7", "", "203.0.113.7"),
    ("203.0.113.7", "192.0.2.1", "203.0.113.7"),
    ("127.0.0.1", "192.0.2.1, 203.0.113.7", "203.0.113.7"),
    ("127.0.0.1", "192.0.2.1, 10.0.0.5", "192.0.2.1"),
    ("::ffff:127.0.0.1", "203.0.113.7", "203.0.113.7"),
    ("", "203.0.113.7", "203.0.113.7"),
    ("127.0.0.1", "nonsense", "127.0.0.1"),
    ("127.0.0.1", "", "127.0.0.1"),
    ("10.0.0.9", "2001:db8::1", "2001:db8::1"),
    ("fe80::1%eth0", "", "fe80::1"),
    ("10.0.0.9", "fe80::1%eth0", "fe80::1"),
]


@pytest.mark.parametrize(("connection", "said", "wanted"), CASES)
def test_only_a_proxy_of_ours_is_believed(settings: Any, connection: str, said: str, wanted: str) -> None:
    settings.TRUSTED_PROXIES = ["127.0.0.1", "::1", "10.0.0.0/8"]
    headers = {"x-forwarded-for": said} if said else {}
    assert client_address(RequestFactory().get("/", REMOTE_ADDR=connection, headers=headers)) == wanted
