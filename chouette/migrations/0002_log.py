"""Openings of chouettes stand in the public log of dice, those from before as its next lines.

The locks come in the order of those who open dice meanwhile: a deadlock otherwise.
"""

import django.db.models.deletion
from django.db import migrations, models

from accounts.frozen_sql import frozen

LOCK = """
    LOCK TABLE chouette_game IN ACCESS EXCLUSIVE MODE;
    SELECT pg_advisory_xact_lock(hashtextextended('dice log', 0));
"""

#: the guard refuses any change of a game that is over.
ENTER_OLD_OPENINGS = """
    ALTER TABLE chouette_game DISABLE TRIGGER game_guard;
    DO $$
    DECLARE v_game chouette_game;
    BEGIN
        FOR v_game IN SELECT * FROM chouette_game WHERE open_hash IS NOT NULL
                      ORDER BY started_at, circle_id, number LOOP
            UPDATE chouette_game SET log_entry_id = games_opening_append(NULL, v_game.open_hash)
            WHERE id = v_game.id;
        END LOOP;
    END $$;
    SET CONSTRAINTS ALL IMMEDIATE;
    ALTER TABLE chouette_game ENABLE TRIGGER game_guard;
"""


class Migration(migrations.Migration):
    dependencies = [("chouette", "0001_initial"), ("games", "0018_log_of_all_dice")]

    operations = [
        migrations.RunSQL(LOCK, migrations.RunSQL.noop),
        migrations.AddField(
            model_name="game",
            name="log_entry",
            field=models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="chouette_game",
                to="games.dicelogentry",
            ),
        ),
        migrations.RunSQL(ENTER_OLD_OPENINGS, migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("log_entry__isnull", True),
                        ("next_roll", 0),
                        ("open_hash__isnull", True),
                    ),
                    models.Q(("log_entry__isnull", False), ("open_hash__isnull", False)),
                    _connector="OR",
                ),
                name="chouette_game_logged_before_rolls",
            ),
        ),
        *frozen(__file__, "0002_log"),
    ]
