"""What fixes a game's dice stays as it was; rolls and the public log are never changed."""

from django.db import migrations

APPEND_ONLY = ("games_diceroll", "games_dicelogentry")

FORWARD = """
CREATE FUNCTION games_dice_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        RAISE EXCEPTION 'the dice of game % cannot be deleted', OLD.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF (NEW.id, NEW.table_id, NEW.match_id, NEW.number, NEW.mode, NEW.terms, NEW.house_tip,
        NEW.house_secret, NEW.made_at)
       IS DISTINCT FROM
       (OLD.id, OLD.table_id, OLD.match_id, OLD.number, OLD.mode, OLD.terms, OLD.house_tip,
        OLD.house_secret, OLD.made_at)
    THEN
        RAISE EXCEPTION 'what fixes the dice of game % cannot be changed', OLD.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD.open_hash IS NOT NULL AND (
        (NEW.open_hash, NEW.signature, NEW.opened_at)
        IS DISTINCT FROM (OLD.open_hash, OLD.signature, OLD.opened_at)
        OR NEW.sides #> '{0,value}' IS DISTINCT FROM OLD.sides #> '{0,value}'
        OR NEW.sides #> '{1,value}' IS DISTINCT FROM OLD.sides #> '{1,value}')
    THEN
        RAISE EXCEPTION 'the dice of game % are open: nothing of that changes', OLD.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.next_roll < OLD.next_roll THEN
        RAISE EXCEPTION 'a roll number of game % would be used twice', OLD.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER games_dice_fixed
    BEFORE UPDATE OR DELETE ON games_gamedice
    FOR EACH ROW EXECUTE FUNCTION games_dice_stay();
CREATE TRIGGER games_dice_table_stays
    BEFORE TRUNCATE ON games_gamedice
    FOR EACH STATEMENT EXECUTE FUNCTION games_refuse_mutation();
"""

BACKWARD = """
DROP TRIGGER games_dice_table_stays ON games_gamedice;
DROP TRIGGER games_dice_fixed ON games_gamedice;
DROP FUNCTION games_dice_stay();
"""


def _append_only(table: str) -> migrations.RunSQL:
    return migrations.RunSQL(
        f"""
        CREATE TRIGGER {table}_rows_stay BEFORE UPDATE OR DELETE ON {table}
            FOR EACH ROW EXECUTE FUNCTION games_refuse_mutation();
        CREATE TRIGGER {table}_stays BEFORE TRUNCATE ON {table}
            FOR EACH STATEMENT EXECUTE FUNCTION games_refuse_mutation();
        """,
        f"""
        DROP TRIGGER {table}_stays ON {table};
        DROP TRIGGER {table}_rows_stay ON {table};
        """,
    )


class Migration(migrations.Migration):
    dependencies = [("games", "0008_dice")]

    operations = [migrations.RunSQL(FORWARD, BACKWARD), *map(_append_only, APPEND_ONLY)]
