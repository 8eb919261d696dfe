"""The one app, which is also the project package."""

from django.apps import AppConfig


class TournamentConfig(AppConfig):
    """Registers the models; checks are registered by import in `checks`."""

    name = "tournament"
    label = "tournament"
    default_auto_field = "django.db.models.BigAutoField"
