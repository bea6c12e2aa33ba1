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
          AND NOT EXISTS (SELECT FROM ledger_clearance c WHERE c.reference = t.reference)
        GROUP BY t.reference) r
$$;
