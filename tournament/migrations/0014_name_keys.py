"""Every person's key made again: without the layout of a name, and whatever field it was typed in."""

from typing import Any

from django.db import migrations

from tournament.names import name_key


def key_again(apps: Any, schema_editor: Any) -> None:
    """From the names as typed."""
    people = apps.get_model("tournament", "Person").objects.using(schema_editor.connection.alias)
    changed = []
    for person in people.only("name_zh", "name_en", "name_key").iterator():
        key = name_key(person.name_zh, person.name_en)
        if key != person.name_key:
            person.name_key = key
            changed.append(person)
    people.bulk_update(changed, ["name_key"], batch_size=500)


class Migration(migrations.Migration):
    """After the consents."""

    dependencies = [("tournament", "0013_consent_and_salt")]
    operations = [migrations.RunPython(key_again, migrations.RunPython.noop, elidable=True)]
