"""Drop indexes that the index of a constraint, or a longer one, begins with.

The statements stand here because Django would also check every foreign key anew.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

INDEXES = (
    "games_commandrecord_table_id_d0d1fd3d",
    "games_diceroll_game_id_a54e973a",
    "games_gamedice_match_id_d4c8826a",
    "games_match_table_id_56efb09f",
    "games_table_guest_id_113e64aa",
    "games_table_opener_id_43067100",
    "games_tableevent_table_id_8ee7517a",
)


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0012_chouettes"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(f"DROP INDEX {name}", migrations.RunSQL.noop) for name in INDEXES
            ],
            state_operations=[
                migrations.AlterField(
                    model_name="commandrecord",
                    name="table",
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="games.table",
                    ),
                ),
                migrations.AlterField(
                    model_name="diceroll",
                    name="game",
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rolls",
                        to="games.gamedice",
                    ),
                ),
                migrations.AlterField(
                    model_name="gamedice",
                    name="match",
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="dice",
                        to="games.match",
                    ),
                ),
                migrations.AlterField(
                    model_name="match",
                    name="table",
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="matches",
                        to="games.table",
                    ),
                ),
                migrations.AlterField(
                    model_name="table",
                    name="guest",
                    field=models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tables_joined",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                migrations.AlterField(
                    model_name="table",
                    name="opener",
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tables_opened",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                migrations.AlterField(
                    model_name="tableevent",
                    name="table",
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="events",
                        to="games.table",
                    ),
                ),
            ],
        )
    ]
