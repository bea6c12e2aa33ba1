-- Seals: a chained hash over the rows, so that a later change shows even where every sum still agrees.

-- The canonical text of one transfer with its lines; the first element names this encoding.
CREATE OR REPLACE FUNCTION ledger_transfer_text(t ledger_transfer) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT jsonb_build_array('pasch.transfer.1', t.id, t.key, t.kind, t.reference, encode(t.digest, 'hex'),
        t.actor_id, t.approver_id, t.memo, t.reverses_id,
        (extract(epoch FROM t.created_at) * 1000000)::bigint,
        (SELECT jsonb_agg(jsonb_build_array(e.line, a.key, e.amount_cents, e.balance_after_cents,
                                            e.account_version) ORDER BY e.line)
         FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id
         WHERE e.transfer_id = t.id))::text
$$;

CREATE OR REPLACE FUNCTION ledger_journal_text(j ledger_journalentry) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT jsonb_build_array('pasch.journal.1', j.id, j.actor_id, j.verb, j.subject, j.before, j.after,
        j.reason, (extract(epoch FROM j.created_at) * 1000000)::bigint)::text
$$;

-- A stream is what an app says of it in two functions: stream_<name>() answers with its table, its key and the
-- column that says when a row was stored; stream_<name>_texts(from, to) with the canonical texts of its rows in
-- (from, to]. The first element of a text names the encoding; columns are named one by one, so that a new column
-- leaves old roots as they are. Other tables that decide about credits are watched row by row (watched.sql) and
-- come in the stream of changes.
CREATE OR REPLACE FUNCTION ledger_streams() RETURNS SETOF text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT substr(p.proname, 8) FROM pg_proc p
    WHERE p.pronamespace = 'public'::regnamespace AND p.proname ~ '^stream_[a-z]+$' ORDER BY 1
$$;

-- Write stream_<name>() for a table.
CREATE OR REPLACE FUNCTION seal_stream(p_stream text, p_table text, p_key text, p_stored text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    EXECUTE format('CREATE OR REPLACE FUNCTION public.%I(OUT relation regclass, OUT key text, OUT stored text)
        LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS %L', 'stream_' || p_stream,
        format('SELECT %L::regclass, %L, %L', 'public.' || p_table, p_key, p_stored));
END $$;
REVOKE ALL ON FUNCTION seal_stream(text, text, text, text) FROM PUBLIC;

CREATE OR REPLACE FUNCTION ledger_stream_table(p_stream text, OUT relation regclass, OUT key text, OUT stored text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    EXECUTE format('SELECT * FROM public.%I()', 'stream_' || p_stream) INTO relation, key, stored;
END $$;

CREATE OR REPLACE FUNCTION ledger_micros(p_moment timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT (extract(epoch FROM p_moment) * 1000000)::bigint
$$;

CREATE OR REPLACE FUNCTION ledger_seal_leaves(p_stream text, p_from bigint, p_to bigint)
RETURNS TABLE (id bigint, text text) LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp SET "TimeZone" = 'UTC' SET bytea_output = 'hex' AS $$
BEGIN
    RETURN QUERY EXECUTE format('SELECT * FROM public.%I($1, $2)', 'stream_' || p_stream || '_texts')
    USING p_from, p_to;
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
    -- locks of those who read, and of VACUUM and ANALYZE, which may take hours and write no row
    v_others constant text[] := '{AccessShareLock, RowShareLock, ShareUpdateExclusiveLock}';
BEGIN
    EXECUTE format('SELECT coalesce(max(%I), 0) FROM %s', v_stream.key, v_stream.relation) INTO v_cut;
    SELECT array_agg(DISTINCT l.virtualtransaction) INTO v_writers FROM pg_locks l
    WHERE l.locktype = 'relation' AND l.relation = v_stream.relation AND l.pid IS DISTINCT FROM pg_backend_pid()
      AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
      AND l.mode <> ALL (v_others);
    WHILE EXISTS (
        SELECT FROM pg_locks l WHERE l.locktype = 'relation' AND l.relation = v_stream.relation
        AND l.virtualtransaction = ANY (v_writers) AND l.mode <> ALL (v_others)) LOOP
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

-- Balance of an account: stored where it is bounded, else the last snapshot and what came after.
CREATE OR REPLACE FUNCTION ledger_balance(p_account text) RETURNS bigint LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE WHEN a.bounded THEN a.balance_cents ELSE coalesce(s.balance_cents, 0) + coalesce(
        (SELECT sum(e.amount_cents)::bigint FROM ledger_entry e WHERE e.account_id = a.id
         AND e.account_version IS NULL AND e.transfer_id > coalesce(s.upto_transfer_id, 0)), 0) END
    FROM ledger_account a
    LEFT JOIN LATERAL (SELECT * FROM ledger_snapshot s WHERE s.account_id = a.id
                       ORDER BY s.upto_transfer_id DESC LIMIT 1) s ON true
    WHERE a.key = p_account
$$;

-- One snapshot per summed account, up to the last sealed transfer (below it nothing can appear any more).
CREATE OR REPLACE FUNCTION ledger_snapshot_take() RETURNS int LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_upto bigint := (SELECT max(to_id) FROM ledger_seal WHERE stream = 'transfer');
    v_taken int;
BEGIN
    INSERT INTO ledger_snapshot (account_id, upto_transfer_id, balance_cents)
    SELECT a.id, v_upto, coalesce(s.balance_cents, 0) + coalesce(sum(e.amount_cents), 0)
    FROM ledger_account a
    LEFT JOIN LATERAL (SELECT * FROM ledger_snapshot s WHERE s.account_id = a.id
                       ORDER BY s.upto_transfer_id DESC LIMIT 1) s ON true
    LEFT JOIN ledger_entry e ON e.account_id = a.id AND e.account_version IS NULL
        AND e.transfer_id > coalesce(s.upto_transfer_id, 0) AND e.transfer_id <= v_upto
    WHERE NOT a.bounded AND v_upto > coalesce(s.upto_transfer_id, 0)
    GROUP BY a.id, s.balance_cents
    ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS v_taken = ROW_COUNT;
    RETURN v_taken;
END $$;
