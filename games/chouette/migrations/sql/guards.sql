-- What is written of a chouette beside its journal follows from it. Every version of these rows is logged
-- (ledger/migrations/sql/watched.sql).

-- What a game says otherwise than its journal, or NULL.
CREATE OR REPLACE FUNCTION chouette_game_fault(g chouette_game) RETURNS text LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_began chouette_circleevent;
    v_ended chouette_circleevent;
BEGIN
    SELECT * INTO v_began FROM chouette_circleevent e WHERE e.circle_id = g.circle_id
        AND e.payload ->> 'type' = 'game_started' AND (e.payload ->> 'game')::int = g.number;
    SELECT * INTO v_ended FROM chouette_circleevent e WHERE e.circle_id = g.circle_id AND e.seq > v_began.seq
        AND e.payload ->> 'type' IN ('game_ended', 'game_voided') ORDER BY e.seq LIMIT 1;
    RETURN CASE
        WHEN v_began.id IS NULL THEN 'began in no event'
        WHEN (v_began.payload #>> '{order,0}', v_began.payload #>> '{order,1}')
             IS DISTINCT FROM (g.box_id::text, g.captain_id::text) THEN 'has another box or captain'
        WHEN g.ended_at IS NOT NULL AND v_ended.payload ->> 'type'
             IS DISTINCT FROM CASE WHEN g.voided THEN 'game_voided' ELSE 'game_ended' END THEN 'did not end like that'
        WHEN v_began.payload -> 'order' IS DISTINCT FROM (
            SELECT jsonb_agg(o.player ORDER BY o.at)
            FROM jsonb_array_elements(v_began.payload -> 'order') WITH ORDINALITY o(player, at)
            JOIN chouette_share s ON s.game_id = g.id AND s.user_id = o.player::bigint)
            OR jsonb_array_length(v_began.payload -> 'order')
               <> (SELECT count(*) FROM chouette_share s WHERE s.game_id = g.id) THEN 'has shares of other people'
        WHEN g.ended_at IS NOT NULL AND EXISTS (
            SELECT FROM chouette_share s LEFT JOIN chouette_circleevent e
                ON e.circle_id = g.circle_id AND e.seq BETWEEN v_began.seq AND v_ended.seq
                AND e.payload ->> 'type' = 'settled' AND (e.payload ->> 'player')::bigint = s.user_id AND NOT g.voided
            WHERE s.game_id = g.id AND s.box_points IS DISTINCT FROM (e.payload ->> 'box_points')::int)
            THEN 'has shares with other points' END;
END $$;

CREATE OR REPLACE FUNCTION chouette_game_follows() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE v_fault text;
BEGIN
    SELECT chouette_game_fault(g) INTO v_fault FROM chouette_game g
    WHERE g.id = (to_jsonb(NEW) ->> TG_ARGV[0])::uuid;
    IF v_fault IS NOT NULL THEN
        RAISE EXCEPTION 'a game of a chouette %', v_fault USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS game_follows ON chouette_game;
CREATE CONSTRAINT TRIGGER game_follows AFTER INSERT OR UPDATE OF ended_at, voided ON chouette_game
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION chouette_game_follows('id');
DROP TRIGGER IF EXISTS share_follows ON chouette_share;
CREATE CONSTRAINT TRIGGER share_follows AFTER INSERT OR UPDATE ON chouette_share
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION chouette_game_follows('game_id');

-- Who sits at a table sat down by its journal; nobody who sits there is shut out by closing it.
CREATE OR REPLACE FUNCTION chouette_place_follows() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF (SELECT count(*) FROM chouette_place p WHERE p.circle_id = NEW.circle_id AND p.user_id = NEW.user_id)
       > (SELECT count(*) FROM chouette_circleevent e WHERE e.circle_id = NEW.circle_id
          AND e.payload ->> 'type' = 'sat_down' AND (e.payload ->> 'player')::bigint = NEW.user_id) THEN
        RAISE EXCEPTION 'user % never sat down at chouette %', NEW.user_id, NEW.circle_id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS place_follows ON chouette_place;
CREATE CONSTRAINT TRIGGER place_follows AFTER INSERT ON chouette_place
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION chouette_place_follows();
CREATE OR REPLACE TRIGGER place_stays BEFORE UPDATE ON chouette_place FOR EACH ROW
    WHEN ((NEW.id, NEW.circle_id, NEW.user_id, NEW.is_bot, NEW.sat_at)
          IS DISTINCT FROM (OLD.id, OLD.circle_id, OLD.user_id, OLD.is_bot, OLD.sat_at) OR OLD.stood_up_at IS NOT NULL)
    EXECUTE FUNCTION kit_refuse();

CREATE OR REPLACE FUNCTION chouette_close_follows() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM chouette_place p WHERE p.circle_id = NEW.id AND p.stood_up_at IS NULL) THEN
        RAISE EXCEPTION 'people sit at chouette %', NEW.id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS close_follows ON chouette_circle;
CREATE CONSTRAINT TRIGGER close_follows AFTER UPDATE OF closed_at ON chouette_circle
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.closed_at IS NOT NULL)
    EXECUTE FUNCTION chouette_close_follows();

-- Columns that change with every roll are left to the journal and the record of the dice.
SELECT change_watch('chouette_circle', 'id', ARRAY['id', 'founder_id', 'terms', 'rate_cents', 'limit_cents',
    'rake_bps', 'created_at', 'closed_at']);
SELECT change_watch('chouette_place', 'id');
SELECT change_watch('chouette_game', 'id', ARRAY['id', 'circle_id', 'number', 'box_id', 'captain_id', 'rake_cents',
    'started_at', 'ended_at', 'voided', 'terms']);
SELECT change_watch('chouette_share', 'id');

-- What a player won of another in a game: box and members of each other, and the box of its captain what every member
-- lost (fairplay/chouette_gains.py). Asked by fairplay/migrations/sql/guards.sql.
CREATE OR REPLACE FUNCTION gained_from_chouette(p_key text, p_taker bigint, p_giver bigint) RETURNS bigint
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE
        WHEN p_giver = g.box_id THEN coalesce(taker.paid_cents, 0) - taker.stake_cents
        WHEN p_taker <> g.box_id THEN 0
        WHEN p_giver = g.captain_id THEN (
            SELECT sum(s.stake_cents - coalesce(s.paid_cents, 0)) FROM chouette_share s
            WHERE s.game_id = g.id AND s.box_points > 0)
        ELSE giver.stake_cents - coalesce(giver.paid_cents, 0) END
    FROM chouette_game g JOIN chouette_share taker ON taker.game_id = g.id AND taker.user_id = p_taker
    JOIN chouette_share giver ON giver.game_id = g.id AND giver.user_id = p_giver
    WHERE g.id = p_key::uuid AND NOT g.voided
$$;
