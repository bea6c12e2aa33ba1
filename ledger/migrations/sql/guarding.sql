-- Guards of rows that decide about people: what may change of a row, what must stand behind it, and every version of it
-- in the log (watched.sql). A table is guarded by one line, which comes after the function of its reasons:
--
--     SELECT row_guard('fairplay_case', 'id', '{"state": "free", "closed_at": "later"}');
--
-- A column that the rules do not name is set once and stays. `later` may be set once, from null, '' or false; `free`
-- may change; "*": "goes" lets rows be deleted. TRUNCATE is refused outside a database of tests. A key of several
-- columns is 'reference, user_id'. Where not every column matters, a fourth argument names those that are logged and
-- judged (ARRAY['id', …], the key among them); the rules hold for all columns. NULL logs nothing: for many small rows
-- that follow from others.
--
-- If there is a function reason_<table>(p_was jsonb, p_now jsonb, p_at timestamptz) RETURNS text, it is asked about
-- every change when its transaction ends: p_was is NULL for a new row, p_now for a deleted one. It returns NULL, or
-- what is missing, and the transaction is refused; but what begins with 'names no ' passes in a database of tests,
-- whose own options say ledger.free_references=test. The audit (A24) asks it about all consecutive versions since the
-- guard began, so it judges by what lasts: the journal, the log, other guarded rows; times by p_at and a minute around
-- it. A function owed_<verb>(p_entry ledger_journalentry) RETURNS text, such as owed_case_opinion for case.opinion,
-- goes the other way: NULL, or what the rows lack of what the journal says (A25).

-- Whether the journal has such an entry: by this person (or anybody, NULL), with at least this `after`, and where a
-- time is given, within a minute of it.
CREATE OR REPLACE FUNCTION journal_says(
    p_actor bigint, p_verb text, p_subject text, p_after jsonb DEFAULT '{}', p_at timestamptz DEFAULT NULL)
RETURNS boolean LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM ledger_journalentry j
        WHERE j.subject = p_subject AND j.verb = p_verb AND (p_actor IS NULL OR j.actor_id = p_actor)
          AND j.after @> p_after AND (p_at IS NULL
              OR j.created_at BETWEEN p_at - interval '1 minute' AND p_at + interval '1 minute'))
$$;

-- The versions of a watched table's rows that stood within a minute of that time.
CREATE OR REPLACE FUNCTION change_stood(p_table text, p_at timestamptz, p_key text DEFAULT NULL) RETURNS SETOF jsonb
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_custom_plan AS $$
BEGIN
    RETURN QUERY SELECT v.content FROM (
        SELECT c.content, c.made_at, lead(c.made_at) OVER (PARTITION BY c.row_key ORDER BY c.id) AS until
        FROM ledger_change c WHERE c.table_name = p_table AND (p_key IS NULL OR c.row_key = p_key)) v
    WHERE v.content IS NOT NULL AND v.made_at <= p_at + interval '1 minute'
      AND coalesce(v.until, 'infinity') >= p_at - interval '1 minute';
END $$;

-- Whether a person had a right at that time, as accounts_has_right says it of now: by what the log says of accounts,
-- roles and rights within a minute of it.
CREATE OR REPLACE FUNCTION person_could(p_person bigint, p_right text, p_at timestamptz) RETURNS boolean LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE v_permission jsonb;
BEGIN
    IF p_at >= now() - interval '1 minute' AND accounts_has_right(p_person, p_right) THEN
        RETURN true;
    END IF;
    SELECT to_jsonb(p.id) INTO v_permission
    FROM auth_permission p JOIN django_content_type t ON t.id = p.content_type_id
    WHERE t.app_label || '.' || p.codename = p_right;
    RETURN EXISTS (
        SELECT FROM change_stood('accounts_user', p_at, p_person::text) u
        WHERE (u ->> 'is_active')::boolean AND (u ->> 'is_staff')::boolean AND (
            (u ->> 'is_superuser')::boolean
            OR EXISTS (SELECT FROM change_stood('accounts_user_user_permissions', p_at) o
                       WHERE o -> 'user_id' = to_jsonb(p_person) AND o -> 'permission_id' = v_permission)
            OR EXISTS (SELECT FROM change_stood('accounts_user_groups', p_at) m
                       JOIN change_stood('auth_group_permissions', p_at) g ON g -> 'group_id' = m -> 'group_id'
                       WHERE m -> 'user_id' = to_jsonb(p_person) AND g -> 'permission_id' = v_permission)));
