-- An account is closed to be deleted, and deleted later, only while nothing of it is at stake or on its way out, and
-- its wallet is not frozen and holds no more than its owner gave up. The lock of the wallet makes this see what
-- ledger_stake_allowed and ledger_payout_of_person let pass, and makes those see the closed account.
CREATE FUNCTION ledger_deletion_guard() RETURNS trigger LANGUAGE plpgsql
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
    IF EXISTS (
        SELECT FROM ledger_entry e
        JOIN ledger_transfer t ON t.id = e.transfer_id AND t.kind = 'stake'
        JOIN ledger_account s ON s.key = 'escrow:' || t.reference AND s.balance_cents > 0
        WHERE e.account_id = v_wallet.id
    ) THEN
        RAISE EXCEPTION 'account %: a stake lies in escrow', NEW.user_id USING ERRCODE = 'LG009';
    END IF;
    IF EXISTS (SELECT FROM ledger_payout p WHERE p.user_id = NEW.user_id AND p.closed_at IS NULL) THEN
        RAISE EXCEPTION 'account %: a payout is open', NEW.user_id USING ERRCODE = 'LG009';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER deletion_asked BEFORE INSERT ON accounts_accountdeletion
    FOR EACH ROW EXECUTE FUNCTION ledger_deletion_guard();
CREATE TRIGGER deletion_done BEFORE UPDATE ON accounts_accountdeletion
    FOR EACH ROW WHEN (NEW.outcome = 'done' AND OLD.outcome <> 'done') EXECUTE FUNCTION ledger_deletion_guard();

-- What was asked stays, and so does how it ended.
CREATE TRIGGER refuse_change BEFORE UPDATE OF user_id, asked_at, due_at, given_up_cents ON accounts_accountdeletion
    FOR EACH ROW EXECUTE FUNCTION ledger_refuse();
CREATE TRIGGER refuse_other_end BEFORE UPDATE ON accounts_accountdeletion
    FOR EACH ROW WHEN (OLD.outcome <> '') EXECUTE FUNCTION ledger_refuse();
CREATE TRIGGER refuse_delete BEFORE DELETE ON accounts_accountdeletion
    FOR EACH ROW EXECUTE FUNCTION ledger_refuse();
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON accounts_accountdeletion
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();

-- Closed accounts have no payouts.
CREATE OR REPLACE FUNCTION ledger_payout_of_person() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM FROM ledger_account a WHERE a.key = 'wallet:' || NEW.user_id FOR NO KEY UPDATE;
    IF EXISTS (SELECT FROM accounts_user u
               WHERE u.id = NEW.user_id AND (u.is_bot OR u.is_guest OR NOT u.is_active)) THEN
        RAISE EXCEPTION 'account %: bots, guests and closed accounts have no payouts', NEW.user_id
            USING ERRCODE = 'LG009';
    END IF;
    RETURN NEW;
END $$;

SELECT change_watch('accounts_accountdeletion', 'id');
