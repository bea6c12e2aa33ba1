-- The log of changes: every version of every row that decides about credits, written by a trigger and sealed
-- as one stream. An audit compares the newest version of each row with the row itself, so that a change around
-- the trigger shows. A table is watched by one line in a migration: SELECT change_watch('table', 'its key'), where a
-- key of several columns is 'one, other'.

-- The key of a row in the log.
CREATE OR REPLACE FUNCTION change_key(p_row jsonb, p_keys text) RETURNS text LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE WHEN strpos(p_keys, ',') = 0 THEN p_row ->> p_keys ELSE (
        SELECT string_agg(p_row ->> k.name, ' ' ORDER BY k.place)
        FROM string_to_table(p_keys, ', ') WITH ORDINALITY AS k(name, place)) END
$$;

-- The row as it is logged: these columns of it, or all of them.
CREATE OR REPLACE FUNCTION change_row(p_row jsonb, p_columns text[]) RETURNS jsonb LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE WHEN p_columns = '{}' OR p_row IS NULL THEN p_row
                ELSE (SELECT jsonb_object_agg(c, p_row -> c) FROM unnest(p_columns) AS c) END
$$;

-- The trigger; its arguments are the key and, where not all are logged, the columns. It writes with the owner's
-- rights and nobody else may put it on a table, so nobody writes a version that no row had.
CREATE OR REPLACE FUNCTION change_note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET "TimeZone" = 'UTC' SET bytea_output = 'hex' AS $$
DECLARE
    v_columns text[] := TG_ARGV[1:];
    v_old jsonb;
    v_new jsonb;
BEGIN
    IF TG_TABLE_SCHEMA <> 'public' THEN
        RAISE EXCEPTION 'only tables of the house are watched' USING ERRCODE = 'LG009';
    END IF;
    IF TG_OP <> 'INSERT' THEN
        v_old := to_jsonb(OLD);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        v_new := to_jsonb(NEW);
    END IF;
    IF TG_OP = 'UPDATE' AND change_row(v_old, v_columns) = change_row(v_new, v_columns) THEN
        RETURN NULL;
    END IF;
    INSERT INTO ledger_change (table_name, row_key, content, by_role)
    VALUES (TG_TABLE_NAME, change_key(coalesce(v_new, v_old), TG_ARGV[0]), change_row(v_new, v_columns), session_user);
    RETURN NULL;
END $$;

-- Every row of a watched table as it would be logged now, with its key.
CREATE OR REPLACE FUNCTION change_rows(p_table text) RETURNS TABLE (row_key text, content jsonb)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp SET "TimeZone" = 'UTC' SET bytea_output = 'hex' AS $$
DECLARE v_arguments text[];
BEGIN
    SELECT string_to_array(regexp_replace(encode(g.tgargs, 'escape'), '\\000$', ''), '\000') INTO STRICT v_arguments
    FROM pg_trigger g WHERE g.tgname = 'change_noted' AND g.tgrelid = format('public.%I', p_table)::regclass;
    RETURN QUERY EXECUTE format('SELECT change_key(whole, $1), change_row(whole, $2)
        FROM public.%I t CROSS JOIN LATERAL to_jsonb(t) whole', p_table)
    USING v_arguments[1], v_arguments[2:];
END $$;

-- The newest version of every row of a table; NULL where the row was deleted.
CREATE OR REPLACE FUNCTION change_newest(p_table text) RETURNS TABLE (row_key varchar, content jsonb, id bigint)
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT DISTINCT ON (c.row_key) c.row_key, c.content, c.id FROM ledger_change c
    WHERE c.table_name = p_table ORDER BY c.row_key, c.id DESC
$$;

-- Logs every row that stands otherwise than its newest version: at the beginning, and after a migration that
-- changed rows or columns.
CREATE OR REPLACE FUNCTION change_take(p_table text) RETURNS bigint LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE v_taken bigint;
BEGIN
    INSERT INTO ledger_change (table_name, row_key, content, by_role)
    SELECT p_table, coalesce(now.row_key, newest.row_key), now.content, session_user
    FROM change_rows(p_table) now FULL JOIN change_newest(p_table) newest ON newest.row_key = now.row_key
    WHERE now.content IS DISTINCT FROM newest.content;
    GET DIAGNOSTICS v_taken = ROW_COUNT;
    RETURN v_taken;
END $$;

-- Watches a table from now on, whole or these columns of it, and logs the rows that are there.
CREATE OR REPLACE FUNCTION change_watch(p_table text, p_key text, p_columns text[] DEFAULT '{}') RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    EXECUTE format('CREATE OR REPLACE TRIGGER change_noted AFTER INSERT OR UPDATE%s OR DELETE ON public.%I
                    FOR EACH ROW EXECUTE FUNCTION change_note(%s)',
        CASE WHEN p_columns <> '{}'
             THEN ' OF ' || (SELECT string_agg(quote_ident(c), ', ') FROM unnest(p_columns) AS c) END,
        p_table, (SELECT string_agg(quote_literal(a), ', ') FROM unnest(p_key || p_columns) AS a));
    RETURN change_take(p_table);
END $$;

REVOKE ALL ON FUNCTION change_note(), change_take(text), change_watch(text, text, text[]) FROM PUBLIC;

SELECT rows_stay('ledger_change', 'UPDATE OR DELETE', 'LG009');
SELECT rows_stay('ledger_auditrun', 'UPDATE OR DELETE', 'LG009');
