"""Django set up and its tables made, before anything that has models is imported."""

import os

import django
from django.core.management import call_command

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")
django.setup()


def make_tables() -> None:
    """All migrations, in a database that has nothing."""
    call_command("migrate", verbosity=0)
