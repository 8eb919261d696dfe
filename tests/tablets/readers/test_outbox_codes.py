"""The QR codes of a tablet's outbox, read at the desk: the series that its page is held to in js/test_outbox_codes."""

import base64
import hashlib
import json
import random
import zlib
from pathlib import Path

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as some

from tournament.core.errors import BadInput, Refused, TooLarge
from tournament.tablets.readers import is_outbox_series, read_outbox_series

SERIES = json.loads((Path(__file__).parents[2] / "data" / "outbox_codes.json").read_text(encoding="utf-8"))
FILE = json.dumps(SERIES["file"], ensure_ascii=False, separators=(",", ":")).encode()
MOST = 4 * 1024 * 1024


def refusal_of(text: str, most: int = MOST) -> tuple[str, str]:
    """The code of the refusal, and what it says."""
    with pytest.raises(Refused) as refused:
        read_outbox_series(text, most)
    with translation.override("en"):
        return refused.value.code, str(refused.value)


@pytest.mark.parametrize("packed", ["plain", "deflated"])
def test_the_lines_of_the_page_are_its_file_in_any_order_and_as_often_as_they_were_scanned(packed: str) -> None:
    lines = SERIES[packed]
    assert len(lines) > 1
    for seed in range(5):
        scanned = [*lines, *random.Random(seed).choices(lines, k=4)]
        random.Random(seed).shuffle(scanned)
        assert read_outbox_series("\n".join(scanned), MOST) == FILE


@pytest.mark.parametrize("packed", ["plain", "deflated"])
@pytest.mark.parametrize("between", ["\n", "\r\n", "\t", " ", "", "\n\n  \n"])
def test_what_a_scanner_puts_between_the_codes_and_into_them_goes_for_nothing(packed: str, between: str) -> None:
    folded = [f" {line[:30]}\n{line[30:200]}  {line[200:]}\r\n" for line in SERIES[packed]]
    assert is_outbox_series(folded[0])
    assert read_outbox_series(between.join(folded), MOST) == FILE
    assert read_outbox_series(between.join(SERIES[packed]), MOST) == FILE


def test_those_that_are_missing_are_named() -> None:
    lines = SERIES["deflated"]
    count = len(lines)
    assert count >= 3
    assert refusal_of("\n".join([lines[0], *lines[2:]])) == (
        "outbox_part_missing",
        f"Code 2 of {count} is missing. Show it again and scan it; the others are here.",
    )
    numbers = ", ".join(str(number) for number in range(2, count + 1))
    assert f"Code {numbers} of {count}" in refusal_of(lines[0])[1]


def test_two_series_are_not_mixed() -> None:
    code, said = refusal_of("\n".join([SERIES["plain"][0], SERIES["deflated"][0]]))
    first, second = (SERIES[name][0].split(".")[1] for name in ("plain", "deflated"))
    assert (code, first in said, second in said) == ("outbox_other_series", True, True)


def test_a_code_that_was_read_wrongly_is_refused() -> None:
    lines = SERIES["deflated"]
    other = lines[1][:-1] + ("A" if lines[1][-1] != "A" else "B")
    assert refusal_of("\n".join([lines[0], other, *lines[2:]]))[0] == "outbox_codes_differ"
    assert refusal_of("\n".join([*lines, other]))[0] == "outbox_codes_differ"
    assert refusal_of(f"{lines[0]}!")[0] == "outbox_code_not_readable"
    assert refusal_of("RT1.00000000.3.2.p.AAAA")[0] == "outbox_code_not_readable"


def of_bytes(content: bytes) -> str:
    """A series of one compressed code."""
    whole = base64.urlsafe_b64encode(content).decode().rstrip("=")
    return f"RT1.{hashlib.sha256(whole.encode()).hexdigest()[:8]}.1.1.z.{whole}"


def test_a_series_that_unpacks_to_too_much_is_refused_without_unpacking_it() -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    bomb = packer.compress(b"0" * 50_000_000) + packer.flush()
    with pytest.raises(TooLarge):
        read_outbox_series(of_bytes(bomb), MOST)
    assert refusal_of(of_bytes(bomb[:100]))[0] == "outbox_codes_differ"
    assert refusal_of(of_bytes(b"no deflate"))[0] == "outbox_codes_differ"


@given(some.text(alphabet="RT1.0123456789abcdefzp-_ \n", max_size=120))
def test_whatever_is_pasted_is_read_or_refused(text: str) -> None:
    with pytest.raises(BadInput):
        read_outbox_series("RT1." + text, MOST)
