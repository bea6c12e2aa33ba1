-- What a player may stake, decided under the lock of the wallet, so that two tables cannot both be the last.
-- Raises LG008 with DETAIL: owner, reason (pause or limit), and what it is.

-- What counts towards a limit: of every reference with a stake since p_since, all that this wallet staked
-- (voided ones do not count) or all that it lost (what is still in escrow counts as lost).
CREATE FUNCTION ledger_play_used(p_wallet bigint, p_measure text, p_since timestamptz)
RETURNS bigint LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    WITH staked AS (
        SELECT DISTINCT t.reference FROM ledger_entry e JOIN ledger_transfer t ON t.id = e.transfer_id
        WHERE e.account_id = p_wallet AND t.kind = 'stake' AND t.created_at > p_since
    ), moved AS (
        SELECT t.reference, -sum(e.amount_cents) AS lost,
               -sum(e.amount_cents) FILTER (WHERE t.kind = 'stake') AS staked,
               bool_or(t.kind = 'void') AS voided
        FROM ledger_entry e JOIN ledger_transfer t ON t.id = e.transfer_id
        WHERE e.account_id = p_wallet AND t.reference IN (SELECT reference FROM staked)
        GROUP BY t.reference
    )
    SELECT coalesce(sum(CASE WHEN p_measure = 'loss' THEN lost WHEN voided THEN 0 ELSE staked END), 0)::bigint
    FROM moved
$$;

CREATE FUNCTION ledger_stake_allowed(p_owner bigint, p_wallet bigint, p_cents bigint)
RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    v_now timestamptz := statement_timestamp();
    v_row record;
BEGIN
    SELECT p.kind, p.ends_at INTO v_row FROM ledger_playpause p
    WHERE p.user_id = p_owner AND p.starts_at <= v_now AND (p.ends_at IS NULL OR p.ends_at > v_now)
    ORDER BY p.ends_at DESC NULLS FIRST LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'player % has a pause', p_owner USING ERRCODE = 'LG008',
            DETAIL = json_build_object('owner', p_owner, 'reason', 'pause', 'kind', v_row.kind,
                                       'until', v_row.ends_at);
    END IF;
    FOR v_row IN
        SELECT l.measure, l.period, l.amount,
               ledger_play_used(p_wallet, l.measure, v_now - ('1 ' || l.period)::interval) AS used
        FROM (SELECT measure, period,
                     CASE WHEN next_from <= v_now THEN next_amount_cents ELSE amount_cents END AS amount
              FROM ledger_playlimit WHERE user_id = p_owner) l
        WHERE l.amount IS NOT NULL ORDER BY l.measure, l.period
    LOOP
        IF v_row.used + p_cents > v_row.amount THEN
            RAISE EXCEPTION 'player % has a limit of % per %', p_owner, v_row.amount, v_row.period
                USING ERRCODE = 'LG008', DETAIL = json_build_object('owner', p_owner, 'reason', 'limit',
                    'measure', v_row.measure, 'period', v_row.period, 'limit', v_row.amount,
                    'used', v_row.used);
        END IF;
    END LOOP;
END $$;

-- A pause is kept to its end: nobody shortens or removes it.
CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE ON ledger_playpause
    FOR EACH ROW EXECUTE FUNCTION ledger_refuse();
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON ledger_playpause
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();
