"""Both languages are complete: every sentence that is marked has its Chinese, and each says the same facts."""

import os
import re
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

import polib
import pytest

from tests.core.translatable import everything_said, in_context, placeholders

ROOT = Path(__file__).resolve().parents[2]
CATALOGUES = Path("tournament/locale/zh_Hant/LC_MESSAGES")
DOMAINS = ("django", "djangojs")
CHINESE = re.compile("[\u3400-\u9fff]")
# One marked sentence of each kind of file, put into the copy that `make words` reads.
PROBES = {
    "tournament/log/probe.py": 'from django.utils.translation import gettext as _\n\n_("Probe in Python")\n',
    "templates/log/probe.html": '{% trans "Probe in a template" %}\n',
    "tournament/static/js/probe.js": 'gettext("Probe in a script");\n',
}


def catalogue(domain: str, root: Path = ROOT) -> dict[str, polib.POEntry]:
    """The entries of one catalogue in use, by context and msgid."""
    entries = polib.pofile(str(root / CATALOGUES / f"{domain}.po"), wrapwidth=0)
    return {in_context(entry.msgctxt, entry.msgid): entry for entry in entries}


def entries() -> list[polib.POEntry]:
    return [entry for domain in DOMAINS for entry in catalogue(domain).values()]


def texts_of(entry: polib.POEntry) -> list[str]:
    """The Chinese of an entry: one text, also where English has two."""
    return list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]


@pytest.fixture(scope="module")
def made_anew(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the program with the probes, after `make words`."""
    copy = tmp_path_factory.mktemp("words") / "program"
    for part in ("tournament", "templates", "scoring"):
        copytree(ROOT / part, copy / part, ignore=ignore_patterns("__pycache__", "fonts", "vendor"))
    for name in ("manage.py", "Makefile"):
        (copy / name).write_bytes((ROOT / name).read_bytes())
    for name, text in PROBES.items():
        (copy / name).write_text(text, encoding="utf-8")
    command = ["make", "--old-file=runtime", "words", f"PYTHON={sys.executable}"]
    done = subprocess.run(command, cwd=copy, env={**os.environ, "VAR_DIR": str(copy / "var")}, capture_output=True)
    assert done.returncode == 0, (done.stdout + done.stderr).decode()
    return copy


def test_make_words_changes_nothing_but_for_a_new_sentence_in_python_a_template_or_a_script(made_anew: Path) -> None:
    new = {domain: catalogue(domain, made_anew).keys() - catalogue(domain).keys() for domain in DOMAINS}
    gone = {domain: catalogue(domain).keys() - catalogue(domain, made_anew).keys() for domain in DOMAINS}
    probes = {"django": {"Probe in Python", "Probe in a template"}, "djangojs": {"Probe in a script"}}
    assert (new, gone) == (probes, {"django": set(), "djangojs": set()}), "make words"


def test_every_sentence_that_is_marked_has_its_chinese() -> None:
    """Read from the code without gettext's tools, which look into no f-string: the message then stands before it."""
    have = {in_context(entry.msgctxt, entry.msgid) for entry in entries()}
    missing = sorted({f"{where}: {said!r}" for said, where in everything_said() if said not in have})
    assert missing == []


def test_no_script_has_chinese_of_its_own() -> None:
    scripts = [
        path for path in (ROOT / "tournament/static/js").rglob("*.js") if CHINESE.search(path.read_text("utf-8"))
    ]
    assert scripts == []


def test_no_translation_is_a_guess() -> None:
    unsure = [entry.msgid for entry in entries() if entry.fuzzy or entry.obsolete or not all(texts_of(entry))]
    assert unsure == []


def test_a_script_and_a_page_say_one_sentence_alike() -> None:
    pages, scripts = catalogue("django"), catalogue("djangojs")
    differing = {key for key in pages.keys() & scripts.keys() if texts_of(pages[key]) != texts_of(scripts[key])}
    assert differing == set()


def test_a_sentence_and_its_chinese_are_filled_with_the_same_facts() -> None:
    differing = [
        entry.msgid
        for entry in entries()
        for text in texts_of(entry)
        if placeholders(text) != placeholders(entry.msgid) | placeholders(entry.msgid_plural)
    ]
    assert differing == []


@pytest.mark.parametrize("domain", DOMAINS)
def test_what_django_reads_says_what_the_catalogue_says(domain: str) -> None:
    compiled = polib.mofile(str(ROOT / CATALOGUES / f"{domain}.mo"))
    assert {in_context(entry.msgctxt, entry.msgid): texts_of(entry) for entry in compiled} == {
        key: texts_of(entry) for key, entry in catalogue(domain).items()
    }, "make words"


@pytest.mark.fault("X18")
def test_no_sentence_says_that_nobody_changes_a_locked_sheet_for_two_people_correct_it() -> None:
    sheet = re.compile("sheet|lock|certif|sign|計分紙|鎖|核實|簽")
    nobody = re.compile(r"\bfor ever\b|[Nn]obody can|can never|任何人都不能(更改|改)|永遠|包括評審員")
    texts = [text for entry in entries() for text in (entry.msgid, *texts_of(entry))]
    assert [text for text in texts if sheet.search(text) and nobody.search(text)] == []
    [told] = [entry for entry in entries() if "write down the receipt code" in entry.msgid]
    assert told.msgid.startswith("Only a correction by two people at the desk can change it.")
    assert "兩人更正" in told.msgstr
