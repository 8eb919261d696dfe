"""Q5: is what was acknowledged on the disk? The system calls of the server say so.

Between a request that changes something and the reply that says yes the database's log must be written and then
synced by fdatasync or fsync. A power cut cannot be made in a test; the order of the system calls can be read. One
client writes at a time and sends nothing twice, so that every yes stands for one write of its own.
"""

import re
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

# With `strace -f -y`: the descriptor is followed by the path of its file or socket.
CALL = re.compile(r"^(?:\[pid\s+)?(\d+)\]?\s+(\w+)\(\d+<([^>]*)>")

WRITES = frozenset({"pwrite64", "write", "pwritev", "writev", "pwritev2"})
SYNCS = frozenset({"fdatasync", "fsync"})
REPLIES = frozenset({"sendto", "sendmsg", "write", "writev"})


SHOWN = 12


@dataclass
class Trace:
    """`acknowledged` replies seen, `unsynced` those sent while a log write, or the sync of any, was still wanting.

    PostgreSQL's own writer may begin to write the log's next records when a backend has synced its own and not yet
    replied. So a reply is good where the process that sends it has synced and has nothing waiting, or where somebody
    has and nobody has anything waiting. `calls` are the last ones before each reply that was not good.
    """

    acknowledged: int = 0
    unsynced: int = 0
    log_writes: int = 0
    waiting: set[tuple[str, str]] = field(default_factory=set)
    synced: set[str] = field(default_factory=set)
    calls: list[str] = field(default_factory=list)

    def is_good(self, process: str) -> bool:
        """Whether what this process now says yes to is on the disk."""
        own = any(writer == process for writer, _file in self.waiting)
        return (process in self.synced and not own) or (bool(self.synced) and not self.waiting)


def read_trace(lines: Iterable[str], log_file: re.Pattern[str], reply: re.Pattern[str]) -> Trace:
    """Follow the calls of a server and all its processes.

    `log_file` matches the path of the database's log, `reply` the line of a reply that says yes.
    """
    trace, recent = Trace(), deque[str](maxlen=SHOWN)
    for line in lines:
        call = CALL.match(line)
        if call is None:
            continue
        process, name, target = call.groups()
        if log_file.search(target) or reply.search(line):
            recent.append(line.strip()[:160])
        if name in WRITES and log_file.search(target):
            trace.waiting.add((process, target))
            trace.log_writes += 1
        elif name in SYNCS and log_file.search(target):
            trace.waiting = {(writer, file) for writer, file in trace.waiting if file != target}
            trace.synced.add(process)
        elif name in REPLIES and reply.search(line):
            trace.acknowledged += 1
            if not trace.is_good(process):
                trace.unsynced += 1
                trace.calls += recent
            trace.waiting.clear()
            trace.synced.clear()
    return trace
