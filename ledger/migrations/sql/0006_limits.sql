-- A stake that was taken back counts for nothing.
CREATE OR REPLACE FUNCTION ledger_play_used(p_wallet bigint, p_measure text, p_since timestamptz)
RETURNS bigint LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    WITH staked AS (
        SELECT DISTINCT t.reference FROM ledger_entry e JOIN ledger_transfer t ON t.id = e.transfer_id
        WHERE e.account_id = p_wallet AND t.kind = 'stake' AND t.created_at > p_since
    ), moved AS (
        SELECT t.reference, -sum(e.amount_cents) AS lost,
               -sum(e.amount_cents) FILTER (WHERE t.kind IN ('stake', 'void', 'withdraw')) AS staked
        FROM ledger_entry e JOIN ledger_transfer t ON t.id = e.transfer_id
        WHERE e.account_id = p_wallet AND t.reference IN (SELECT reference FROM staked)
        GROUP BY t.reference
    )
    SELECT coalesce(sum(CASE WHEN p_measure = 'loss' THEN lost ELSE greatest(staked, 0) END), 0)::bigint
    FROM moved
$$;

CREATE OR REPLACE FUNCTION ledger_at_stake(p_wallet text) RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM ledger_account w JOIN ledger_entry e ON e.account_id = w.id
        JOIN ledger_transfer t ON t.id = e.transfer_id AND t.kind IN ('stake', 'withdraw')
        JOIN ledger_account s ON s.key = 'escrow:' || t.reference AND s.balance_cents > 0
        WHERE w.key = p_wallet
        GROUP BY t.reference HAVING sum(e.amount_cents) < 0)
$$;

CREATE OR REPLACE FUNCTION ledger_bot_guard() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM FROM ledger_account a WHERE a.key = 'wallet:' || NEW.id FOR NO KEY UPDATE;
    IF ledger_at_stake('wallet:' || NEW.id) THEN
        RAISE EXCEPTION 'account %: a stake lies in escrow', NEW.id USING ERRCODE = 'LG009';
    END IF;
    IF EXISTS (SELECT FROM ledger_payout p WHERE p.user_id = NEW.id AND p.closed_at IS NULL) THEN
        RAISE EXCEPTION 'account %: a payout is open', NEW.id USING ERRCODE = 'LG009';
    END IF;
    RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION ledger_deletion_guard() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE v_wallet ledger_account;
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.due_at > statement_timestamp() THEN
        RAISE EXCEPTION 'account %: the owner may still keep it', NEW.user_id USING ERRCODE = 'LG009';
    END IF;
    SELECT * INTO v_wallet FROM ledger_account a WHERE a.key = 'wallet:' || NEW.user_id FOR NO KEY UPDATE;
    IF v_wallet.frozen THEN
        RAISE EXCEPTION 'account %: the wallet is frozen', NEW.user_id USING ERRCODE = 'LG009';
    END IF;
    IF v_wallet.balance_cents > NEW.given_up_cents THEN
        RAISE EXCEPTION 'account %: credits were not given up', NEW.user_id USING ERRCODE = 'LG009';
    END IF;
    IF ledger_at_stake(v_wallet.key) THEN
        RAISE EXCEPTION 'account %: a stake lies in escrow', NEW.user_id USING ERRCODE = 'LG009';
    END IF;
    IF EXISTS (SELECT FROM ledger_payout p WHERE p.user_id = NEW.user_id AND p.closed_at IS NULL) THEN
        RAISE EXCEPTION 'account %: a payout is open', NEW.user_id USING ERRCODE = 'LG009';
    END IF;
    RETURN NEW;
END $$;
