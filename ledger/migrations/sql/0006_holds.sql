-- A stake that was taken back was not lost.
CREATE OR REPLACE FUNCTION ledger_unchecked(p_wallet bigint) RETURNS bigint LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT coalesce(sum(r.cents) FILTER (WHERE r.cents > 0), 0)::bigint FROM (
        SELECT sum(e.amount_cents) AS cents
        FROM ledger_entry e JOIN ledger_transfer t ON t.id = e.transfer_id
        WHERE e.account_id = p_wallet AND t.created_at > now() - ledger_check_time()
          AND t.kind IN ('stake', 'result', 'tie', 'adjudicate', 'void', 'withdraw', 'correct')
          AND NOT EXISTS (SELECT FROM ledger_clearance c WHERE c.reference = t.reference)
        GROUP BY t.reference) r
$$;
