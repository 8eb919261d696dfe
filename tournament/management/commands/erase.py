"""`manage.py erase`: what of personal data would be erased, and with --do that it is."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.utils import timezone, translation

from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.entrants.models.people import Entrant
from tournament.operations.services import erasure
from tournament.operations.services.erasure_files import RemainingFile
from tournament.operations.services.erasure_kinds import ERASURE_KINDS
from tournament.operations.services.erasure_scope import ErasureScope
from tournament.operations.services.erasure_sweep import NO_RIGHT, WAL_BUSY
from tournament.operations.services.erasure_texts import STAFF_ONLY_ADVICE

ERASE_LINES_SHOWN = 50
FILES_CLEAN = {
    "sqlite": "The database's file was written anew and its write-ahead log emptied.",
    "postgresql": "The tables were written anew. PostgreSQL's write-ahead log, its archive and standbys hold old pages "
    "until they are recycled there.",
}
FILES_NOT_CLEAN_TEXTS = {
    WAL_BUSY: "Somebody reads in the database: its write-ahead log still holds old pages. Run this again later.",
    NO_RIGHT: "This account may not write the tables anew: they hold old rows until the database's own vacuum.",
}


class Command(BaseCommand):
    """Dry by default; run twice it is harmless, and one that broke off is completed."""

    help = (
        "Say what personal data of an event would be erased after its retention date, or of one entrant on request; "
        "--do erases it. Results stay, by number."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """An event, or an entrant of one."""
        parser.add_argument("event", nargs="?", metavar="EVENT", help="the event's slug: everybody, by its date")
        parser.add_argument("--entrant", nargs=2, metavar=("EVENT", "NUMBER"), help="one person, on request")
        parser.add_argument("--reason", default="", help="why, of one person; without any name")
        parser.add_argument("--do", action="store_true", help="erase; without it nothing is changed")

    def handle(self, *args: Any, **options: Any) -> None:
        """The dry run is always told; then it is done where that was asked."""
        scope = parse_erasure_scope(options["event"] or "", options["entrant"])
        with translation.override("en"):
            self.tell(scope)
            try:
                if options["do"]:
                    self.erase(scope, options["reason"])
                else:
                    if scope.whole:
                        erasure.require_date(scope.event)
                    self.stdout.write("Nothing was erased. --do erases.")
            except Refused as refused:
                raise CommandError(str(refused)) from None

    def tell(self, scope: ErasureScope) -> None:
        """By kind, and what stays."""
        for each in erasure.scopes_of(scope):
            plan = erasure.plan_erasure(each)
            self.stdout.write(f"{each.event.slug}, {'everybody' if each.whole else each.subject}:")
            for kind in ERASURE_KINDS:
                self.stdout.write(f"  {plan.counts[kind.name]:6}  {kind.label}")
            if plan.entries:
                listed = ", ".join(map(str, plan.entries[:ERASE_LINES_SHOWN]))
                self.stdout.write(
                    f"  stays: {len(plan.entries)} entries of the log whose reasons name them ({listed}); "
                    f"nobody changes an entry. {STAFF_ONLY_ADVICE}"
                )
            for left in plan.texts:
                things = ", ".join(left.things[:ERASE_LINES_SHOWN])
                self.stdout.write(
                    f"  stays: {len(left.things)} {left.label} ({things}); the log holds them. {left.to_do}"
                )
        for title, files in (("backup", plan.backups), ("file beside the installation's own", plan.strangers)):
            for file in files:
                self.stdout.write(f"  stays: {title} {remaining_file_text(file)}")

    def erase(self, scope: ErasureScope, reason: str) -> None:
        if scope.whole:
            made = erasure.erase_event_data(scope.event, by=None, tell=self.progress)
        else:
            made = erasure.erase_entrant_data(scope, reason=reason, by=None, tell=self.progress)
        for one in made.erasures:
            self.stdout.write(f"{one.event.slug}: erased: {erasure.counts_text(one.counts)}.")
        if not made.erasures:
            self.stdout.write("All was erased before.")
        self.stdout.write(FILES_CLEAN[connection.vendor] if not made.in_files else "")
        for code in made.in_files:
            self.stderr.write(FILES_NOT_CLEAN_TEXTS[code])

    def progress(self, done: int, total: int) -> None:
        self.stdout.write(f"  step {done + 1} of {total}")


def parse_erasure_scope(slug: str, entrant: list[str] | None) -> ErasureScope:
    """The event or the entrant that was named."""
    if bool(slug) == bool(entrant):
        raise CommandError("Name an event, or --entrant EVENT NUMBER.")
    slug, number = entrant or (slug, "")
    event = Event.objects.filter(slug=slug).first()
    if event is None:
        raise CommandError(f"There is no event {slug}.")
    if not entrant:
        return ErasureScope(event)
    found = Entrant.objects.filter(event=event, number=int(number) if number.isdecimal() else -1)
    one = found.select_related("person").first()
    if one is None:
        raise CommandError(f"There is no entrant {number} at {slug}.")
    return ErasureScope(event, one)


def remaining_file_text(file: RemainingFile) -> str:
    """A file with what it still has."""
    return f"{file.name}, with all that was there on {timezone.localtime(file.at):%Y-%m-%d %H:%M}: delete it"
