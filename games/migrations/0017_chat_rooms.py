"""Rooms of talk beside tables: a message names its table or its room, and perhaps its readers.

Two statements stand here because Django would also make the foreign keys to tables anew, and lock
the tables that are being played meanwhile.
"""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0016_roll_packs"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="chatmessage",
            name="message_audience",
        ),
        migrations.AddField(
            model_name="chatmessage",
            name="readers",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.BigIntegerField(), blank=True, null=True, size=None
            ),
        ),
        migrations.AddField(
            model_name="chatmessage",
            name="room",
            field=models.CharField(blank=True, db_default="", default="", max_length=64),
        ),
        migrations.AddField(
            model_name="chatreport",
            name="room",
            field=models.CharField(blank=True, db_default="", default="", max_length=64),
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    f"ALTER TABLE {table} ALTER COLUMN table_id DROP NOT NULL",
                    f"ALTER TABLE {table} ALTER COLUMN table_id SET NOT NULL",
                )
                for table in ("games_chatmessage", "games_chatreport")
            ],
            state_operations=[
                migrations.AlterField(
                    model_name="chatmessage",
                    name="table",
                    field=models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="chat",
                        to="games.table",
                    ),
                ),
                migrations.AlterField(
                    model_name="chatreport",
                    name="table",
                    field=models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="games.table",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="chatmessage",
            index=models.Index(
                condition=models.Q(("room__gt", "")), fields=["room", "-id"], name="message_by_room"
            ),
        ),
        migrations.AddConstraint(
            model_name="chatmessage",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("audience", "everybody"), ("readers", None)),
                    models.Q(("audience", "watchers"), ("readers", None), ("seat", None)),
                    models.Q(
                        ("audience", "crew"),
                        ("readers__isnull", False),
                        ("room__gt", ""),
                        ("seat", None),
                    ),
                    _connector="OR",
                ),
                name="message_audience",
            ),
        ),
        migrations.AddConstraint(
            model_name="chatmessage",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("room", ""), ("table__isnull", False)),
                    models.Q(("room__gt", ""), ("table__isnull", True)),
                    _connector="OR",
                ),
                name="message_in_one_place",
            ),
        ),
        migrations.AddConstraint(
            model_name="chatreport",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("room", ""), ("table__isnull", False)),
                    models.Q(("room__gt", ""), ("table__isnull", True)),
                    _connector="OR",
                ),
                name="report_in_one_place",
            ),
        ),
    ]