END $$;

-- What the rules forbid of a change, or NULL. A column that came later is in no old version.
CREATE OR REPLACE FUNCTION row_rule_fault(p_rules jsonb, p_was jsonb, p_now jsonb) RETURNS text LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE
        WHEN p_was IS NULL OR p_now IS NULL AND p_rules ->> '*' = 'goes' THEN NULL
        WHEN p_now IS NULL THEN 'its rows stay'
        ELSE (SELECT min(n.key) || ' stays as it was set' FROM jsonb_each(p_now) n
              WHERE n.value <> p_was -> n.key AND CASE p_rules ->> n.key
                  WHEN 'free' THEN false
                  WHEN 'later' THEN p_was -> n.key NOT IN ('null', '""', 'false')
                  ELSE true END) END
$$;

-- The trigger that keeps columns and rows; its argument is the rules.
CREATE OR REPLACE FUNCTION row_ruled() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE v_fault text := row_rule_fault(
    TG_ARGV[0]::jsonb, to_jsonb(OLD), CASE WHEN TG_OP = 'UPDATE' THEN to_jsonb(NEW) END);
BEGIN
    IF v_fault IS NOT NULL THEN
        RAISE EXCEPTION '%: %', TG_TABLE_NAME, v_fault USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;

-- The trigger that asks for reasons; its arguments are those of the log's trigger.
CREATE OR REPLACE FUNCTION row_reasoned() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET "TimeZone" = 'UTC' SET bytea_output = 'hex' AS $$
DECLARE
    v_was jsonb;
    v_now jsonb;
    v_fault text;
BEGIN
    IF TG_OP <> 'INSERT' THEN
        v_was := change_row(to_jsonb(OLD), TG_ARGV[1:]);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        v_now := change_row(to_jsonb(NEW), TG_ARGV[1:]);
    END IF;
    IF v_was = v_now THEN
        RETURN NULL;
    END IF;
    EXECUTE format('SELECT public.%I($1, $2, $3)', 'reason_' || TG_TABLE_NAME) INTO v_fault USING v_was, v_now, now();
    IF v_fault LIKE 'names no %' AND EXISTS (
        SELECT FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase
        WHERE d.datname = current_database() AND s.setrole = 0
        AND 'ledger.free_references=test' = ANY (s.setconfig)) THEN
        RETURN NULL;
    END IF;
    IF v_fault IS NOT NULL THEN
        RAISE EXCEPTION '% %: %', TG_TABLE_NAME, change_key(coalesce(v_now, v_was), TG_ARGV[0]), v_fault
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;

