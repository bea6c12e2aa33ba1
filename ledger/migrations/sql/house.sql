-- What moves credits or liability in the settings of the house, two people decide by a proposal.
CREATE OR REPLACE FUNCTION ledger_house_by_two() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NEW.part IN ('name', 'currency', 'languages', 'colours', 'logo') THEN
        RETURN NEW;
    END IF;
    IF NEW.proposal_id IS NULL AND NOT pg_has_role(
        current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE') THEN
        RAISE EXCEPTION 'house_by_two: a second person confirms a change of %', NEW.part
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE OR REPLACE TRIGGER house_by_two BEFORE INSERT ON house_housechange
    FOR EACH ROW EXECUTE FUNCTION ledger_house_by_two();

CREATE OR REPLACE FUNCTION ledger_house_decided() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM ledger_proposal p
        WHERE p.id = NEW.proposal_id AND p.kind = 'house.change' AND p.state = 'done'
          AND p.subject = 'house:' || NEW.part AND p.content -> 'content' = NEW.content
          AND p.proposed_by_id = NEW.changed_by_id AND p.decided_by_id = NEW.confirmed_by_id
    ) THEN
        RAISE EXCEPTION 'house_by_two: proposal % did not decide change %',
            NEW.proposal_id, NEW.number USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END
$$;
DROP TRIGGER IF EXISTS house_decided ON house_housechange;
CREATE CONSTRAINT TRIGGER house_decided AFTER INSERT ON house_housechange
    DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.proposal_id IS NOT NULL) EXECUTE FUNCTION ledger_house_decided();
