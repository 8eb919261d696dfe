"""A worker process by its own mark, which no other has had."""

import os
import secrets
from functools import cache


def own_name() -> str:
    """This process's mark; a process that was forked from another has its own."""
    return name_of(os.getpid())


@cache
def name_of(process: int) -> str:
    """Numbers of processes come again, so that chance is added."""
    return f"{process}-{secrets.token_hex(4)}"
