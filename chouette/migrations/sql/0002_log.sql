CREATE OR REPLACE FUNCTION chouette_game_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF (NEW.id, NEW.circle_id, NEW.number, NEW.box_id, NEW.captain_id, NEW.started_at, NEW.terms, NEW.house_tip,
        NEW.house_secret)
       IS DISTINCT FROM
       (OLD.id, OLD.circle_id, OLD.number, OLD.box_id, OLD.captain_id, OLD.started_at, OLD.terms, OLD.house_tip,
        OLD.house_secret)
       OR (OLD.ended_at IS NOT NULL AND NEW IS DISTINCT FROM OLD)
       OR NEW.next_roll < OLD.next_roll
       OR (OLD.open_hash IS NOT NULL AND
           (NEW.open_hash, NEW.signature, NEW.log_entry_id, NEW.sides->0->'value', NEW.sides->1->'value')
           IS DISTINCT FROM
           (OLD.open_hash, OLD.signature, OLD.log_entry_id, OLD.sides->0->'value', OLD.sides->1->'value')) THEN
        RAISE EXCEPTION 'game %: what was fixed stays', OLD.id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;

-- The opening of a game is a line of the public log, from the statement on that opens the dice: a check on the row
-- refuses an opening without a line, and a used roll number without an opening. Each game takes a line of its own.
CREATE FUNCTION chouette_opening_logged() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NEW.open_hash IS NULL OR (TG_OP = 'UPDATE' AND OLD.open_hash IS NOT NULL) THEN
        RETURN NEW;
    END IF;
    IF NEW.log_entry_id IS NOT NULL THEN
        RAISE EXCEPTION 'game %: the log gives the line', NEW.id USING ERRCODE = 'restrict_violation';
    END IF;
    NEW.log_entry_id := games_opening_append(NULL, NEW.open_hash);
    RETURN NEW;
END $$;
CREATE TRIGGER opening_logged BEFORE INSERT OR UPDATE ON chouette_game
    FOR EACH ROW EXECUTE FUNCTION chouette_opening_logged();

-- A line that names no table for two is the opening of a chouette.
CREATE FUNCTION chouette_line_has_game() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM chouette_game g WHERE g.log_entry_id = NEW.number AND g.open_hash = NEW.open_hash) THEN
        RAISE EXCEPTION 'line % of the dice log is the opening of no game', NEW.number
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER chouette_line_has_game AFTER INSERT ON games_dicelogentry
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.game_id IS NULL)
    EXECUTE FUNCTION chouette_line_has_game();
