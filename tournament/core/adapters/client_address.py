"""Where a request comes from: its connection's address, or what a proxy of ours says that stands in front."""

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest


def client_address(request: HttpRequest) -> str:
    """The nearest address that is no proxy of ours; the header of anybody else is not read."""
    nearest: str = request.META.get("REMOTE_ADDR", "")
    passed = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",") if part.strip()]
    while passed and is_trusted(nearest) and read_address(passed[-1]) is not None:
        nearest = passed.pop()
    # A link-local address names the interface it came in by, which no column of addresses takes.
    return nearest.partition("%")[0]


def is_trusted(text: str) -> bool:
    """Whether it is one of TRUSTED_PROXIES. A socket file has no address: only this machine reaches it."""
    address = read_address(text)
    if address is None:
        return text == ""
    networks = (ip_network(one, strict=False) for one in settings.TRUSTED_PROXIES)
    return any(address in network for network in networks)


def read_address(text: str) -> IPv4Address | IPv6Address | None:
    """An address as it is written, one of IPv4 in the dress of IPv6 as what it is; None: not one."""
    try:
        found = ip_address(text)
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found
