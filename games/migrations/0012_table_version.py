"""Every change of a table's row counts its version, whoever made the change and however."""

from django.db import migrations, models

FORWARD = """
CREATE FUNCTION games_table_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.version := OLD.version + 1;
    RETURN NEW;
END
$$;
CREATE TRIGGER games_table_version
    BEFORE UPDATE ON games_table
    FOR EACH ROW EXECUTE FUNCTION games_table_counts();
"""

BACKWARD = """
DROP TRIGGER games_table_version ON games_table;
DROP FUNCTION games_table_counts();
"""


class Migration(migrations.Migration):
    dependencies = [("games", "0011_dice_statistics")]

    operations = [
        migrations.AddField(
            model_name="table",
            name="version",
            field=models.BigIntegerField(db_default=0, default=0, editable=False),
        ),
        migrations.RunSQL(FORWARD, BACKWARD),
    ]
