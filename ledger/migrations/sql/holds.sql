-- Holds on credits of a wallet, and winnings that were not checked yet: docs/ledger.md.

-- How long winnings wait for their check before they can be paid out without one.
CREATE OR REPLACE FUNCTION ledger_check_time() RETURNS interval LANGUAGE sql IMMUTABLE AS $$
    SELECT interval '7 days'
$$;

-- What of a player's wallet is held now.
CREATE OR REPLACE FUNCTION ledger_held(p_owner bigint) RETURNS bigint LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT coalesce(sum(h.amount_cents), 0)::bigint FROM ledger_hold h
    WHERE h.user_id = p_owner AND h.released_at IS NULL AND h.ends_at > now()
$$;

-- What a wallet has won lately by results that nobody has checked. Goes back from the newest entry to the first
-- that is older than that, so an old wallet costs no more than a new one.
CREATE OR REPLACE FUNCTION ledger_unchecked(p_wallet bigint) RETURNS bigint LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT coalesce(sum(r.cents) FILTER (WHERE r.cents > 0), 0)::bigint FROM (
        SELECT sum(e.amount_cents) AS cents
        FROM ledger_entry e JOIN ledger_transfer t ON t.id = e.transfer_id
        WHERE e.account_id = p_wallet AND t.created_at > now() - ledger_check_time()
          AND e.account_version > coalesce((
              SELECT old.account_version
              FROM ledger_entry old JOIN ledger_transfer o ON o.id = old.transfer_id
              WHERE old.account_id = p_wallet AND o.created_at <= now() - ledger_check_time()
              ORDER BY old.account_version DESC LIMIT 1), 0)
          AND t.kind IN ('stake', 'result', 'tie', 'adjudicate', 'void', 'withdraw', 'correct')
          AND NOT EXISTS (
              SELECT FROM ledger_clearance c JOIN ledger_account a ON a.owner_id = c.user_id
              WHERE c.reference = t.reference AND a.id = p_wallet)
        GROUP BY t.reference) r
$$;

-- Refuses to stake or pay out what is held; the wallet is locked by the caller.
CREATE OR REPLACE FUNCTION ledger_not_held(p_owner bigint, p_balance bigint, p_cents bigint)
RETURNS void LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE v_held bigint := ledger_held(p_owner);
BEGIN
    IF v_held > 0 AND p_balance - v_held < p_cents THEN
        RAISE EXCEPTION '% cents of player % are held', v_held, p_owner USING ERRCODE = 'LG011',
            DETAIL = json_build_object('owner', p_owner, 'needed', p_cents, 'held', v_held,
                'free', greatest(p_balance - v_held, 0));
    END IF;
END $$;

-- A hold only becomes longer, or is released once; a clearance stays.
CREATE OR REPLACE FUNCTION ledger_hold_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF (NEW.user_id, NEW.reference, NEW.amount_cents, NEW.reason_class, NEW.placed_at)
        IS DISTINCT FROM (OLD.user_id, OLD.reference, OLD.amount_cents, OLD.reason_class, OLD.placed_at)
        OR OLD.released_at IS NOT NULL OR NEW.ends_at < OLD.ends_at THEN
        RAISE EXCEPTION 'hold %: it becomes longer or is released, nothing else', OLD.id USING ERRCODE = 'LG009';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER hold_guard BEFORE UPDATE ON ledger_hold
    FOR EACH ROW EXECUTE FUNCTION ledger_hold_guard();
SELECT rows_stay('ledger_hold', 'DELETE', 'LG009');
SELECT rows_stay('ledger_clearance', 'UPDATE OR DELETE', 'LG009');
