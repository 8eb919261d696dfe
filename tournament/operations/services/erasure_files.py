"""Files with personal data: scans and mails, which an erasure removes, and what it cannot reach and so names."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.utils import timezone

from tournament.core.models.event import Event
from tournament.entrants.models.people import Entrant
from tournament.mail.adapters.mail_files import mail_file_name
from tournament.messages.models import Delivery
from tournament.operations.services import backup, backup_kept
from tournament.sheets.models.scan import Scan
from tournament.sheets.services import scans

# What lies in VAR_DIR by the installation's own doing, and is looked after by whoever made it.
KNOWN_VAR_NAMES = frozenset(
    {
        *("backups", "beat", "bundles", "environment", "front", "kind", "lan", "mail", "public", "scans", "secret_key"),
        *("seeded", "serving.lock", "signature_key", "static", "subjects"),
    }
)


class RemainingFile(NamedTuple):
    """A file that an erasure does not open: its name, and until when it knows (the moment it was written)."""

    name: str
    at: datetime


def remove_scan(scan: Scan) -> None:
    """The picture of a paper."""
    (scans.scans_folder() / scan.file_name).unlink(missing_ok=True)


def mail_file(delivery: Delivery) -> Path:
    """Where a mail lies that was sent into files."""
    return Path(settings.EMAIL_FILE_PATH) / mail_file_name(delivery.message_id)


def has_mail(delivery: Delivery) -> bool:
    """Whether its file is there."""
    return mail_file(delivery).is_file()


def remove_mail(delivery: Delivery) -> None:
    """Delete the mail's file where there is one."""
    mail_file(delivery).unlink(missing_ok=True)


def copies_folder() -> Path:
    """Where copies for persons who asked for theirs are written."""
    return Path(settings.VAR_DIR) / "subjects"


def copy_name(entrant: Entrant) -> str:
    """How the files of one person's copy begin."""
    return f"{entrant.event.slug}-{entrant}"


def find_subject_copies(names: Iterable[str]) -> list[Path]:
    """Copies that are still here, by how their names begin."""
    wanted = set(names)
    folder = copies_folder()
    return (
        [path for path in sorted(folder.glob("*")) if path.name.rpartition("-")[0] in wanted] if folder.is_dir() else []
    )


def remaining_backups() -> list[RemainingFile]:
    """Every backup here, oldest first; each has all that was in the database when it was made."""
    folders = [folder for folder in (backup.backup_folder(), backup_kept.second_folder()) if folder and folder.is_dir()]
    return [
        describe_remaining_file(path) for folder in folders for path in sorted(folder.glob(f"*{backup.BACKUP_SUFFIX}*"))
    ]


def unknown_files() -> list[RemainingFile]:
    """Files beside the installation's own that somebody put there: exports, copies, lists."""
    database = Path(str(settings.DATABASES["default"]["NAME"])).name
    return [describe_remaining_file(path) for path in sorted(iter_unknown_files(Path(settings.VAR_DIR), database))]


def iter_unknown_files(folder: Path, database: str) -> Iterator[Path]:
    """What is neither the database nor known."""
    for path in folder.iterdir():
        own = path.name in KNOWN_VAR_NAMES or path.name.startswith((f"{database}", "beat", "."))
        if path.is_file() and not own:
            yield path


def describe_remaining_file(path: Path) -> RemainingFile:
    """By its name alone, which tells nobody where it lies."""
    return RemainingFile(path.name, datetime.fromtimestamp(path.stat().st_mtime, tz=timezone.get_current_timezone()))


def folder_of(event: Event) -> Path:
    """What the public reads of an event."""
    return Path(settings.PUBLIC_ROOT) / event.slug
