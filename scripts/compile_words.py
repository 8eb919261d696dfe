"""Merge the catalogues of tournament/locale/zh_Hant/*.po into the one file that Django reads.

Each stage has its own .po, so that two people never edit one file. `python scripts/compile_words.py` prints how many
words there are; it ends with 1 and says where, when two files translate one msgid differently or an entry is fuzzy.
"""

import sys
from pathlib import Path

import polib

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tournament.words import COMPILED, DIGEST_HEADER, SOURCES, sources, sources_digest


def merged(paths: list[Path]) -> tuple[polib.POFile, list[str]]:
    """One catalogue of all, and what stands against it."""
    catalogue, faults = polib.POFile(wrapwidth=0), []
    catalogue.metadata = {
        "Content-Type": "text/plain; charset=UTF-8",
        "Language": "zh_Hant",
        "Plural-Forms": "nplurals=1; plural=0;",
        DIGEST_HEADER: sources_digest(),
    }
    seen: dict[tuple[str | None, str], tuple[polib.POEntry, Path]] = {}
    for path in paths:
        for entry in polib.pofile(str(path)):
            if entry.obsolete:
                continue
            if entry.fuzzy:
                faults.append(f"{path.name}: fuzzy: {entry.msgid!r}")
            key = (entry.msgctxt, entry.msgid)
            if key not in seen:
                seen[key] = (entry, path)
                catalogue.append(entry)
                continue
            first, first_path = seen[key]
            if (first.msgstr, first.msgstr_plural) != (entry.msgstr, entry.msgstr_plural):
                faults.append(
                    f"{entry.msgid!r}: {first_path.name} says {first.msgstr!r}, {path.name} says {entry.msgstr!r}"
                )
    return catalogue, faults


def main() -> int:
    """Compile, or say why not."""
    catalogue, faults = merged(sources())
    if faults:
        print("\n".join(faults), file=sys.stderr)
        return 1
    COMPILED.parent.mkdir(parents=True, exist_ok=True)
    catalogue.save_as_mofile(str(COMPILED))
    print(f"{len(catalogue.translated_entries())} words from {len(sources())} files in {SOURCES.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
