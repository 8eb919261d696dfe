from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournament", "0020_decisions_of_two")]

    operations = [
        migrations.AlterField(
            model_name="helditem",
            name="because",
            field=models.CharField(
                choices=[
                    ("conflict", "the server has other values"),
                    ("late", "the tablet was no longer paired"),
                    ("refused", "the server refused it"),
                    ("brought", "brought by hand, and the seal is not the tablet's"),
                ],
                max_length=12,
            ),
        ),
    ]
