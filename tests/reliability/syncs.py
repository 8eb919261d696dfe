"""Q5: is what was acknowledged on the disk? The system calls of the server say so.

Between a request that changes something and the reply that says yes the database's log must be written and then
synced by fdatasync or fsync. A power cut cannot be made in a test; the order of the system calls can be read. One
client writes at a time and sends nothing twice, so that every yes stands for one write of its own.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

# With `strace -f -y`: the descriptor is followed by the path of its file or socket.
CALL = re.compile(r"^(?:\[pid\s+)?\d+\]?\s+(\w+)\(\d+<([^>]*)>")

WRITES = frozenset({"pwrite64", "write", "pwritev", "writev", "pwritev2"})
SYNCS = frozenset({"fdatasync", "fsync"})
REPLIES = frozenset({"sendto", "sendmsg", "write", "writev"})


@dataclass
class Trace:
    """`acknowledged` replies seen, `unsynced` those sent while a log write, or the sync of any, was still wanting."""

    acknowledged: int = 0
    unsynced: int = 0
    log_writes: int = 0
    waiting: set[str] = field(default_factory=set)
    synced: bool = False


def read_trace(lines: Iterable[str], log_file: re.Pattern[str], reply: re.Pattern[str]) -> Trace:
    """Follow the calls of a server and all its processes.

    `log_file` matches the path of the database's log, `reply` the line of a reply that says yes.
    """
    trace = Trace()
    for line in lines:
        call = CALL.match(line)
        if call is None:
            continue
        name, target = call.groups()
        if name in WRITES and log_file.search(target):
            trace.waiting.add(target)
            trace.log_writes += 1
        elif name in SYNCS and log_file.search(target):
            trace.waiting.discard(target)
            trace.synced = True
        elif name in REPLIES and reply.search(line):
            trace.acknowledged += 1
            trace.unsynced += bool(trace.waiting) or not trace.synced
            trace.waiting.clear()
            trace.synced = False
    return trace
