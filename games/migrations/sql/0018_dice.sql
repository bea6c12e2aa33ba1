-- The next line of the public log, for an opening: each line holds the hash of the one before it (docs/dice.md). It
-- returns the line's number. Openings of all tables are appended one after the other: the lock is held until the
-- commit. A line that names no game is of another kind of table, whose app refers to it.
CREATE FUNCTION games_opening_append(p_game uuid, p_open_hash bytea) RETURNS bigint LANGUAGE plpgsql
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
