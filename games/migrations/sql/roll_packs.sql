-- Packs of rolls: all rolls of one game's dice in one row, made once the events of its table are packed
-- (docs/growth.md). The elements of the hash chains follow from later ones, so a pack holds the last element of the
-- house and of each player, and the database calculates the others (docs/dice.md). Everything else of a roll is in
-- the text. As for events, the canonical text of a roll is the same in its row and in a pack.

-- The canonical text of a roll; its first element names this encoding.
CREATE OR REPLACE FUNCTION games_roll_text(p_id bigint, p_game uuid, p_n int, p_kind smallint, p_flags smallint, p_house bytea,
                                p_white bytea, p_black bytea, p_dice jsonb, p_seq bigint, p_rolled_at timestamptz)
RETURNS text LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_array('pasch.roll.1', p_id, p_game, p_n, p_kind, p_flags, p_house, p_white, p_black,
        p_dice, p_seq, public.ledger_micros(p_rolled_at))::text
$$;

-- The parts of one role ('S', 'W' or 'B') in rolls 0, 1, … with these flags, calculated from its last own part. A
-- player who was absent at first and showed a seed later has the commitment behind the seed; it replaces those parts.
CREATE OR REPLACE FUNCTION games_roll_parts(p_game uuid, p_role text, p_last bytea, p_flags int[]) RETURNS bytea[]
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    v_chain bytea := '\x424744312e636861696e00'::bytea || uuid_send(p_game) || p_role::bytea;  -- BGD1.chain
    v_absent bytea := '\x424744312e616273656e7400'::bytea || uuid_send(p_game) || p_role::bytea;  -- BGD1.absent
    v_bit int := CASE p_role WHEN 'W' THEN 1 WHEN 'B' THEN 2 ELSE 0 END;
    v_seeds boolean := p_role <> 'S' AND p_flags[1] & 4 <> 0;
    v_parts bytea[] := '{}';
    v_own bytea := substr(p_last, 1, 32);
    v_seen boolean := false;
    v_before bytea;
BEGIN
    FOR i IN REVERSE cardinality(p_flags)..1 LOOP  -- back to the tip, from the last own part on
        v_seen := v_seen OR p_flags[i] & v_bit = 0;
        v_parts[i] := v_own;
        IF v_seen AND NOT v_seeds THEN
            v_own := sha256(v_chain || v_own);
        END IF;
    END LOOP;
    v_before := CASE WHEN length(p_last) > 32 THEN substr(p_last, 33) ELSE v_own END;
    FOR i IN 1..cardinality(p_flags) LOOP
        IF p_flags[i] & v_bit <> 0 THEN
            v_parts[i] := sha256(v_absent || int4send(i - 1) || v_before);
        ELSIF NOT v_seeds THEN
            v_before := v_parts[i];
        END IF;
    END LOOP;
    RETURN v_parts;
END $$;

-- What the text of a pack says of each roll: an array by n with what came since the roll before in ids, microseconds
-- and events (the first since 0), then the kind, the flags and the dice.
CREATE OR REPLACE FUNCTION games_rolls_listed(p_rolls text)
RETURNS TABLE (id bigint, n int, kind smallint, flags smallint, dice jsonb, seq bigint, rolled_at timestamptz)
LANGUAGE sql STABLE ROWS 60 AS $$
    SELECT (sum((roll ->> 0)::bigint) OVER past)::bigint, (place - 1)::int, (roll ->> 3)::smallint,
           (roll ->> 4)::smallint, roll -> 5, (sum((roll ->> 2)::bigint) OVER past)::bigint,
           'epoch'::timestamptz + (sum((roll ->> 1)::bigint) OVER past)::bigint * interval '1 microsecond'
    FROM jsonb_array_elements(p_rolls::jsonb) WITH ORDINALITY AS r(roll, place)
    WINDOW past AS (ORDER BY place)
$$;

