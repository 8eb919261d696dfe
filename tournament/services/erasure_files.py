"""Files with personal data: scans and mails, which an erasure removes, and what it cannot reach and so names."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.utils import timezone

from tournament.adapters.mail_files import file_name
from tournament.models import Delivery, Entrant, Event, Scan
from tournament.services import backup, backup_kept, scoresheets_scans

# What lies in VAR_DIR by the installation's own doing, and is looked after by whoever made it.
KNOWN = frozenset(
    {
        *("backups", "beat", "environment", "front", "kind", "lan", "mail", "public", "scans", "secret_key"),
        *("serving.lock", "signature_key", "static", "subjects"),
    }
)


class Left(NamedTuple):
    """A file that an erasure does not open: its name, and until when it knows (the moment it was written)."""

    name: str
    at: datetime


def remove_scan(scan: Scan) -> None:
    """The picture of a paper."""
    (scoresheets_scans.folder() / scan.file_name).unlink(missing_ok=True)


def mail_file(delivery: Delivery) -> Path:
    """Where a mail lies that was sent into files."""
    return Path(settings.EMAIL_FILE_PATH) / file_name(delivery.message_id)


def has_mail(delivery: Delivery) -> bool:
    """Whether its file is there."""
    return mail_file(delivery).is_file()


def remove_mail(delivery: Delivery) -> None:
    """The mail's file."""
    mail_file(delivery).unlink(missing_ok=True)


def copies_folder() -> Path:
    """Where copies for persons who asked for theirs are written."""
    return Path(settings.VAR_DIR) / "subjects"


def copy_name(entrant: Entrant) -> str:
    """How the files of one person's copy begin."""
    return f"{entrant.event.slug}-{entrant}"


def copies(names: Iterable[str]) -> list[Path]:
    """Copies that are still here, by how their names begin."""
    wanted = set(names)
    folder = copies_folder()
    return (
        [path for path in sorted(folder.glob("*")) if path.name.rpartition("-")[0] in wanted] if folder.is_dir() else []
    )


def backups() -> list[Left]:
    """Every backup here, oldest first; each has all that was in the database when it was made."""
    folders = [folder for folder in (backup.folder(), backup_kept.second_folder()) if folder and folder.is_dir()]
    return [left(path) for folder in folders for path in sorted(folder.glob(f"*{backup.SUFFIX}*"))]


def strangers() -> list[Left]:
    """Files beside the installation's own that somebody put there: exports, copies, lists."""
    database = Path(str(settings.DATABASES["default"]["NAME"])).name
    return [left(path) for path in sorted(others(Path(settings.VAR_DIR), database))]


def others(folder: Path, database: str) -> Iterator[Path]:
    """What is neither the database nor known."""
    for path in folder.iterdir():
        own = path.name in KNOWN or path.name.startswith((f"{database}", "beat", "."))
        if path.is_file() and not own:
            yield path


def left(path: Path) -> Left:
    """By its name alone, which tells nobody where it lies."""
    return Left(path.name, datetime.fromtimestamp(path.stat().st_mtime, tz=timezone.get_current_timezone()))


def folder_of(event: Event) -> Path:
    """What the public reads of an event."""
    return Path(settings.PUBLIC_ROOT) / event.slug
