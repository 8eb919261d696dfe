"""The one app, which is also the project package."""

from importlib import import_module
from typing import Any

from django.apps import AppConfig
from django.core.checks import Tags, register
from django.db.models.signals import post_migrate, pre_migrate

from tournament import checks
from tournament.audit import triggers

# Each registers what earlier rooms call without knowing it.
REGISTERING = ("tournament.mail.domain.mailing_subjects", "tournament.finalists.services.release_ties")


def before_migrate(using: str, plan: Any = (), **kwargs: Any) -> None:
    """Before every migration; the plan says whether one goes back."""
    triggers.prepare_triggers_for_migration(using, backwards=any(backwards for _migration, backwards in plan))


def after_migrate(using: str, **kwargs: Any) -> None:
    """After every migration: one that rebuilds a table loses its guards on SQLite."""
    triggers.install_triggers(using)


class TournamentConfig(AppConfig):
    """Registers the models, the system checks and what follows a migration."""

    name = "tournament"
    label = "tournament"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """The checks of this installation."""
        for module in REGISTERING:
            import_module(module)
        register(checks.check_settings_combinations, Tags.security)
        register(checks.check_production_settings, Tags.security, deploy=True)
        register(checks.check_mail_settings, Tags.compatibility)
        register(checks.check_broker, Tags.compatibility)
        register(checks.check_triggers_installed, Tags.database)
        pre_migrate.connect(before_migrate, sender=self, dispatch_uid="make way")
        post_migrate.connect(after_migrate, sender=self, dispatch_uid="guards")
