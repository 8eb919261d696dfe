"""THIRD_PARTY.md names everything of others that is pinned or lies in the tree, and each has its licence."""

from pathlib import Path

from scripts import third_party
from scripts.third_party import DEVELOPMENT, FONTS, RUNTIME, THIRD_PARTY_DOCUMENT, VENDORED

ROOT = Path(__file__).resolve().parent.parent


def test_the_document_is_as_the_command_makes_it() -> None:
    assert THIRD_PARTY_DOCUMENT.read_text(encoding="utf-8") == third_party.document(), "make third-party"


def test_every_pinned_package_says_its_licence() -> None:
    parts = third_party.packages(RUNTIME) + third_party.packages(DEVELOPMENT)
    assert len(parts) > 90
    assert [part.name for part in parts if not part.licence] == []


def test_every_font_has_the_text_of_its_licence_beside_it() -> None:
    parts = third_party.fonts()
    assert len(parts) > 5
    assert [part.name for part in parts if not part.text or not (FONTS / part.text).is_file()] == []


def test_every_folder_of_vendored_scripts_has_its_licence_with_name_version_and_kind() -> None:
    parts = third_party.vendored()
    assert [part.name for part in parts] == [path.name for path in sorted(VENDORED.iterdir()) if path.is_dir()]
    assert [part.name for part in parts if not (part.version and part.licence)] == []


def test_no_script_and_no_font_of_others_lies_elsewhere() -> None:
    loose = [path for path in (ROOT / "tournament").rglob("*.?tf") if path.parent != FONTS]
    loose += [path for path in VENDORED.iterdir() if path.is_file()]
    marked = ("@license", "Licensed under", "Permission is hereby granted")
    for path in (ROOT / "tournament" / "static").rglob("*.js"):
        if VENDORED not in path.parents and any(mark in path.read_text(encoding="utf-8") for mark in marked):
            loose.append(path)
    assert loose == []
