"""Every mode: a match keeps its whole terms and its points; the operator's figures have a row."""

from django.db import migrations, models

FILL_TERMS = """
UPDATE games_match SET terms = games_table.state -> 'terms'
FROM games_table WHERE games_table.id = games_match.table_id
"""


class Migration(migrations.Migration):
    dependencies = [("games", "0003_decide_match")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="points",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="match",
            name="terms",
            field=models.JSONField(default=dict),
        ),
        migrations.RunSQL(FILL_TERMS, migrations.RunSQL.noop),
        migrations.RemoveField(model_name="match", name="rake_bps"),
        migrations.CreateModel(
            name="HousePrices",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("figures", models.JSONField(default=dict)),
                ("changed_at", models.DateTimeField(auto_now=True)),
            ],
            options={
                "verbose_name_plural": "house prices",
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("pk", 1)), name="prices_once")
                ],
            },
        ),
    ]
