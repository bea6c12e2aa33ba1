"""Packs of rolls: those of a game whose table has been closed for a while, in one row."""

import django.db.models.deletion
from django.db import migrations, models

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0015_packs"),
    ]

    operations = [
        # In the order of those who write a move, who go on meanwhile: a deadlock otherwise.
        migrations.RunSQL(
            "LOCK TABLE games_gamedice, games_diceroll IN SHARE ROW EXCLUSIVE MODE",
            migrations.RunSQL.noop,
        ),
        migrations.CreateModel(
            name="StoredDiceRoll",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("n", models.PositiveIntegerField()),
                ("kind", models.PositiveSmallIntegerField()),
                ("flags", models.PositiveSmallIntegerField()),
                ("house", models.BinaryField()),
                ("white", models.BinaryField()),
                ("black", models.BinaryField()),
                ("dice", models.JSONField()),
                ("seq", models.BigIntegerField()),
                ("rolled_at", models.DateTimeField()),
            ],
            options={
                "db_table": "games_storedroll",
                "managed": False,
            },
        ),
        migrations.AlterField(
            model_name="diceroll",
            name="game",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="games.gamedice",
            ),
        ),
        migrations.CreateModel(
            name="RollPack",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="games.gamedice",
                    ),
                ),
                ("first_id", models.BigIntegerField()),
                ("last_id", models.BigIntegerField()),
                ("last_at", models.DateTimeField()),
                ("rolls", models.TextField()),
                ("house", models.BinaryField()),
                ("white", models.BinaryField()),
                ("black", models.BinaryField()),
            ],
            options={
                "indexes": [models.Index(fields=["last_at"], name="roll_pack_by_time")],
            },
        ),
        *frozen(__file__, "0016_roll_packs", "0016_dice", "0016_streams", "0016_rights"),
    ]
