"""`manage.py seed --event EVENT --stage STAGE --seed N`: a made-up event at any stage of its day, in a database that is
empty or has made-up events alone."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.core.enums import Role
from tournament.core.errors import Refused
from tournament.core.installation_folder import EVENT_KIND, VAR_FOLDER, kind_of_folder
from tournament.core.models.event import Event
from tournament.demo.accounts import DEMO_ACCOUNTS
from tournament.demo.events import (
    DEFAULT_DEMO_EVENT,
    DEMO_EVENTS,
    demo_fixtures,
)
from tournament.demo.stages import DEMO_STAGES, seed_event, seeded_stage
from tournament.publication.services.files import write_public_files


class Command(BaseCommand):
    """Seeds an event once; a database that has another than a demo's in it is refused and left as it is."""

    help = "Play the made-up event up to a stage, through the real services."

    def add_arguments(self, parser: CommandParser) -> None:
        """`--keep` takes whatever stage a demo already has, when none was asked for."""
        parser.add_argument("--event", choices=DEMO_EVENTS)
        parser.add_argument("--stage", choices=DEMO_STAGES)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--keep", action="store_true", help="go on with the stage that is there")

    def handle(self, *args: Any, **options: Any) -> None:
        """Seed, or say what is there; the public's page exists from now on; then the sign-ins."""
        if kind_of_folder(settings.VAR_DIR) == EVENT_KIND or settings.VAR_DIR == VAR_FOLDER / EVENT_KIND:
            raise CommandError(
                f"{settings.VAR_DIR} is kept for a real event. The demo: make demo STAGE=...", returncode=3
            )
        there = {event.slug: event for event in Event.objects.filter(rehearsal=False).order_by("pk")}
        self.refuse_others(there)
        asked = options["event"] or next(iter(there), DEFAULT_DEMO_EVENT)
        event = there.get(asked)
        if event is None:
            event = self.seed(asked, options)
        else:
            self.stdout.write(self.what_is_there(event, options))
        write_public_files(event)
        self.say_accounts()

    def refuse_others(self, there: Mapping[str, Event]) -> None:
        """A demo stands beside demos alone."""
        for slug, event in there.items():
            if seeded_stage(event) is None:
                raise CommandError(f"This database has the event {slug}, which is not a demo. It is left as it is.")

    def seed(self, asked: str, options: dict[str, Any]) -> Event:
        """Play the event that is asked for."""
        stage = options["stage"] or "results"
        try:
            event = seed_event(stage, options["seed"], demo_fixtures(asked))
        except Refused as refused:
            raise CommandError(f"{asked}: {refused}") from refused
        self.stdout.write(f"Seeded {event.slug}: {stage}, seed {options['seed']}.")
        return event

    def what_is_there(self, event: Event, options: dict[str, Any]) -> str:
        """The stage that is there; CommandError where another was asked for."""
        stage, seed = seeded_stage(event) or ("", 0)
        asked = options["stage"] or (stage if options["keep"] else "results")
        if asked != stage:
            raise CommandError(
                f"This demo was seeded as {stage} (seed {seed}) and keeps its data; you asked for {asked}.\n"
                f"To start over: make demo-reset {'' if event.slug == DEFAULT_DEMO_EVENT else f'EVENT={event.slug} '}"
                f"STAGE={asked}"
            )
        return f"The demo {event.slug} is there: seeded as {stage}, seed {seed}, with all that was done since."

    def say_accounts(self) -> None:
        """A sign-in for each role."""
        self.stdout.write("Sign in as (made-up people, passwords known to all: never for a real event):")
        referees = [account for account in DEMO_ACCOUNTS if account.role == Role.REFEREE]
        for account in (*(one for one in DEMO_ACCOUNTS if one.role != Role.REFEREE), referees[0]):
            role = account.role.value.replace("_", " ")
            self.stdout.write(f"  {role:12} {account.username:10} {account.password}")
        self.stdout.write(f"  and so on to {referees[-1].username} with {referees[-1].password}")
        pins = ", ".join(f"{account.pin} for {account.username}" for account in referees if account.pin)
        self.stdout.write(f"A tablet that the desk has paired asks a referee's PIN instead: {pins}")
