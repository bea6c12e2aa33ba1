-- Which table a stream is, and its key. Other tables that decide about credits are watched row by row
-- (watched.sql) and come in the stream of changes.
CREATE OR REPLACE FUNCTION ledger_stream_table(p_stream text, OUT relation regclass, OUT key text)
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT s.relation::regclass, s.key FROM (VALUES
        ('transfer', 'public.ledger_transfer', 'id'), ('journal', 'public.ledger_journalentry', 'id'),
        ('change', 'public.ledger_change', 'id'), ('audit', 'public.ledger_auditrun', 'id'),
        ('event', 'public.games_tableevent', 'id'), ('roll', 'public.games_diceroll', 'id'),
        ('opening', 'public.games_dicelogentry', 'number'), ('rating', 'public.ratings_ratingchange', 'id')
    ) AS s(stream, relation, key) WHERE s.stream = p_stream
$$;

CREATE OR REPLACE FUNCTION ledger_micros(p_moment timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT (extract(epoch FROM p_moment) * 1000000)::bigint
$$;

-- The canonical texts of the rows of a stream in (p_from, p_to]. The first element names the encoding; columns
-- are named one by one, so that a new column leaves old roots as they are.
CREATE OR REPLACE FUNCTION ledger_seal_leaves(p_stream text, p_from bigint, p_to bigint)
RETURNS TABLE (id bigint, text text) LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp SET "TimeZone" = 'UTC' SET bytea_output = 'hex' AS $$
BEGIN
    CASE p_stream
    WHEN 'transfer' THEN RETURN QUERY
        SELECT t.id, ledger_transfer_text(t) FROM ledger_transfer t WHERE t.id > p_from AND t.id <= p_to;
    WHEN 'journal' THEN RETURN QUERY
        SELECT j.id, ledger_journal_text(j) FROM ledger_journalentry j WHERE j.id > p_from AND j.id <= p_to;
    WHEN 'change' THEN RETURN QUERY
        SELECT c.id, jsonb_build_array('pasch.change.1', c.id, c.table_name, c.row_key, c.content, c.by_role,
            ledger_micros(c.made_at))::text
        FROM ledger_change c WHERE c.id > p_from AND c.id <= p_to;
    WHEN 'audit' THEN RETURN QUERY
        SELECT a.id, jsonb_build_array('pasch.audit.1', a.id, ledger_micros(a.started_at), a.duration_ms,
            a.finding_count, a.report, ledger_micros(a.since_at), a.sealed_to)::text
        FROM ledger_auditrun a WHERE a.id > p_from AND a.id <= p_to;
    WHEN 'event' THEN RETURN QUERY
        SELECT e.id, jsonb_build_array('pasch.event.1', e.id, e.table_id, e.seq, e.type, e.payload,
            ledger_micros(e.stored_at))::text
        FROM games_tableevent e WHERE e.id > p_from AND e.id <= p_to;
    WHEN 'roll' THEN RETURN QUERY
        SELECT r.id, jsonb_build_array('pasch.roll.1', r.id, r.game_id, r.n, r.kind, r.flags, r.house, r.white,
            r.black, r.dice, r.seq, ledger_micros(r.rolled_at))::text
        FROM games_diceroll r WHERE r.id > p_from AND r.id <= p_to;
    WHEN 'opening' THEN RETURN QUERY
        SELECT o.number, jsonb_build_array('pasch.opening.1', o.number, o.game_id, o.open_hash, o.previous,
            o.hash, ledger_micros(o.logged_at))::text
        FROM games_dicelogentry o WHERE o.number > p_from AND o.number <= p_to;
    WHEN 'rating' THEN RETURN QUERY
        SELECT c.id, jsonb_build_array('pasch.rating.1', c.id, c.reference, c.kind, c.pool, c.user_id,
            c.opponent_id, c.won, c.n, c.before, c.after, c.experience_before, c.experience_after, c.sequence,
            ledger_micros(c.created))::text
        FROM ratings_ratingchange c WHERE c.id > p_from AND c.id <= p_to;
    END CASE;
END $$;

-- Root over the rows in (p_from, p_to]: sha256(previous root || leaf || leaf …), leaves by id.
CREATE OR REPLACE FUNCTION ledger_seal_root(p_stream text, p_previous bytea, p_from bigint, p_to bigint,
                                 OUT root bytea, OUT row_count bigint)
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT sha256(p_previous || coalesce(string_agg(
               sha256(convert_to(leaf.text, 'UTF8')), ''::bytea ORDER BY leaf.id), ''::bytea)),
           count(*)
    FROM ledger_seal_leaves(p_stream, p_from, p_to) leaf
$$;

-- The highest id below which nothing is still being written. Ids are drawn before they commit, so "everything
-- above the last" loses rows. It locks nothing and holds nobody up:
--   1. The cut is the highest id that is committed now. Ids are drawn in order, so every id up to it was drawn
--      before now.
--   2. A writer takes its ROW EXCLUSIVE lock on the table before it draws an id, and gives it back after its rows
--      are visible. So each writer with an id up to the cut has ended, or holds that lock now and stands in pg_locks.
--   3. When all that stood there have let go, every id up to the cut is visible or will never be. Writers that
--      came later draw ids above the cut, and are not waited for.
-- Writers that take too long leave nothing to seal for now: the cut is 0.
CREATE OR REPLACE FUNCTION ledger_seal_cut(p_stream text) RETURNS bigint LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_stream record := ledger_stream_table(p_stream);
    v_cut bigint;
    v_writers text[];
    v_until timestamptz := clock_timestamp() + interval '5 seconds';
BEGIN
    EXECUTE format('SELECT coalesce(max(%I), 0) FROM %s', v_stream.key, v_stream.relation) INTO v_cut;
    SELECT array_agg(DISTINCT l.virtualtransaction) INTO v_writers FROM pg_locks l
    WHERE l.locktype = 'relation' AND l.relation = v_stream.relation AND l.pid IS DISTINCT FROM pg_backend_pid()
      AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
      AND l.mode NOT IN ('AccessShareLock', 'RowShareLock');
    WHILE EXISTS (
        SELECT FROM pg_locks l WHERE l.locktype = 'relation' AND l.relation = v_stream.relation
        AND l.virtualtransaction = ANY (v_writers) AND l.mode NOT IN ('AccessShareLock', 'RowShareLock')) LOOP
        IF clock_timestamp() > v_until THEN
            RETURN 0;
        END IF;
        PERFORM pg_sleep(0.002);
    END LOOP;
    RETURN v_cut;
END $$;

-- Appends the next seal up to p_to, a cut taken before; answers no row when there is nothing new. A seal covers
-- 50,000 rows at most.
CREATE OR REPLACE FUNCTION ledger_seal_append(p_stream text, p_to bigint) RETURNS SETOF ledger_seal LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_stream record := ledger_stream_table(p_stream);
    v_last ledger_seal;
    v_previous bytea;
    v_from bigint;
    v_to bigint;
    v_sealed record;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('pasch.ledger.seal.' || p_stream));
    SELECT * INTO v_last FROM ledger_seal s WHERE s.stream = p_stream ORDER BY s.number DESC LIMIT 1;
    v_previous := coalesce(v_last.root, decode(repeat('00', 32), 'hex'));
    v_from := coalesce(v_last.to_id, 0);
    EXECUTE format('SELECT max(id) FROM (SELECT %1$I AS id FROM %2$s WHERE %1$I > $1 AND %1$I <= $2
                    ORDER BY %1$I LIMIT 50000) part', v_stream.key, v_stream.relation)
    INTO v_to USING v_from, p_to;
    IF v_to IS NULL THEN
        RETURN;
    END IF;
    SELECT * INTO v_sealed FROM ledger_seal_root(p_stream, v_previous, v_from, v_to);
    RETURN QUERY INSERT INTO ledger_seal
            (stream, number, from_id, to_id, row_count, previous_root, root)
        VALUES (p_stream, coalesce(v_last.number, 0) + 1, v_from, v_to,
                v_sealed.row_count, v_previous, v_sealed.root)
        RETURNING *;
END $$;

