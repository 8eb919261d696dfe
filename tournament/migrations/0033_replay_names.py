from typing import Any

from django.db import migrations, models


def name_replays(apps: Any, schema_editor: Any) -> None:
    """Each replay by the number of the session that its families were entered for first."""
    sessions = apps.get_model("tournament", "Session").objects.using(schema_editor.connection.alias)
    rows = {row.pk: row for row in sessions.all()}
    for row in rows.values():
        first = row
        while first.replays_id:
            first = rows[first.replays_id]
        if first is not row:
            sessions.filter(pk=row.pk).update(known_number_of_day=first.number_of_day)


class Migration(migrations.Migration):
    dependencies = [("tournament", "0031_locked_spans")]

    operations = [
        migrations.AddField(
            model_name="session",
            name="known_number_of_day",
            field=models.PositiveSmallIntegerField(
                help_text="of a replay: 第幾場 its families know it as, that of the session it was made for", null=True
            ),
        ),
        migrations.AddField(
            model_name="weathersignal",
            name="expires_at",
            field=models.DateTimeField(help_text="as the feed says; of rain and wind it is no end", null=True),
        ),
        migrations.RunPython(name_replays, migrations.RunPython.noop),
    ]
