-- Prices follow each other without a gap, and a second person confirmed each of them.
CREATE OR REPLACE FUNCTION games_prices_follow() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM games_houseprices) THEN
        RAISE EXCEPTION 'prices_number: prices % do not follow the newest ones', NEW.number
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF (SELECT min(cents) FROM unnest(NEW.single_limits_cents) AS cents)
       < (SELECT max(cents) FROM unnest(NEW.single_rates_cents) AS cents) THEN
        RAISE EXCEPTION 'prices_limit: a limit is below a rate' USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.proposal_id IS NULL AND NOT pg_has_role(
        current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE') THEN
        RAISE EXCEPTION 'prices_by_two_people: prices are confirmed by a second person'
            USING ERRCODE = 'restrict_violation';
    END IF;
    NEW.made_at := statement_timestamp();  -- the database's clock, not the caller's
    RETURN NEW;
END
$$;
CREATE OR REPLACE TRIGGER games_prices_follow BEFORE INSERT ON games_houseprices
    FOR EACH ROW EXECUTE FUNCTION games_prices_follow();

CREATE OR REPLACE FUNCTION games_prices_decided() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM ledger_proposal p
        WHERE p.id = NEW.proposal_id AND p.kind = 'prices.change' AND p.state = 'done'
          AND p.proposed_by_id = NEW.proposed_by_id AND p.decided_by_id = NEW.confirmed_by_id
          AND p.content -> 'figures' = (
              SELECT jsonb_object_agg(key, value) FROM jsonb_each(to_jsonb(NEW))
              WHERE key NOT IN ('number', 'proposal_id', 'proposed_by_id', 'confirmed_by_id',
                                'reason', 'made_at'))
    ) THEN
        RAISE EXCEPTION 'prices_by_two_people: proposal % did not decide prices %',
            NEW.proposal_id, NEW.number USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END
$$;
DROP TRIGGER IF EXISTS games_prices_decided ON games_houseprices;
CREATE CONSTRAINT TRIGGER games_prices_decided AFTER INSERT ON games_houseprices
    DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.proposal_id IS NOT NULL) EXECUTE FUNCTION games_prices_decided();

CREATE OR REPLACE TRIGGER games_houseprices_rows_stay BEFORE UPDATE OR DELETE ON games_houseprices
    FOR EACH ROW EXECUTE FUNCTION games_refuse_mutation();
CREATE OR REPLACE TRIGGER games_houseprices_stays BEFORE TRUNCATE ON games_houseprices
    FOR EACH STATEMENT EXECUTE FUNCTION games_refuse_mutation();
