from django.db import migrations, models


def who_set_them(apps, schema_editor):
    """Of every sheet that is not locked yet: its typist, the judge who ruled other values, who took the third look."""
    given = schema_editor.connection.alias
    sheets = apps.get_model("tournament", "Scoresheet").objects.using(given)
    disputes = apps.get_model("tournament", "Dispute").objects.using(given)
    second = apps.get_model("tournament", "SecondTyping").objects.using(given)
    for sheet in sheets.filter(state__in=("draft", "ready", "disputed"), typed_by__isnull=False):
        ruled = disputes.filter(scoresheet=sheet, outcome="values").order_by("decided_at")
        looked = second.filter(scoresheet=sheet, settled_by__isnull=False)
        found = [
            sheet.typed_by_id,
            *ruled.values_list("decided_by", flat=True),
            *looked.values_list("settled_by", flat=True),
        ]
        sheets.filter(pk=sheet.pk).update(values_by=list(dict.fromkeys(found)))


class Migration(migrations.Migration):
    rebuilds_guarded = ("tournament_scoresheet",)

    dependencies = [
        ("tournament", "0011_proposal"),
    ]

    operations = [
        migrations.AddField(
            model_name="scoresheet",
            name="values_by",
            field=models.JSONField(
                default=list,
                help_text="ids of the accounts that set values of it (typed, ruled, third look), the newest last",
            ),
        ),
        migrations.RunPython(who_set_them, migrations.RunPython.noop),
    ]
