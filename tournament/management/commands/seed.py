"""`manage.py seed --stage STAGE --seed N`: the made-up event in an empty database, at any stage of its day."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournament.demo.accounts import ACCOUNTS
from tournament.demo.stages import STAGES, seed_event, seeded
from tournament.enums import Role
from tournament.folder import EVENT, VAR, kind_of
from tournament.models import Event
from tournament.services.release_files import write_public_files


class Command(BaseCommand):
    """Seeds once; a database that has something else in it is refused and left as it is."""

    help = "Play the made-up event up to a stage, through the real services."

    def add_arguments(self, parser: CommandParser) -> None:
        """`--keep` takes whatever stage a demo already has, when none was asked for."""
        parser.add_argument("--stage", choices=STAGES)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--keep", action="store_true", help="go on with the stage that is there")

    def handle(self, *args: Any, **options: Any) -> None:
        """Seed, or say what is there; the public's page exists from now on; then the sign-ins."""
        if kind_of(settings.VAR_DIR) == EVENT or settings.VAR_DIR == VAR / EVENT:
            raise CommandError(
                f"{settings.VAR_DIR} is kept for a real event. The demo: make demo STAGE=...", returncode=3
            )
        event = Event.objects.first()
        if event is None:
            stage = options["stage"] or "results"
            event = seed_event(stage, options["seed"])
            self.stdout.write(f"Seeded {event.slug}: {stage}, seed {options['seed']}.")
        else:
            self.stdout.write(self.what_is_there(event, options))
        write_public_files(event)
        self.say_accounts()

    def what_is_there(self, event: Event, options: dict[str, Any]) -> str:
        """The stage that is there; CommandError where another was asked for, or where it is no demo."""
        found = seeded(event)
        if found is None:
            raise CommandError(f"This database has the event {event.slug}, which is not a demo. It is left as it is.")
        stage, seed = found
        asked = options["stage"] or (stage if options["keep"] else "results")
        if asked != stage:
            raise CommandError(
                f"This demo was seeded as {stage} (seed {seed}) and keeps its data; you asked for {asked}.\n"
                f"To start over: make demo-reset STAGE={asked}"
            )
        return f"The demo {event.slug} is there: seeded as {stage}, seed {seed}, with all that was done since."

    def say_accounts(self) -> None:
        """A sign-in for each role."""
        self.stdout.write("Sign in as (made-up people, passwords known to all: never for a real event):")
        for account in ACCOUNTS:
            if account.role != Role.REFEREE:
                self.stdout.write(f"  {account.role.value:12} {account.username:10} {account.password}")
        referees = [account for account in ACCOUNTS if account.role == Role.REFEREE]
        self.stdout.write(f"  {'referee':12} {referees[0].username} to {referees[-1].username}, demo- before the name")
        pins = ", ".join(f"{account.username} {account.pin}" for account in referees if account.pin)
        self.stdout.write(f"  {'PIN':12} {pins} at a tablet that the desk has paired")
