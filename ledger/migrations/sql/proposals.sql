-- Proposals: one person proposes, another decides. What was proposed stays, and is decided once.

CREATE OR REPLACE FUNCTION ledger_proposal_starts_waiting() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NEW.state <> 'waiting' THEN
        RAISE EXCEPTION 'a proposal begins waiting' USING ERRCODE = 'LG009';
    END IF;
    NEW.proposed_at := statement_timestamp();  -- the database's clock, not the caller's
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER proposal_starts_waiting BEFORE INSERT ON ledger_proposal
    FOR EACH ROW EXECUTE FUNCTION ledger_proposal_starts_waiting();

CREATE OR REPLACE FUNCTION ledger_proposal_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF (NEW.id, NEW.kind, NEW.subject, NEW.key, NEW.permission, NEW.content, NEW.before, NEW.reason,
        NEW.proposed_by_id, NEW.proposed_at)
       IS DISTINCT FROM
       (OLD.id, OLD.kind, OLD.subject, OLD.key, OLD.permission, OLD.content, OLD.before, OLD.reason,
        OLD.proposed_by_id, OLD.proposed_at)
       OR OLD.state <> 'waiting' OR NEW.state = 'waiting' THEN
        RAISE EXCEPTION 'proposal %: it stays as proposed, and is decided once', OLD.id
            USING ERRCODE = 'LG009';
    END IF;
    NEW.decided_at := statement_timestamp();
    IF (NEW.state = 'lapsed') <> (NEW.decided_at >= OLD.proposed_at + interval '7 days') THEN
        RAISE EXCEPTION 'proposal %: it can be decided for seven days, and lapses then', OLD.id
            USING ERRCODE = 'LG009';
    END IF;
    IF NEW.state = 'done' THEN
        PERFORM accounts_second_check('proposal ' || OLD.id, OLD.proposed_by_id, NEW.decided_by_id, OLD.permission,
            OLD.proposed_at);
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER proposal_guard BEFORE UPDATE ON ledger_proposal
    FOR EACH ROW EXECUTE FUNCTION ledger_proposal_guard();

SELECT rows_stay('ledger_proposal', 'DELETE', 'LG009');
