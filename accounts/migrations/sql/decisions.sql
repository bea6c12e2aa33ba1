-- Decisions about people, and who has a role.

-- What was decided stays; a decision is confirmed, takes effect and ends once each.
CREATE OR REPLACE FUNCTION accounts_decision_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_old jsonb;
    v_new jsonb;
    v_once text;
BEGIN
    IF TG_OP = 'DELETE' THEN
        RAISE EXCEPTION '% %: a decision is never deleted', TG_TABLE_NAME, OLD.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF TG_OP = 'INSERT' THEN
        NEW.asked_at := statement_timestamp();
        IF NEW.confirmed_by_id IS NOT NULL THEN
            RAISE EXCEPTION '%: a decision begins without a second person', TG_TABLE_NAME
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END IF;
    v_old := to_jsonb(OLD);
    v_new := to_jsonb(NEW);
    FOREACH v_once IN ARRAY ARRAY['confirmed_by_id', 'confirmed_at', 'effective_at', 'ended_by_id',
                                  'ended_at'] LOOP
        IF v_old -> v_once = 'null'::jsonb THEN
            v_old := v_old - v_once;
            v_new := v_new - v_once;
        END IF;
    END LOOP;
    IF OLD.ended_at IS NULL THEN
        v_old := v_old - 'end_reason';
        v_new := v_new - 'end_reason';
    END IF;
    IF v_old <> v_new OR OLD.ended_at IS NOT NULL
       OR (OLD.effective_at IS NOT NULL AND OLD.confirmed_by_id IS DISTINCT FROM NEW.confirmed_by_id)
    THEN
        RAISE EXCEPTION '% %: what was decided stays', TG_TABLE_NAME, OLD.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD.confirmed_by_id IS NULL AND NEW.confirmed_by_id IS NOT NULL THEN
        IF accounts_second_fault(OLD.asked_by_id, NEW.confirmed_by_id, CASE TG_TABLE_NAME
                WHEN 'accounts_rolegrant' THEN 'accounts.give_role' ELSE 'accounts.decide_identity' END,
                OLD.asked_at) IS NOT NULL THEN
            RAISE EXCEPTION '% %: users % and % do not decide this', TG_TABLE_NAME, OLD.id, OLD.asked_by_id,
                NEW.confirmed_by_id USING ERRCODE = 'restrict_violation';
        END IF;
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER decision_guard BEFORE INSERT OR UPDATE OR DELETE ON accounts_rolegrant
    FOR EACH ROW EXECUTE FUNCTION accounts_decision_guard();
CREATE OR REPLACE TRIGGER decision_guard BEFORE INSERT OR UPDATE OR DELETE ON accounts_identitychange
    FOR EACH ROW EXECUTE FUNCTION accounts_decision_guard();

-- Nobody has the rights of a role that is not in force.
CREATE OR REPLACE FUNCTION accounts_role_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE v_role text;
BEGIN
    SELECT g.name INTO v_role FROM auth_group g WHERE g.id = NEW.group_id;
    IF v_role IN ('moderator', 'treasurer', 'administrator') AND NOT EXISTS (
        SELECT FROM accounts_rolegrant r
        WHERE r.person_id = NEW.user_id AND r.role = v_role
          AND r.effective_at IS NOT NULL AND r.ended_at IS NULL) THEN
        RAISE EXCEPTION 'user % is no % by any decision in force', NEW.user_id, v_role
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER role_guard BEFORE INSERT OR UPDATE ON accounts_user_groups
    FOR EACH ROW EXECUTE FUNCTION accounts_role_guard();
