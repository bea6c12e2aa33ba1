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
