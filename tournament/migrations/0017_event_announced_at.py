"""An event is in the public's list and has a public page only once it is announced; those that are there, are."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.utils import timezone


def announce_all(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """What was public stays public."""
    events = apps.get_model("tournament", "Event").objects.using(schema_editor.connection.alias)
    events.update(announced_at=timezone.now())


class Migration(migrations.Migration):
    dependencies = [("tournament", "0016_roles_in_effect")]

    operations = [
        migrations.AddField(
            model_name="event",
            name="announced_at",
            field=models.DateTimeField(
                null=True, help_text="since when the public has its page; the first notice or release also announce it"
            ),
        ),
        migrations.RunPython(announce_all, migrations.RunPython.noop),
    ]
