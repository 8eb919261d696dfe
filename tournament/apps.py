"""The one app, which is also the project package."""

from typing import Any

from django.apps import AppConfig
from django.core.checks import Tags, register
from django.db.models.signals import post_migrate, pre_migrate

from tournament import checks, guards


def make_way_for_migrations(using: str, plan: Any = (), **kwargs: Any) -> None:
    """Before every migration; the plan says whether one goes back."""
    guards.make_way(using, backwards=any(backwards for _migration, backwards in plan))


def put_guards_back(using: str, **kwargs: Any) -> None:
    """After every migration: one that rebuilds a table loses its guards on SQLite."""
    guards.install(using)


class TournamentConfig(AppConfig):
    """Registers the models, the system checks and what follows a migration."""

    name = "tournament"
    label = "tournament"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """The checks of this installation."""
        register(checks.words_are_compiled, Tags.translation)
        register(checks.settings_fit_together, Tags.security)
        register(checks.production_names_its_places, Tags.security, deploy=True)
        register(checks.mail_can_go_out, Tags.compatibility)
        register(checks.broker_fits, Tags.compatibility)
        register(checks.guards_stand, Tags.database)
        pre_migrate.connect(make_way_for_migrations, sender=self, dispatch_uid="make way")
        post_migrate.connect(put_guards_back, sender=self, dispatch_uid="guards")
