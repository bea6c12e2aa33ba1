-- Every transfer of a match has a match behind it that says the same: players, stake, payouts, rake.
-- The books know no match, so the rule stands here, on their table. A database of tests or figures
-- may take references that name no match: its own options say `ledger.free_references=test`, which
-- only its owner can set and which an audit does not honour.
CREATE OR REPLACE FUNCTION games_unjustified(t ledger_transfer) RETURNS text LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    v_match games_match;
    v_counts boolean;
    v_faults text;
BEGIN
    IF t.reference !~ '^match:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN
        RETURN 'names no match';
    END IF;
    IF t.kind IN ('withdraw', 'add') THEN
        RETURN 'nothing is added to a match, and no stake of it is taken back alone';
    END IF;
    SELECT * INTO v_match FROM games_match m WHERE m.id = substr(t.reference, 7)::uuid;
    IF v_match.id IS NULL THEN
        RETURN 'there is no such match';
    END IF;
    IF t.kind <> 'stake' THEN
        IF v_match.ended_at IS NULL OR v_match.paid_cents IS NULL THEN
            RETURN 'the match is not over';
        END IF;
        v_counts := v_match.ending NOT IN ('voided', 'stood_up');
        -- A correction made after it may have given the match another ending.
        IF t.kind <> 'correct' AND NOT EXISTS (SELECT FROM ledger_transfer c WHERE c.reverses_id = t.id)
           AND (CASE t.kind
               WHEN 'void' THEN NOT v_counts
               WHEN 'tie' THEN v_counts AND v_match.winner_seat IS NULL
               WHEN 'adjudicate' THEN v_match.ending = 'adjudicated' AND v_match.winner_seat IS NOT NULL
               ELSE v_counts AND v_match.ending <> 'adjudicated' AND v_match.winner_seat IS NOT NULL
               END) IS NOT TRUE THEN
            RETURN 'the match ended otherwise: ' || v_match.ending;
        END IF;
    END IF;
    IF t.kind IN ('correct', 'adjudicate') AND NOT EXISTS (
        SELECT FROM ledger_journalentry j WHERE j.subject = t.reference AND j.verb LIKE 'match.%'
        AND (t.actor_id IS NULL OR j.actor_id = t.actor_id)) THEN
        RETURN 'the journal has no decision about the match';
    END IF;
    SELECT string_agg(key || ' ' || coalesce(booked.cents, 0) || ', not ' || coalesce(wanted.cents, 0), '; ')
    INTO v_faults
    FROM (SELECT a.key, sum(e.amount_cents)::bigint AS cents
          FROM ledger_transfer o JOIN ledger_entry e ON e.transfer_id = o.id
          JOIN ledger_account a ON a.id = e.account_id
          WHERE o.reference = t.reference AND (o.kind = 'stake') = (t.kind = 'stake')
          GROUP BY a.key) booked
    FULL JOIN (
        SELECT w.key, w.cents FROM (VALUES
            ('escrow:' || t.reference,
             CASE WHEN t.kind = 'stake' THEN 2 ELSE -2 END * v_match.stake_cents),
            ('wallet:' || v_match.player_0_id,
             CASE WHEN t.kind = 'stake' THEN -v_match.stake_cents ELSE (v_match.paid_cents ->> 0)::bigint END),
            ('wallet:' || v_match.player_1_id,
             CASE WHEN t.kind = 'stake' THEN -v_match.stake_cents ELSE (v_match.paid_cents ->> 1)::bigint END),
            ('house_rake', CASE WHEN t.kind = 'stake' THEN 0 ELSE v_match.rake_cents END)
        ) w(key, cents)) wanted USING (key)
    WHERE coalesce(booked.cents, 0) <> coalesce(wanted.cents, 0);
    RETURN 'moves otherwise than the match: ' || v_faults;
END $$;

CREATE OR REPLACE FUNCTION games_transfer_justified() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE v_fault text := games_unjustified(NEW);
BEGIN
    IF v_fault = 'names no match' AND EXISTS (
        SELECT FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase
        WHERE d.datname = current_database() AND s.setrole = 0
        AND 'ledger.free_references=test' = ANY (s.setconfig)) THEN
        RETURN NULL;
    END IF;
    IF v_fault IS NOT NULL THEN
        RAISE EXCEPTION 'transfer % (%): %', NEW.key, NEW.kind, v_fault USING ERRCODE = 'LG009';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS match_transfer_justified ON ledger_transfer;
CREATE CONSTRAINT TRIGGER match_transfer_justified AFTER INSERT ON ledger_transfer
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.kind IN ('stake', 'result', 'tie', 'adjudicate', 'void', 'withdraw', 'add', 'correct')
          AND NEW.reference NOT LIKE 'tournament:%' AND NEW.reference NOT LIKE 'chouette:%')
    EXECUTE FUNCTION games_transfer_justified();
