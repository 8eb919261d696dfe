"""Write the public's files anew, from the releases alone: after an upgrade, a restore or a change of an event's
facts."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from tournament.core.models.event import Event
from tournament.publication.services.files import write_index, write_public_files


class Command(BaseCommand):
    """`manage.py public_files [slug ...]`: all events where none is named."""

    help = "Write the files under /p/ anew, from Release rows alone."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slugs", nargs="*", help="events by slug; none: all")

    def handle(self, *args: Any, **options: Any) -> None:
        """Each event, and the list of all."""
        events = Event.objects.order_by("slug")
        if options["slugs"]:
            events = events.filter(slug__in=options["slugs"])
        write_index(anew=True)
        for event in events:
            write_public_files(event, anew=True)
            self.stdout.write(f"/p/{event.slug}/")
