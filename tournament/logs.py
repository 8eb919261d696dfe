"""What stands in a log line: an address that holds a secret loses it first."""

import logging
import re

# Private links of finalists; whoever reads the log would otherwise answer in their name.
SECRET_ADDRESSES = re.compile(r"(/place/)[^/?\s\"']+")
WITHOUT = r"\1***"


class WithoutSecrets(logging.Filter):
    """Takes secrets out of the addresses that a record's message and arguments name. Every record passes."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrites the record."""
        record.msg = without_secrets(record.msg)
        if isinstance(record.args, tuple):
            record.args = tuple(map(without_secrets, record.args))
        return True


def without_secrets(value: object) -> object:
    """A text without them; anything else as it is."""
    return SECRET_ADDRESSES.sub(WITHOUT, value) if isinstance(value, str) else value
