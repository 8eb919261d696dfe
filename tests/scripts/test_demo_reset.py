"""A demo that is played anew takes the old one's place whole or not at all, whenever it is interrupted or killed."""

import os
import sys
from pathlib import Path

import pytest

from scripts.demo_reset import replace_demo, settle_replacement
from tournament.core.installation_folder import KIND_FILE_NAME, SERVING_LOCK_NAME

OLD = {"tournament.sqlite3": "old", "seeded": "", "public/p.html": "old", "backups/one": "old"}
NEW = {"tournament.sqlite3": "new", "seeded": "", "public/p.html": "new", "front/nginx.conf": "new"}
STAYING = {KIND_FILE_NAME: "demo", SERVING_LOCK_NAME: "make demo-reset"}
CHANGES = {"os.mkdir", "os.rename", "os.remove", "os.rmdir"}
KILLED = 9


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def files_in(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }


def demo(folder: Path) -> Path:
    """One that was played and served."""
    write(folder, OLD | STAYING)
    return folder


def reset_killed_before(data: Path, change: int) -> bool:
    """A reset by another process, which the power leaves before it changes the folder for this time; whether it did."""
    child = os.fork()
    if child == 0:
        left = [change]

        def count(event: str, _arguments: tuple[object, ...]) -> None:
            if event in CHANGES:
                left[0] -= 1
                if left[0] == 0:
                    os._exit(KILLED)

        sys.addaudithook(count)
        replace_demo(data, lambda folder: write(folder, NEW))
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == KILLED


def test_the_new_one_takes_the_place_of_all_but_the_lock_and_the_kind(tmp_path: Path) -> None:
    data = demo(tmp_path / "demo")
    replace_demo(data, lambda folder: write(folder, NEW))
    assert files_in(data) == NEW | STAYING
    assert {path.name for path in data.iterdir() if path.name.startswith(".")} == set()


@pytest.mark.parametrize("end", [KeyboardInterrupt, SystemExit, OSError])
def test_one_that_is_interrupted_or_fails_while_it_is_played_leaves_the_demo_as_it_was(
    tmp_path: Path, end: type[BaseException]
) -> None:
    data = demo(tmp_path / "demo")

    def play(folder: Path) -> None:
        write(folder, {"tournament.sqlite3": "half"})
        raise end

    with pytest.raises(end):
        replace_demo(data, play)
    assert files_in(data) == OLD | STAYING


def test_killed_before_any_change_of_the_folder_the_next_start_finds_the_old_one_or_the_new_one_whole(
    tmp_path: Path,
) -> None:
    found = []
    for change in range(1, 100):
        data = demo(tmp_path / f"demo{change}")
        killed = reset_killed_before(data, change)
        settle_replacement(data)
        found.append(files_in(data))
        if not killed:
            break
    assert len(found) > 10
    turn = found.index(NEW | STAYING)
    assert 0 < turn < len(found) - 1
    assert found == [OLD | STAYING] * turn + [NEW | STAYING] * (len(found) - turn)


def test_where_no_reset_was_nothing_changes(tmp_path: Path) -> None:
    data = demo(tmp_path / "demo")
    settle_replacement(data)
    assert files_in(data) == OLD | STAYING
