from django.db import migrations, models


def who_set_them(apps, schema_editor):
    """Of every sheet that is not locked yet: its typist, the judge who ruled other values, who took the third look."""
    Scoresheet = apps.get_model("tournament", "Scoresheet")
    Dispute = apps.get_model("tournament", "Dispute")
    SecondTyping = apps.get_model("tournament", "SecondTyping")
    for sheet in Scoresheet.objects.filter(state__in=("draft", "ready", "disputed"), typed_by__isnull=False):
        ruled = Dispute.objects.filter(scoresheet=sheet, outcome="values").order_by("decided_at")
        looked = SecondTyping.objects.filter(scoresheet=sheet, settled_by__isnull=False)
        found = [
            sheet.typed_by_id,
            *ruled.values_list("decided_by", flat=True),
            *looked.values_list("settled_by", flat=True),
        ]
        Scoresheet.objects.filter(pk=sheet.pk).update(values_by=list(dict.fromkeys(found)))


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
