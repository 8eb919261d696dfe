"""The server with the safety switched off: the control of the kills. Only tests start it."""

from tests.reliability import django_ready, naive
from tournament.sheets.services import scoresheets
from tournament.wsgi import application

scoresheets.save_scoresheet = naive.save
__all__ = ["application", "django_ready"]
