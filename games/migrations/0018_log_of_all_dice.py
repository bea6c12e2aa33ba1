"""The public log of dice takes openings of other kinds of tables, whose rows refer to its entries.

A statement stands here because Django would also make the foreign key anew, and lock the dice of
the tables that are being played meanwhile.
"""

import django.db.models.deletion
from django.db import migrations, models

from accounts.frozen_sql import frozen


class Migration(migrations.Migration):
    dependencies = [("games", "0017_chat_rooms")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    "ALTER TABLE games_dicelogentry ALTER COLUMN game_id DROP NOT NULL",
                    "ALTER TABLE games_dicelogentry ALTER COLUMN game_id SET NOT NULL",
                )
            ],
            state_operations=[
                migrations.AlterField(
                    model_name="dicelogentry",
                    name="game",
                    field=models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="log_entry",
                        to="games.gamedice",
                    ),
                )
            ],
        ),
        *frozen(__file__, "0018_dice"),
    ]
