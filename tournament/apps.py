"""The one app, which is also the project package."""

from django.apps import AppConfig
from django.core.checks import Tags, register

from tournament import checks


class TournamentConfig(AppConfig):
    """Registers the models and the system checks."""

    name = "tournament"
    label = "tournament"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """The checks of this installation."""
        register(checks.words_are_compiled, Tags.translation)
        register(checks.settings_fit_together, Tags.security)
        register(checks.production_names_its_places, Tags.security, deploy=True)
