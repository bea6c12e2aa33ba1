-- A stream is what an app says of it in two functions: stream_<name>() answers with its table, its key and the
-- column that says when a row was stored; stream_<name>_texts(from, to) with the canonical texts of its rows in
-- (from, to]. The first element of a text names the encoding; columns are named one by one, so that a new column
-- leaves old roots as they are. Other tables that decide about credits are watched row by row (watched.sql) and
-- come in the stream of changes.
CREATE FUNCTION ledger_streams() RETURNS SETOF text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT substr(p.proname, 8) FROM pg_proc p
    WHERE p.pronamespace = 'public'::regnamespace AND p.proname ~ '^stream_[a-z]+$' ORDER BY 1
$$;

DROP FUNCTION ledger_stream_table(text);
CREATE FUNCTION ledger_stream_table(p_stream text, OUT relation regclass, OUT key text, OUT stored text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    EXECUTE format('SELECT * FROM public.%I()', 'stream_' || p_stream) INTO relation, key, stored;
END $$;

CREATE OR REPLACE FUNCTION ledger_seal_leaves(p_stream text, p_from bigint, p_to bigint)
RETURNS TABLE (id bigint, text text) LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp SET "TimeZone" = 'UTC' SET bytea_output = 'hex' AS $$
BEGIN
    RETURN QUERY EXECUTE format('SELECT * FROM public.%I($1, $2)', 'stream_' || p_stream || '_texts')
    USING p_from, p_to;
END $$;

-- What the books seal of their own (seals.sql).

CREATE FUNCTION stream_transfer(OUT relation regclass, OUT key text, OUT stored text) LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT 'public.ledger_transfer'::regclass, 'id', 'created_at'
$$;
CREATE FUNCTION stream_transfer_texts(p_from bigint, p_to bigint) RETURNS TABLE (id bigint, text text)
LANGUAGE sql STABLE AS $$
    SELECT t.id, public.ledger_transfer_text(t) FROM public.ledger_transfer t WHERE t.id > p_from AND t.id <= p_to
$$;

CREATE FUNCTION stream_journal(OUT relation regclass, OUT key text, OUT stored text) LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT 'public.ledger_journalentry'::regclass, 'id', 'created_at'
$$;
CREATE FUNCTION stream_journal_texts(p_from bigint, p_to bigint) RETURNS TABLE (id bigint, text text)
LANGUAGE sql STABLE AS $$
    SELECT j.id, public.ledger_journal_text(j) FROM public.ledger_journalentry j WHERE j.id > p_from AND j.id <= p_to
$$;

CREATE FUNCTION stream_change(OUT relation regclass, OUT key text, OUT stored text) LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT 'public.ledger_change'::regclass, 'id', 'made_at'
$$;
CREATE FUNCTION stream_change_texts(p_from bigint, p_to bigint) RETURNS TABLE (id bigint, text text)
LANGUAGE sql STABLE AS $$
    SELECT c.id, jsonb_build_array('pasch.change.1', c.id, c.table_name, c.row_key, c.content, c.by_role,
        public.ledger_micros(c.made_at))::text
    FROM public.ledger_change c WHERE c.id > p_from AND c.id <= p_to
$$;

CREATE FUNCTION stream_audit(OUT relation regclass, OUT key text, OUT stored text) LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT 'public.ledger_auditrun'::regclass, 'id', 'started_at'
$$;
CREATE FUNCTION stream_audit_texts(p_from bigint, p_to bigint) RETURNS TABLE (id bigint, text text)
LANGUAGE sql STABLE AS $$
    SELECT a.id, jsonb_build_array('pasch.audit.1', a.id, public.ledger_micros(a.started_at), a.duration_ms,
        a.finding_count, a.report, public.ledger_micros(a.since_at), a.sealed_to)::text
    FROM public.ledger_auditrun a WHERE a.id > p_from AND a.id <= p_to
$$;