-- The rolls of a pack as they stood in rows.
CREATE OR REPLACE FUNCTION games_rolls_in(p_game uuid, p_rolls text, p_house bytea, p_white bytea, p_black bytea)
RETURNS TABLE (id bigint, n int, kind smallint, flags smallint, house bytea, white bytea, black bytea, dice jsonb,
               seq bigint, rolled_at timestamptz) LANGUAGE sql STABLE ROWS 60 AS $$
    WITH listed AS MATERIALIZED (SELECT * FROM public.games_rolls_listed(p_rolls)),
    parts AS MATERIALIZED (
        SELECT public.games_roll_parts(p_game, 'S', p_house, f.flags) AS house,
               public.games_roll_parts(p_game, 'W', p_white, f.flags) AS white,
               public.games_roll_parts(p_game, 'B', p_black, f.flags) AS black
        FROM (SELECT array_agg(l.flags::int ORDER BY l.n) AS flags FROM listed l) f
    )
    SELECT l.id, l.n, l.kind, l.flags, p.house[l.n + 1], p.white[l.n + 1], p.black[l.n + 1], l.dice, l.seq,
           l.rolled_at
    FROM listed l CROSS JOIN parts p
$$;

-- A player's last own part in rolls that stand in rows; the tip or commitment of one who never gave a part, and
-- behind a seed of one who was absent before it.
CREATE OR REPLACE FUNCTION games_last_part(p_game uuid, p_seat int) RETURNS bytea LANGUAGE sql STABLE AS $$
    SELECT coalesce(own.part || CASE WHEN g.mode = 'K' AND own.was_absent THEN given.value ELSE ''::bytea END,
                    given.value)
    FROM public.games_gamedice g
    CROSS JOIN LATERAL (SELECT coalesce(decode(g.sides -> p_seat ->> 'value', 'hex'),
                                        decode(repeat('00', 32), 'hex')) AS value) given
    LEFT JOIN LATERAL (
        SELECT CASE p_seat WHEN 0 THEN r.white ELSE r.black END AS part,
               EXISTS (SELECT FROM public.games_diceroll a
                       WHERE a.game_id = g.id AND a.flags & (1 << p_seat) <> 0) AS was_absent
        FROM public.games_diceroll r WHERE r.game_id = g.id AND r.flags & (1 << p_seat) = 0
        ORDER BY r.n DESC LIMIT 1) own ON true
    WHERE g.id = p_game
$$;

-- The pack of a game's rolls that stand in rows; no row without any.
CREATE OR REPLACE FUNCTION games_roll_pack_of(p_game uuid, OUT first_id bigint, OUT last_id bigint, OUT last_at timestamptz,
                                   OUT rolls text, OUT house bytea, OUT white bytea, OUT black bytea)
RETURNS SETOF record LANGUAGE sql STABLE AS $$
    SELECT min(r.id), max(r.id), max(r.rolled_at),
           jsonb_agg(jsonb_build_array(r.id - r.id_before, r.at - r.at_before, r.seq - r.seq_before, r.kind,
                                       r.flags, r.dice) ORDER BY r.n)::text,
           (array_agg(r.house ORDER BY r.n DESC))[1],
           public.games_last_part(p_game, 0), public.games_last_part(p_game, 1)
    FROM (SELECT d.*, public.ledger_micros(d.rolled_at) AS at, lag(d.id, 1, 0::bigint) OVER past AS id_before,
                 lag(public.ledger_micros(d.rolled_at), 1, 0::bigint) OVER past AS at_before,
                 lag(d.seq, 1, 0::bigint) OVER past AS seq_before
          FROM public.games_diceroll d WHERE d.game_id = p_game WINDOW past AS (ORDER BY d.n)) r
    HAVING count(*) > 0
$$;

-- All rolls, in rows and in packs. Name the game: a query without it unpacks the whole house.
CREATE OR REPLACE VIEW games_storedroll AS
SELECT r.id, r.game_id, r.n, r.kind, r.flags, r.house, r.white, r.black, r.dice, r.seq, r.rolled_at
FROM games_diceroll r
UNION ALL
SELECT r.id, p.game_id, r.n, r.kind, r.flags, r.house, r.white, r.black, r.dice, r.seq, r.rolled_at
FROM games_rollpack p CROSS JOIN LATERAL games_rolls_in(p.game_id, p.rolls, p.house, p.white, p.black) r;

