"""The stakes of points matches and series; prices that were set before have the usual ones."""

import django.contrib.postgres.fields
from django.db import migrations, models

EACH = (
    "cardinality(%(expressions)s) BETWEEN 1 AND 6 AND 1 <= ALL(%(expressions)s) "
    "AND 10000000 >= ALL(%(expressions)s)"
)


class Migration(migrations.Migration):
    dependencies = [("games", "0002_favourites"), ("ledger", "0002_promo")]

    operations = [
        migrations.AddField(
            "houseprices",
            "match_stakes_cents",
            django.contrib.postgres.fields.ArrayField(
                models.PositiveIntegerField(), default=[250, 500, 1000, 2000]
            ),
            preserve_default=False,
        ),
        migrations.AddConstraint(
            "houseprices",
            models.CheckConstraint(
                condition=models.Func(
                    models.F("match_stakes_cents"),
                    output_field=models.BooleanField(),
                    template=EACH,
                ),
                name="prices_match_stakes_cents",
            ),
        ),
        # the rows have a column more than their last logged versions
        migrations.RunSQL("SELECT change_take('games_houseprices')", migrations.RunSQL.noop),
    ]
