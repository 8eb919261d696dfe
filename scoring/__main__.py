"""`python -m scoring VERB [FILE] [--lines]`: the rules from a shell.

One JSON document from FILE or standard input gives one JSON document. With `--lines` every line is a document and
gets a line of answer. What cannot be taken ends with status 2 and one line on standard error that says where and
why; with `--lines` it is an answer of its own, and the others go on.
"""

import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from typing import BinaryIO, NamedTuple

from scoring.problems import Refusal
from scoring.shell.document import parse_json_document, printable, write_json_line
from scoring.shell.verbs import RULESETS_VERB, VERBS, Verb, answer_rulesets

JSON_BLANKS = b" \t\r\n"
EXIT_REFUSED = 2
EXIT_INTERRUPTED = 130
LINES_OPTION = "--lines"


class ShellCall(NamedTuple):
    """What the shell asked for: `file` None is standard input."""

    verb: str
    file: str | None
    lines: bool


class StdoutUnwritable(Exception):
    """Standard output takes nothing more; `why` is empty where its reader has simply gone."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def main(arguments: Sequence[str]) -> int:
    """Answer one call; the exit status."""
    verb = next((f" {argument}" for argument in arguments if argument != LINES_OPTION), "")
    try:
        answer_shell_call(parse_shell_arguments(arguments))
    except Refusal as refusal:
        where = f"{refusal.where}: " if refusal.where else ""
        _write_stderr_line(f"scoring{verb}: {where}{refusal.why}")
        return EXIT_REFUSED
    except StdoutUnwritable as gone:
        if sys.stdout is not None:
            # What is still held back must not be tried again at the interpreter's end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if gone.why:
            _write_stderr_line(f"scoring{verb}: standard output: {gone.why}")
            return EXIT_REFUSED
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    return 0


def _write_stderr_line(line: str) -> None:
    if sys.stderr is not None:
        sys.stderr.buffer.write(printable(line).encode("utf-8") + b"\n")


def parse_shell_arguments(arguments: Sequence[str]) -> ShellCall:
    """Read the arguments; `--lines` may stand before or after the verb. Raises Refusal."""
    words = [argument for argument in arguments if argument != LINES_OPTION]
    for word in words:
        if word.startswith("-") and word != "-":
            raise Refusal("arguments", f"{word} is no option; there is {LINES_OPTION}")
    known = ", ".join([*VERBS, RULESETS_VERB])
    if not words:
        raise Refusal("verb", f"is missing; there are {known}")
    if words[0] not in VERBS and words[0] != RULESETS_VERB:
        raise Refusal("verb", f"is unknown; there are {known}")
    if len(words) > 2:
        raise Refusal("arguments", "more than a verb and a file")
    file = words[1] if len(words) == 2 and words[1] != "-" else None
    return ShellCall(words[0], file, len(words) < len(arguments))


def answer_shell_call(call: ShellCall) -> None:
    """Write the answer, or with `--lines` all answers. Raises Refusal and Unwritable."""
    if call.verb == RULESETS_VERB:
        _write_stdout(write_json_line(answer_rulesets()))
        return
    verb = VERBS[call.verb]
    with ExitStack() as stack:
        try:
            source = stack.enter_context(open(call.file, "rb")) if call.file else _standard_input()
            if call.lines:
                for line in source:
                    if line.strip(JSON_BLANKS):
                        _write_stdout(answer_line(verb, line))
                return
            text = source.read()
        except OSError as error:
            raise Refusal(call.file or "standard input", f"cannot be read: {error.strerror}") from None
    _write_stdout(write_json_line(verb(parse_json_document(text))))


def answer_line(verb: Verb, line: bytes) -> bytes:
    """The answer to one line, be it a refusal."""
    try:
        return write_json_line(verb(parse_json_document(line)))
    except Refusal as refusal:
        return write_json_line({"error": printable(refusal.why), "where": printable(refusal.where)})


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise Refusal("standard input", "is closed")
    return sys.stdin.buffer


def _write_stdout(answer: bytes) -> None:
    """Write at once, so that a program may ask line by line. Raises Unwritable."""
    if sys.stdout is None:
        raise StdoutUnwritable("is closed")
    try:
        sys.stdout.buffer.write(answer)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise StdoutUnwritable("") from None
    except OSError as error:
        raise StdoutUnwritable(f"cannot be written: {error.strerror}") from None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