-- What finds a pack is what its rolls say, whoever writes it: their ids for a seal, the last moment for a count.
CREATE OR REPLACE FUNCTION games_rolls_span(p_rolls text, p_first_id bigint, p_last_id bigint, p_last_at timestamptz)
RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT (min(r.id), max(r.id), max(r.rolled_at)) = (p_first_id, p_last_id, p_last_at)
    FROM public.games_rolls_listed(p_rolls) r
$$;
ALTER TABLE games_rollpack DROP CONSTRAINT IF EXISTS roll_pack_has_its_span,
    ADD CONSTRAINT roll_pack_has_its_span CHECK (
    games_rolls_span(rolls, first_id, last_id, last_at) IS TRUE);
CREATE INDEX IF NOT EXISTS roll_pack_ids ON games_rollpack USING gist (int8range(first_id, last_id, '[]'));

-- Why the rolls of a game cannot be packed; NULL if they can. The events of a table are packed only once it is closed
-- and nothing about it is open.
CREATE OR REPLACE FUNCTION games_rolls_wait(p_game uuid) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE
        WHEN g.id IS NULL THEN 'there are no such dice'
        WHEN NOT EXISTS (SELECT FROM games_eventpack p WHERE p.table_id = g.table_id)
            THEN 'the events of its table are not packed'
        WHEN (SELECT count(*) FROM games_diceroll r WHERE r.game_id = p_game) <> g.next_roll
            THEN 'not all of its rolls are there'
        WHEN (SELECT max(r.id) FROM games_diceroll r WHERE r.game_id = p_game)
             > coalesce((SELECT s.to_id FROM ledger_seal s WHERE s.stream = 'roll'
                         ORDER BY s.number DESC LIMIT 1), 0)
            THEN 'not all of its rolls are sealed'
        END
    FROM (SELECT p_game AS wanted) w LEFT JOIN games_gamedice g ON g.id = w.wanted
$$;

-- Packs the rolls of one game that nobody holds; whether it did. The guards below decide about every row that comes
-- and goes, whoever writes it.
CREATE OR REPLACE FUNCTION games_rolls_pack(p_game uuid) RETURNS boolean LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    -- Writers of rolls of this game hold its row for their foreign key, so none is half way.
    PERFORM FROM games_gamedice g WHERE g.id = p_game FOR UPDATE SKIP LOCKED;
    IF NOT FOUND AND EXISTS (SELECT FROM games_gamedice g WHERE g.id = p_game)
       OR EXISTS (SELECT FROM games_rollpack p WHERE p.game_id = p_game) THEN
        RETURN false;  -- another one is at it, or was
    END IF;
    IF games_rolls_wait(p_game) IS NOT NULL THEN
        RAISE EXCEPTION 'the rolls of game % are not packed: %', p_game, games_rolls_wait(p_game)
            USING ERRCODE = 'restrict_violation';
    END IF;
    INSERT INTO games_rollpack (game_id, first_id, last_id, last_at, rolls, house, white, black)
    SELECT p_game, made.first_id, made.last_id, made.last_at, made.rolls, made.house, made.white, made.black
    FROM games_roll_pack_of(p_game) made;
    DELETE FROM games_diceroll r WHERE r.game_id = p_game;
    RETURN FOUND;
END $$;