-- Guards a table and watches it from now on; run again, it changes the rules. The log notes with the key '*' when a
-- table was first guarded: what was there before is not judged.
CREATE OR REPLACE FUNCTION row_guard(p_table text, p_keys text, p_rules jsonb DEFAULT '{}', p_columns text[] DEFAULT '{}')
RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_unknown text;
BEGIN
    SELECT string_agg(key || ': ' || value, ', ') INTO v_unknown FROM jsonb_each_text(p_rules)
    WHERE NOT CASE key WHEN '*' THEN value = 'goes' ELSE value IN ('later', 'free') AND EXISTS (
        SELECT FROM pg_attribute a WHERE a.attrelid = format('public.%I', p_table)::regclass
        AND a.attname = key AND a.attnum > 0 AND NOT a.attisdropped) END;
    IF v_unknown IS NOT NULL THEN
        RAISE EXCEPTION '% has no such columns or rules: %', p_table, v_unknown;
    END IF;
    IF p_columns IS NOT NULL THEN
        PERFORM change_watch(p_table, p_keys, p_columns);
    END IF;
    INSERT INTO ledger_change (table_name, row_key)
    SELECT p_table, '*' WHERE NOT EXISTS (
        SELECT FROM ledger_change c WHERE c.table_name = p_table AND c.row_key = '*');
    EXECUTE format('CREATE OR REPLACE TRIGGER refuse_truncate BEFORE TRUNCATE ON public.%I
                    FOR EACH STATEMENT EXECUTE FUNCTION kit_refuse(''LG009'')', p_table);
    EXECUTE format('CREATE OR REPLACE TRIGGER row_ruled AFTER UPDATE OR DELETE ON public.%I
                    FOR EACH ROW EXECUTE FUNCTION row_ruled(%L)', p_table, p_rules);
    IF to_regprocedure(format('public.reason_%s(jsonb, jsonb, timestamptz)', p_table)) IS NULL THEN
        RETURN;
    END IF;
    EXECUTE format('DROP TRIGGER IF EXISTS row_reasoned ON public.%I', p_table);
    EXECUTE format('CREATE CONSTRAINT TRIGGER row_reasoned AFTER INSERT OR UPDATE%s OR DELETE ON public.%I
                    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION row_reasoned(%s)',
        CASE WHEN p_columns <> '{}'
             THEN ' OF ' || (SELECT string_agg(quote_ident(c), ', ') FROM unnest(p_columns) AS c) END,
        p_table, (SELECT string_agg(quote_literal(a), ', ') FROM unnest(p_keys || p_columns) AS a));
END $$;
REVOKE ALL ON FUNCTION row_guard(text, text, jsonb, text[]) FROM PUBLIC;

-- Nothing is missing where a table has no function of reasons.
CREATE OR REPLACE FUNCTION row_reason_fault(p_table text, p_was jsonb, p_now jsonb, p_at timestamptz) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE v_fault text;
BEGIN
    IF to_regprocedure(format('public.reason_%s(jsonb, jsonb, timestamptz)', p_table)) IS NOT NULL THEN
        EXECUTE format('SELECT public.%I($1, $2, $3)', 'reason_' || p_table) INTO v_fault USING p_was, p_now, p_at;
    END IF;
    RETURN v_fault;
END $$;

-- The changes of a guarded table's rows since then that its rules forbid or nothing justifies, by the log.
CREATE OR REPLACE FUNCTION row_faults(p_table text, p_rules jsonb, p_since timestamptz) RETURNS TABLE (row_key text, fault text)
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT c.row_key, f.fault || ', by ' || c.by_role || ' at ' || c.made_at
    FROM ledger_change c
    LEFT JOIN LATERAL (
        SELECT p.content FROM ledger_change p
        WHERE p.table_name = c.table_name AND p.row_key = c.row_key AND p.id < c.id
        ORDER BY p.id DESC LIMIT 1) was ON true
    CROSS JOIN LATERAL (
        SELECT coalesce(row_rule_fault(p_rules, was.content, c.content),
                        row_reason_fault(p_table, was.content, c.content, c.made_at)) AS fault) f
    WHERE c.table_name = p_table AND c.row_key <> '*' AND c.made_at >= p_since AND f.fault IS NOT NULL
      AND c.id > coalesce((SELECT min(m.id) FROM ledger_change m WHERE m.table_name = p_table AND m.row_key = '*'), 0)
      AND was.content IS DISTINCT FROM c.content
    ORDER BY c.id
$$;

-- The journal's entries of a verb since then, and since rows were first guarded, that its function owed_<verb> faults.
CREATE OR REPLACE FUNCTION journal_owed(p_function text, p_since timestamptz) RETURNS TABLE (entry text, fault text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    RETURN QUERY EXECUTE format('
        SELECT j.verb || '' '' || j.subject, f.fault || '' (entry '' || j.id || '')''
        FROM ledger_journalentry j CROSS JOIN LATERAL (SELECT public.%I(j) AS fault) f
        WHERE ''owed_'' || replace(j.verb, ''.'', ''_'') = $1 AND f.fault IS NOT NULL
          AND j.created_at >= greatest($2, (SELECT min(m.made_at) FROM ledger_change m WHERE m.row_key = ''*''))
        ORDER BY j.id', p_function) USING p_function, p_since;
END $$;
