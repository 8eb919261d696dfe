"""The WSGI application that gunicorn serves."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from tournament.core import storage

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")

application = get_wsgi_application()
# For as long as the process lives: while one connection is open, the next needs no room on the disk to read.
held_sqlite_connection = storage.hold_sqlite_open(settings.DATABASES["default"])
