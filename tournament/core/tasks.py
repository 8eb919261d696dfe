"""A worker process by its own mark, which no other has had."""

import os
import secrets
from functools import cache


def own_name() -> str:
    """This process's mark; a process that was forked from another has its own."""
    return new_worker_name(os.getpid())


@cache
def new_worker_name(process: int) -> str:
    """Numbers of processes come again, so that chance is added."""
    return f"{process}-{secrets.token_hex(4)}"
