-- Nobody becomes a bot while credits of theirs lie in an escrow or wait to be paid out, or could be: a bot has no payouts.
-- The lock of the wallet makes this and ledger_stake_allowed see each other: one of the two comes second.
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
    IF EXISTS (SELECT FROM ledger_account a, LATERAL ledger_promo_lock(a.id) l
               WHERE a.key = 'wallet:' || NEW.id AND a.balance_cents > l.locked_cents) THEN
        RAISE EXCEPTION 'account %: it has credits that a bot could never have paid out', NEW.id
            USING ERRCODE = 'LG009';
    END IF;
    RETURN NEW;
END $$;
