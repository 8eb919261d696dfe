"""`manage.py subject NUMBER`: everything that is held of one person, to files that their owner alone may read."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.core.models.event import Event
from tournament.entrants.models.people import Entrant
from tournament.operations.services import subject_copy


class Command(BaseCommand):
    """A person asks for a copy; the log says that one was made."""

    help = "Write all that is held of an entrant as JSON and as a text."

    def add_arguments(self, parser: CommandParser) -> None:
        """The number, the event where there is more than one, the file."""
        parser.add_argument("number", help="the entrant's number")
        parser.add_argument("--event", default="", metavar="SLUG", help="needed where there is more than one event")
        parser.add_argument("--to", default="", metavar="FILE", help="a file that is not there yet; its text beside it")

    def handle(self, *args: Any, **options: Any) -> None:
        """Two files; their names are told."""
        entrant = self.find(options["number"], options["event"])
        path = Path(options["to"]) if options["to"] else subject_copy.default_path(entrant)
        try:
            written = subject_copy.write_subject_copy(entrant, path, by=None)
        except FileExistsError:
            raise CommandError(f"{path} or its text is there already. Name another file.") from None
        except OSError as failed:
            raise CommandError(f"{path} cannot be written: {failed.strerror}.") from None
        for file in written:
            self.stdout.write(str(file))
        self.stdout.write("Hand them to the person alone, and delete them then.")

    def find(self, number: str, slug: str) -> Entrant:
        """The entrant of the event that is meant."""
        events = Event.objects.filter(slug=slug) if slug else Event.objects.filter(rehearsal=False)
        if len(events) != 1:
            raise CommandError(f"There is no event {slug}." if slug else "Name the event: --event SLUG.")
        rows = Entrant.objects.filter(event=events[0], number=int(number) if number.isdecimal() else -1)
        entrant = rows.select_related("person", "session", "family", "event").first()
        if entrant is None:
            raise CommandError(f"There is no entrant {number} at {events[0].slug}.")
        return entrant
