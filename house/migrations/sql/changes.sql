-- Changes of the house's settings follow each other without a gap, name a person, and stay.
CREATE OR REPLACE FUNCTION house_change_follows() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM house_housechange) THEN
        RAISE EXCEPTION 'house_number: change % does not follow the newest one', NEW.number
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF jsonb_typeof(NEW.content) <> 'object' THEN
        RAISE EXCEPTION 'house_content: change % has no list of names and values', NEW.number
            USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.changed_by_id IS NULL AND NOT pg_has_role(
        current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE') THEN
        RAISE EXCEPTION 'house_person: change % names no person', NEW.number
            USING ERRCODE = 'restrict_violation';
    END IF;
    NEW.made_at := statement_timestamp();  -- the database's clock, not the caller's
    RETURN NEW;
END
$$;
CREATE OR REPLACE TRIGGER house_follows BEFORE INSERT ON house_housechange
    FOR EACH ROW EXECUTE FUNCTION house_change_follows();

CREATE OR REPLACE FUNCTION house_change_stays() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF TG_OP = 'TRUNCATE' AND current_setting('ledger.allow_truncate', true) = 'test' THEN
        RETURN NULL;  -- only a database of tests is set to this
    END IF;
    RAISE EXCEPTION '%: changes of the house are never changed and never deleted', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END
$$;
CREATE OR REPLACE TRIGGER house_rows_stay BEFORE UPDATE OR DELETE ON house_housechange
    FOR EACH ROW EXECUTE FUNCTION house_change_stays();
CREATE OR REPLACE TRIGGER house_stays BEFORE TRUNCATE ON house_housechange
    FOR EACH STATEMENT EXECUTE FUNCTION house_change_stays();
