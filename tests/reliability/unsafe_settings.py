"""The settings with the disk's safety switched off: the control of Q5. Only tests use it."""

from tournament.settings import *  # noqa: F403
from tournament.settings import DATABASES, SQLITE

if SQLITE:
    DATABASES["default"]["OPTIONS"]["init_command"] += "PRAGMA synchronous=NORMAL;"
else:
    DATABASES["default"]["OPTIONS"]["options"] += " -c synchronous_commit=off"
