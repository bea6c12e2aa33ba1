"""Drop indexes that the index of a constraint, or a longer one, begins with.

The statements stand here because Django would also check every foreign key anew.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

INDEXES = ("ratings_ratingchange_user_id_a63d35c4",)


class Migration(migrations.Migration):
    dependencies = [
        ("ratings", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(f"DROP INDEX {name}", migrations.RunSQL.noop) for name in INDEXES
            ],
            state_operations=[
                migrations.AlterField(
                    model_name="ratingchange",
                    name="user",
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rating_changes",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        )
    ]
