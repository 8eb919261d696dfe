"""Every person's key made again: padding that is not seen parts the words of a name. Who was erased has none."""

from typing import Any

from django.db import migrations

from tournament.names import name_key


def key_again(apps: Any, schema_editor: Any) -> None:
    """From the names as typed."""
    people = apps.get_model("tournament", "Person").objects.using(schema_editor.connection.alias)
    changed = []
    for person in people.filter(erased_at=None).only("name_zh", "name_en", "name_key").iterator():
        key = name_key(person.name_zh, person.name_en)
        if key != person.name_key:
            person.name_key = key
            changed.append(person)
    people.bulk_update(changed, ["name_key"], batch_size=500)


class Migration(migrations.Migration):
    """After several pairs of a family."""

    dependencies = [("tournament", "0022_several_pairs")]
    operations = [migrations.RunPython(key_again, migrations.RunPython.noop, elidable=True)]
