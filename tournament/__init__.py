"""The tournament desk. Celery's application is made with it, so that a task's name is enough to tell the broker."""

from tournament.celery import app as celery_app

__version__ = "0.1.0"
__all__ = ["__version__", "celery_app"]
