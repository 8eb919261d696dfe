"""The Celery application: it finds its tasks in `tournament.tasks`, its settings beside Django's with CELERY_ before
them."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")

app = Celery("tournament")
app.config_from_object("django.conf:settings", namespace="CELERY")
# Otherwise it is the application of the thread that imported it alone.
app.set_default()
app.conf.imports = ("tournament.operations.tasks.due",)
