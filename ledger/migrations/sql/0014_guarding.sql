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
                    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse()', p_table);
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
