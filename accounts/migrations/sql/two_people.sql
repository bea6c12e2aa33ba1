-- Decisions of two people: what both need at the moment when the decision takes effect. It stands here alone: services
-- ask, and the triggers of every such decision ask again.

-- Whether a person has a right now: an open account of the staff with the right by role or name, or a superuser.
CREATE OR REPLACE FUNCTION accounts_has_right(p_person bigint, p_right text) RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM accounts_user u WHERE u.id = p_person AND u.is_active AND u.is_staff AND (
            u.is_superuser OR EXISTS (
                SELECT FROM auth_permission p JOIN django_content_type t ON t.id = p.content_type_id
                WHERE t.app_label || '.' || p.codename = p_right AND (
                    EXISTS (SELECT FROM auth_group_permissions g JOIN accounts_user_groups m USING (group_id)
                            WHERE g.permission_id = p.id AND m.user_id = u.id)
                    OR EXISTS (SELECT FROM accounts_user_user_permissions o
                               WHERE o.permission_id = p.id AND o.user_id = u.id)))))
$$;

-- Whether one of two people has got a role, or a way into an account, through the other since then, or both of them
-- through the same third person.
CREATE OR REPLACE FUNCTION accounts_pair_is_fresh(p_one bigint, p_other bigint, p_since timestamptz)
RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    WITH hand (person, through) AS (
        VALUES (p_one, p_one), (p_other, p_other)
        UNION SELECT r.person_id, unnest(ARRAY[r.asked_by_id, r.confirmed_by_id]) FROM accounts_rolegrant r
        WHERE r.person_id IN (p_one, p_other) AND r.effective_at > p_since
        UNION SELECT c.person_id, unnest(ARRAY[c.asked_by_id, c.confirmed_by_id]) FROM accounts_identitychange c
        WHERE c.person_id IN (p_one, p_other) AND c.effective_at > p_since
          AND c.kind IN ('address', 'verify', 'no_address', 'factors'))
    SELECT EXISTS (SELECT FROM hand a JOIN hand b USING (through) WHERE a.person = p_one AND b.person = p_other)
$$;

-- Why what a person began at that time cannot take effect now: 'aged', 'first' (no right any more), or NULL. Nobody
-- loses a role before the transaction ends: the row that changes of roles wait for is locked.
CREATE OR REPLACE FUNCTION accounts_first_fault(p_first bigint, p_right text, p_since timestamptz)
RETURNS text LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM FROM auth_group g WHERE g.name = 'administrator' FOR SHARE;
    RETURN CASE WHEN p_since <= statement_timestamp() - interval '7 days' THEN 'aged'
                WHEN accounts_has_right(p_first, p_right) THEN NULL ELSE 'first' END;
END $$;

-- Why these two people do not make it: as above, or 'same', 'second' (no right), 'fresh' (no two people since a day
-- before the beginning).
CREATE OR REPLACE FUNCTION accounts_second_fault(p_first bigint, p_second bigint, p_right text, p_since timestamptz)
RETURNS text LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE v_fault text;
BEGIN
    IF p_first = p_second THEN
        RETURN 'same';
    END IF;
    v_fault := accounts_first_fault(p_first, p_right, p_since);
    RETURN CASE
        WHEN v_fault IS NOT NULL THEN v_fault
        WHEN NOT accounts_has_right(p_second, p_right) THEN 'second'
        WHEN accounts_pair_is_fresh(p_first, p_second, p_since - interval '24 hours') THEN 'fresh' END;
END $$;

-- Refuse a decision that these two people do not make; for triggers.
CREATE OR REPLACE FUNCTION accounts_second_check(
    p_what text, p_first bigint, p_second bigint, p_right text, p_since timestamptz) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE v_fault text := accounts_second_fault(p_first, p_second, p_right, p_since);
BEGIN
    IF v_fault IS NOT NULL THEN
        RAISE EXCEPTION '%: users % and % do not decide this (%)', p_what, p_first, p_second, v_fault
            USING ERRCODE = 'LG009';
    END IF;
END $$;