-- A pack is exactly what stands in the rows of its game at that moment, and gives each of them back to the letter.
CREATE OR REPLACE FUNCTION games_roll_pack_is_of_its_rows() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_fault text;
BEGIN
    PERFORM FROM games_gamedice g WHERE g.id = NEW.game_id FOR UPDATE;
    v_fault := games_rolls_wait(NEW.game_id);
    IF v_fault IS NULL AND (NEW.first_id, NEW.last_id, NEW.last_at, NEW.rolls, NEW.house, NEW.white, NEW.black)
       IS DISTINCT FROM (
        SELECT (made.first_id, made.last_id, made.last_at, made.rolls, made.house, made.white, made.black)
        FROM games_roll_pack_of(NEW.game_id) made) THEN
        v_fault := 'its pack differs from its rolls';
    END IF;
    IF v_fault IS NULL AND EXISTS (
        SELECT FROM (SELECT * FROM games_diceroll d WHERE d.game_id = NEW.game_id) r
        FULL JOIN games_rolls_in(NEW.game_id, NEW.rolls, NEW.house, NEW.white, NEW.black) p USING (id)
        WHERE games_roll_text(id, NEW.game_id, r.n, r.kind, r.flags, r.house, r.white, r.black, r.dice, r.seq,
                              r.rolled_at)
              IS DISTINCT FROM games_roll_text(id, NEW.game_id, p.n, p.kind, p.flags, p.house, p.white, p.black,
                                               p.dice, p.seq, p.rolled_at)) THEN
        v_fault := 'its rolls do not follow from their last parts';
    END IF;
    IF v_fault IS NOT NULL THEN
        RAISE EXCEPTION 'the rolls of game % are not packed: %', NEW.game_id, v_fault
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER games_roll_pack_is_of_its_rows BEFORE INSERT ON games_rollpack
    FOR EACH ROW EXECUTE FUNCTION games_roll_pack_is_of_its_rows();

-- A row goes only if a pack holds the very same roll.
CREATE OR REPLACE FUNCTION games_roll_goes_packed() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_roll record;
BEGIN
    WITH kept AS MATERIALIZED (  -- each pack is unpacked once
        SELECT p.game_id, r.* FROM (SELECT DISTINCT game_id FROM gone) t JOIN games_rollpack p USING (game_id)
        CROSS JOIN LATERAL games_rolls_in(p.game_id, p.rolls, p.house, p.white, p.black) r
    )
    SELECT g.game_id, g.n INTO v_roll
    FROM gone g LEFT JOIN kept k ON k.game_id = g.game_id AND k.n = g.n
    WHERE games_roll_text(g.id, g.game_id, g.n, g.kind, g.flags, g.house, g.white, g.black, g.dice, g.seq,
                          g.rolled_at)
          IS DISTINCT FROM games_roll_text(k.id, k.game_id, k.n, k.kind, k.flags, k.house, k.white, k.black,
                                           k.dice, k.seq, k.rolled_at)
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'roll % of game % is in no pack: rolls are never deleted', v_roll.n, v_roll.game_id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER games_roll_goes_packed AFTER DELETE ON games_diceroll
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION games_roll_goes_packed();

-- And when a transaction ends that wrote a roll or a pack, no game has rolls both in rows and in a pack. A writer of
-- a roll holds the game from this look to its end, and waits for a pack that is being made. One that reads an older
-- snapshot would not see the pack.
CREATE OR REPLACE FUNCTION games_roll_pack_alone() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF TG_TABLE_NAME = 'games_diceroll' THEN
        IF current_setting('transaction_isolation') <> 'read committed' THEN
            RAISE EXCEPTION 'rolls are written at READ COMMITTED only' USING ERRCODE = 'restrict_violation';
        END IF;
        PERFORM FROM games_gamedice g WHERE g.id = NEW.game_id FOR KEY SHARE;
    END IF;
    IF EXISTS (SELECT FROM games_rollpack p WHERE p.game_id = NEW.game_id)
       AND EXISTS (SELECT FROM games_diceroll r WHERE r.game_id = NEW.game_id) THEN
        RAISE EXCEPTION 'rolls of game % are in its pack and still in rows', NEW.game_id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS games_roll_pack_alone ON games_rollpack;
CREATE CONSTRAINT TRIGGER games_roll_pack_alone AFTER INSERT ON games_rollpack
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION games_roll_pack_alone();
DROP TRIGGER IF EXISTS games_roll_pack_alone ON games_diceroll;
CREATE CONSTRAINT TRIGGER games_roll_pack_alone AFTER INSERT ON games_diceroll
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION games_roll_pack_alone();

SELECT rows_stay('games_rollpack');
