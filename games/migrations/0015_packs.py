"""Packs: the events of a table that has been closed for a while, in one row."""

import django.db.models.deletion
from django.db import migrations, models

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0014_match_lists"),
    ]

    operations = [
        # In the order of those who write a move, who go on meanwhile: a deadlock otherwise.
        migrations.RunSQL(
            "LOCK TABLE games_table, games_tableevent IN SHARE ROW EXCLUSIVE MODE",
            migrations.RunSQL.noop,
        ),
        migrations.CreateModel(
            name="StoredEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seq", models.BigIntegerField()),
                ("type", models.CharField(max_length=32)),
                ("payload", models.JSONField()),
                ("stored_at", models.DateTimeField()),
            ],
            options={
                "db_table": "games_storedevent",
                "managed": False,
            },
        ),
        migrations.CreateModel(
            name="EventPack",
            fields=[
                (
                    "table",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="games.table",
                    ),
                ),
                ("first_id", models.BigIntegerField()),
                ("last_id", models.BigIntegerField()),
                ("events", models.TextField()),
            ],
        ),
        migrations.AlterField(
            model_name="tableevent",
            name="table",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="games.table",
            ),
        ),
        *frozen(__file__, "0015_packs", "0015_events", "0015_streams", "0015_rights"),
    ]
