-- Chouettes: what was agreed stays, the journal only grows, and every transfer has the shares of a game behind it.

SELECT journal_stays('chouette_circleevent', 'circle_id');
SELECT rows_stay('chouette_roll');
SELECT rows_stay('chouette_circle', 'DELETE');
SELECT rows_stay('chouette_game', 'DELETE');
SELECT rows_stay('chouette_share', 'DELETE');
SELECT rows_stay('chouette_place', 'DELETE');

-- Rolls are numbered without a gap.
CREATE OR REPLACE FUNCTION chouette_roll_follows() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NEW.n <> (SELECT count(*) FROM chouette_roll r WHERE r.game_id = NEW.game_id) THEN
        RAISE EXCEPTION 'roll % of game % does not follow', NEW.n, NEW.game_id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER roll_follows BEFORE INSERT ON chouette_roll
    FOR EACH ROW EXECUTE FUNCTION chouette_roll_follows();

-- The terms stay, and a closed table stays closed.
CREATE OR REPLACE FUNCTION chouette_circle_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF (NEW.id, NEW.founder_id, NEW.terms, NEW.rate_cents, NEW.limit_cents, NEW.rake_bps, NEW.created_at)
       IS DISTINCT FROM
       (OLD.id, OLD.founder_id, OLD.terms, OLD.rate_cents, OLD.limit_cents, OLD.rake_bps, OLD.created_at)
       OR NEW.seq < OLD.seq
       OR (OLD.closed_at IS NOT NULL AND NEW IS DISTINCT FROM OLD) THEN
        RAISE EXCEPTION 'chouette %: what was agreed stays', OLD.id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER circle_guard BEFORE UPDATE ON chouette_circle
    FOR EACH ROW EXECUTE FUNCTION chouette_circle_guard();

-- What fixes the dice of a game is written once, its end as well.
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
CREATE OR REPLACE TRIGGER game_guard BEFORE UPDATE ON chouette_game
    FOR EACH ROW EXECUTE FUNCTION chouette_game_guard();

-- The opening of a game is a line of the public log, from the statement on that opens the dice: a check on the row
-- refuses an opening without a line, and a used roll number without an opening. Each game takes a line of its own.
CREATE OR REPLACE FUNCTION chouette_opening_logged() RETURNS trigger LANGUAGE plpgsql
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
CREATE OR REPLACE TRIGGER opening_logged BEFORE INSERT OR UPDATE ON chouette_game
    FOR EACH ROW EXECUTE FUNCTION chouette_opening_logged();

-- A line that names no table for two is the opening of a chouette.
CREATE OR REPLACE FUNCTION chouette_line_has_game() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM chouette_game g WHERE g.log_entry_id = NEW.number AND g.open_hash = NEW.open_hash) THEN
        RAISE EXCEPTION 'line % of the dice log is the opening of no game', NEW.number
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS chouette_line_has_game ON games_dicelogentry;
CREATE CONSTRAINT TRIGGER chouette_line_has_game AFTER INSERT ON games_dicelogentry
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.game_id IS NULL)
    EXECUTE FUNCTION chouette_line_has_game();

-- A share stays as it was staked, and what it got is written once.
CREATE OR REPLACE FUNCTION chouette_share_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF (NEW.id, NEW.game_id, NEW.user_id, NEW.stake_cents) IS DISTINCT FROM
       (OLD.id, OLD.game_id, OLD.user_id, OLD.stake_cents)
       OR OLD.paid_cents IS NOT NULL THEN
        RAISE EXCEPTION 'share %: it stays as it was staked, and is paid once', OLD.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER share_guard BEFORE UPDATE ON chouette_share
    FOR EACH ROW EXECUTE FUNCTION chouette_share_guard();

-- What is missing behind a transfer of a chouette, or NULL where the shares of its game say the same.
CREATE OR REPLACE FUNCTION chouette_unjustified(t ledger_transfer) RETURNS text LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    v_game chouette_game;
    v_faults text;
BEGIN
    IF t.reference !~ '^chouette:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN
        RETURN 'names no game';
    END IF;
    SELECT * INTO v_game FROM chouette_game g WHERE g.id = substr(t.reference, 10)::uuid;
    IF v_game.id IS NULL THEN
        RETURN 'there is no such game';
    ELSIF t.kind NOT IN ('stake', 'result', 'void') THEN
        RETURN 'no game is decided like that';
    ELSIF t.kind <> 'stake' AND (v_game.ended_at IS NULL OR v_game.voided <> (t.kind = 'void')) THEN
        RETURN 'the game did not end like that';
    END IF;
    SELECT string_agg(key || ' ' || coalesce(booked.cents, 0) || ', not ' || coalesce(wanted.cents, 0), '; ')
    INTO v_faults
    FROM (SELECT a.key, e.amount_cents AS cents
          FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id WHERE e.transfer_id = t.id) booked
    FULL JOIN (
        SELECT w.key, sum(w.cents)::bigint AS cents FROM (
            SELECT x.key, x.cents FROM chouette_share s CROSS JOIN LATERAL (VALUES
                ('wallet:' || s.user_id, CASE t.kind WHEN 'stake' THEN -s.stake_cents ELSE coalesce(s.paid_cents, 0) END),
                ('escrow:' || t.reference, CASE t.kind WHEN 'stake' THEN s.stake_cents ELSE -s.stake_cents END)
            ) x(key, cents) WHERE s.game_id = v_game.id
            UNION ALL
            SELECT 'house_rake', coalesce(v_game.rake_cents, 0) WHERE t.kind <> 'stake'
        ) w GROUP BY w.key) wanted USING (key)
    WHERE coalesce(booked.cents, 0) <> coalesce(wanted.cents, 0);
    RETURN 'moves otherwise than the game: ' || v_faults;
END $$;

DROP TRIGGER IF EXISTS chouette_transfer_justified ON ledger_transfer;
CREATE CONSTRAINT TRIGGER chouette_transfer_justified AFTER INSERT ON ledger_transfer
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.reference LIKE 'chouette:%')
    EXECUTE FUNCTION ledger_transfer_justified('chouette_unjustified');

-- The books seal every event and every roll of a chouette (ledger/migrations/sql/seals.sql).

SELECT seal_stream('chouette', 'chouette_circleevent', 'id', 'stored_at');
CREATE OR REPLACE FUNCTION stream_chouette_texts(p_from bigint, p_to bigint) RETURNS TABLE (id bigint, text text)
LANGUAGE sql STABLE AS $$
    SELECT e.id, jsonb_build_array('pasch.chouette.1', e.id, e.circle_id, e.seq, e.payload,
        public.ledger_micros(e.stored_at))::text
    FROM public.chouette_circleevent e WHERE e.id > p_from AND e.id <= p_to
$$;

SELECT seal_stream('chouetteroll', 'chouette_roll', 'id', 'rolled_at');
CREATE OR REPLACE FUNCTION stream_chouetteroll_texts(p_from bigint, p_to bigint) RETURNS TABLE (id bigint, text text)
LANGUAGE sql STABLE AS $$
    SELECT r.id, jsonb_build_array('pasch.chouetteroll.1', r.id, r.game_id, r.n, r.kind, r.flags, r.house, r.white,
        r.black, r.dice, r.seq, public.ledger_micros(r.rolled_at))::text
    FROM public.chouette_roll r WHERE r.id > p_from AND r.id <= p_to
$$;
