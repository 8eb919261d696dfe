"""`make third-party`: THIRD_PARTY.md, made from the pinned requirements as installed and from what lies in the tree.

A package says its own licence in its metadata. A vendored file has the text of its licence beside it: FONT_LICENCES
says which font has which, a folder of scripts has a LICENSE. `--check` writes nothing and answers 1 where the file is
not as it would be made.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, distribution
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
THIRD_PARTY_DOCUMENT = ROOT / "THIRD_PARTY.md"
RUNTIME, DEVELOPMENT = ROOT / "requirements.txt", ROOT / "requirements-dev.txt"
FONTS, VENDORED = ROOT / "tournament" / "fonts", ROOT / "tournament" / "static" / "vendor"
LONGEST_NAME = 60
# Each font by the start of its name, longest first, with the text of its licence.
FONT_LICENCES = {
    "NotoSansHK": "OFL-NotoSansHK.txt",
    "NotoSansJP": "OFL-NotoSansJP.txt",
    "NotoSansSC": "OFL-NotoSansSC.txt",
    "NotoSans_": "OFL-NotoSans.txt",
}
HEAD = """\
# What of others is in here

Made by `make third-party`; `tests/test_third_party.py` holds it to what is pinned and to what lies in the tree. Do not
edit it by hand. The project's own licence is its owner's to choose: see the README.
"""
ICONS_SECTION = """\
## Icons and pictures

None of others. The icons (`tournament/core/templatetags/display_icons.py`), the joker (`tournament/static/img/`), the
style sheets and the pictures in `docs/images/` were made for this project.
"""


@dataclass(frozen=True)
class Part:
    """One thing of others: what it is called, which version, which licence, where the licence's text lies."""

    name: str
    version: str
    licence: str
    text: str


def pinned(requirements: Path) -> Iterator[str]:
    """Names of the packages that one requirements file pins itself, in its order."""
    for line in requirements.read_text(encoding="utf-8").splitlines():
        if "==" in line:
            yield line.partition("==")[0].strip()


def licence_of(package: Distribution) -> str:
    """As the package says it: the SPDX expression, else the short name, else the classifiers."""
    said = package.metadata
    for field in ("License-Expression", "License"):
        text = re.split(r"\n| \(see", ([*said.get_all(field, []), ""])[0])[0].strip()
        if text and len(text) <= LONGEST_NAME and "released under" not in text and "Copyright" not in text:
            return text
    classifiers = [one.split(" :: ")[-1] for one in said.get_all("Classifier") or [] if one.startswith("License ::")]
    return ", ".join(one for one in classifiers if one != "OSI Approved")


def licence_file_of(package: Distribution) -> str:
    """The licence's text in the installed package, without the version in its folder; "" where it brings none."""
    found = [str(file) for file in package.files or () if re.search(r"(?i)(licen[cs]e|copying)", file.name)]
    own = [name for name in found if ".dist-info/" in name]
    return min(own, key=len).partition(".dist-info/")[2] if own else ""


def packages(requirements: Path) -> list[Part]:
    """The packages of one requirements file, as they are installed."""
    made = []
    for name in pinned(requirements):
        package = distribution(name)
        made.append(Part(name, package.version, licence_of(package), licence_file_of(package)))
    return sorted(made, key=lambda part: part.name.lower())


def fonts() -> list[Part]:
    """Each font file with the licence's text beside it."""
    made = []
    for path in sorted(FONTS.glob("*.?tf")):
        text = next((text for start, text in FONT_LICENCES.items() if path.name.startswith(start)), "")
        made.append(Part(path.name, "", "SIL Open Font License 1.1" if text else "", text))
    return made


def vendored() -> list[Part]:
    """Each folder of vendored scripts: the first line of its LICENSE says name, version and source, the third which."""
    made = []
    for folder in sorted(path for path in VENDORED.iterdir() if path.is_dir()):
        path = folder / "LICENSE"
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else ["", "", ""]
        made.append(Part(folder.name, lines[0].partition(",")[0].rpartition(" ")[2], lines[2], "LICENSE"))
    return made


def licence_table(parts: list[Part], columns: tuple[str, ...]) -> str:
    """A table of Markdown with these fields of each part."""
    rows = [" | ".join(columns), "|".join("---" for _ in columns)]
    rows += [" | ".join(str(getattr(part, column)) for column in columns) for part in parts]
    return "\n".join(f"| {row} |" if "---" not in row else f"|{row}|" for row in rows)


def document() -> str:
    """The whole text of THIRD_PARTY.md."""
    whole = ("name", "version", "licence", "text")
    chapters = [
        HEAD,
        "## Python packages that run the program\n",
        "`requirements.txt`. The text of each licence is in the installed package, as `text` names it.\n",
        licence_table(packages(RUNTIME), whole),
        "\n## Python packages that only test and measure\n",
        "`requirements-dev.txt`, on top. None of them is needed on a server.\n",
        licence_table(packages(DEVELOPMENT), whole),
        "\n## Fonts\n",
        "`tournament/fonts/`, embedded in PDF files. Its README says where each comes from.\n",
        licence_table(fonts(), ("name", "licence", "text")),
        "\n## Vendored scripts\n",
        "`tournament/static/vendor/`, unchanged, each with its licence in its own folder.\n",
        licence_table(vendored(), whole),
        "",
        ICONS_SECTION,
    ]
    return "\n".join(chapters)


def main(arguments: list[str]) -> int:
    """Write the document, or with --check say whether it is as it would be written."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit status 1 if it is out of date")
    given = parser.parse_args(arguments)
    made = document()
    if given.check:
        there = THIRD_PARTY_DOCUMENT.read_text(encoding="utf-8") if THIRD_PARTY_DOCUMENT.exists() else ""
        print("THIRD_PARTY.md is up to date" if there == made else "THIRD_PARTY.md is out of date: make third-party")
        return int(there != made)
    THIRD_PARTY_DOCUMENT.write_text(made, encoding="utf-8")
    print(f"{THIRD_PARTY_DOCUMENT.name} written")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
