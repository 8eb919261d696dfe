"""The tournament desk. Celery's application is made with it, so that a task's name is enough to tell the broker."""

from tournament.celery import app as celery_app

__all__ = ["celery_app"]
