"""The guards, so that no database is ever without them; post_migrate puts them back after every later migration."""

from django.db import migrations

from tournament import guards


def put_guards(apps, schema_editor):
    guards.install(schema_editor.connection.alias)
    guards.make_way(schema_editor.connection.alias)  # for the migrations that follow in the same run


class Migration(migrations.Migration):
    dependencies = [("tournament", "0001_initial")]
    operations = [migrations.RunPython(put_guards, migrations.RunPython.noop, elidable=False)]
