"""The ranking list is read by its own order, and deep ranks are counted from marks."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ratings", "0002_covered_indexes"),
    ]

    operations = [
        migrations.CreateModel(
            name="RankMark",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("pool", models.CharField(max_length=40)),
                ("elo", models.DecimalField(decimal_places=4, max_digits=9)),
                ("above", models.PositiveIntegerField()),
                ("through", models.PositiveIntegerField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("pool", "elo"), name="rank_mark_once")
                ],
            },
        ),
        migrations.RemoveIndex(model_name="rating", name="rating_order"),
        migrations.AddIndex(
            model_name="rating",
            index=models.Index(
                models.F("pool"),
                models.OrderBy(models.F("elo"), descending=True),
                models.OrderBy(models.F("user"), descending=True),
                condition=models.Q(("games__gt", 0)),
                name="rating_ranking",
            ),
        ),
    ]
