"""What stands in a log line: an address that holds a secret loses it first."""

import logging
import re

# Private links of finalists; whoever reads the log would otherwise answer in their name.
SECRET_ADDRESSES = re.compile(r"(/place/)[^/?\s\"']+")
SECRET_REPLACEMENT = r"\1***"


class RedactSecretsFilter(logging.Filter):
    """Takes secrets out of the addresses that a record's message and arguments name. Every record passes."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrites the record in place."""
        record.msg = redact_secrets(record.msg)
        if isinstance(record.args, tuple):
            record.args = tuple(map(redact_secrets, record.args))
        return True


def redact_secrets(value: object) -> object:
    """A text without them; anything else as it is."""
    return SECRET_ADDRESSES.sub(SECRET_REPLACEMENT, value) if isinstance(value, str) else value
