"""Digests of personal data for the log and for releases: nobody without the installation's key can try names on them.

The key comes from the one that enciphers signatures, so that it is kept and restored with that one and lies in no
backup. `salt` is a random text that is kept beside the data and erased with it: from then on the digest tells nothing.
"""

import hashlib
import hmac
from typing import Any

from tournament.core.canonical import canonical_json
from tournament.core.services.cipher import made_key

KEYED_DIGEST_PURPOSE = b"rummikub keyed digest 1"


def keyed_digest(data: Any, salt: str = "") -> str:
    """HMAC-SHA-256, hexadecimal, of plain data as canonical JSON under the installation's key, after the salt."""
    key = hmac.digest(made_key(), KEYED_DIGEST_PURPOSE, "sha256")
    return hmac.new(key, f"{salt}\n{canonical_json(data)}".encode(), hashlib.sha256).hexdigest()
