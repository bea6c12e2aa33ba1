-- What fixes the dice of a game stays as it was; rolls and the public log are never changed. Rolls leave their table
-- only for a pack (roll_packs.sql).
CREATE OR REPLACE FUNCTION games_dice_stay() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE OR REPLACE TRIGGER games_dice_fixed
    BEFORE UPDATE OR DELETE ON games_gamedice
    FOR EACH ROW EXECUTE FUNCTION games_dice_stay();
CREATE OR REPLACE TRIGGER games_dice_table_stays
    BEFORE TRUNCATE ON games_gamedice
    FOR EACH STATEMENT EXECUTE FUNCTION kit_refuse();
SELECT rows_stay('games_diceroll', 'UPDATE');
SELECT rows_stay('games_dicelogentry');

-- The next line of the public log, for an opening: each line holds the hash of the one before it (docs/dice.md). It
-- returns the line's number. Openings of all tables are appended one after the other: the lock is held until the
-- commit. A line that names no game is of another kind of table, whose app refers to it.
CREATE OR REPLACE FUNCTION games_opening_append(p_game uuid, p_open_hash bytea) RETURNS bigint LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_number bigint;
    v_previous bytea;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('dice log', 0));
    SELECT l.number, l.hash INTO v_number, v_previous FROM games_dicelogentry l ORDER BY l.number DESC LIMIT 1;
    v_number := coalesce(v_number, 0) + 1;
    v_previous := coalesce(v_previous, decode(repeat('00', 32), 'hex'));
    INSERT INTO games_dicelogentry (number, game_id, open_hash, previous, hash, logged_at)
    VALUES (v_number, p_game, p_open_hash, v_previous,
            sha256(convert_to('BGD1.log', 'UTF8') || '\x00'::bytea || int8send(v_number) || v_previous || p_open_hash),
            clock_timestamp());
    RETURN v_number;
END
$$;
