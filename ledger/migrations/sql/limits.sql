-- What a player may stake, decided under the lock of the wallet, so that two tables cannot both be the last.
-- Raises LG008 with DETAIL: owner, reason (person, pause or limit), and what it is.

-- What counts towards a limit: of every reference with a stake since p_since, all that this wallet staked
-- (voided ones do not count) or all that it lost (what is still in escrow counts as lost).
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

-- What keeps a player from staking: an own break or exclusion, or the exclusion of another account that named
-- one of this player's mailboxes. Where the other account never proved to own it, that binds this player only
-- until they prove it themselves: anybody can type an address. The longest one, or no row.
CREATE OR REPLACE FUNCTION ledger_pause_of(p_owner bigint) RETURNS SETOF ledger_playpause LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT p.* FROM (
        SELECT p_owner AS user_id, true AS own
        UNION ALL
        SELECT theirs.user_id, false
        FROM accounts_mailbox mine
        JOIN accounts_mailbox theirs ON theirs.key = mine.key AND theirs.user_id <> mine.user_id
        WHERE mine.user_id = p_owner AND (theirs.proved_at IS NOT NULL OR mine.proved_at IS NULL)
    ) person JOIN ledger_playpause p ON p.user_id = person.user_id
    WHERE p.starts_at <= statement_timestamp() AND (p.ends_at IS NULL OR p.ends_at > statement_timestamp())
      AND (person.own OR p.kind = 'exclusion')
    ORDER BY p.ends_at DESC NULLS FIRST LIMIT 1
$$;

CREATE OR REPLACE FUNCTION ledger_stake_allowed(p_owner bigint, p_wallet bigint, p_cents bigint)
RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    v_now timestamptz := statement_timestamp();
    v_row record;
BEGIN
    SELECT CASE WHEN u.is_bot THEN 'bot' WHEN u.is_guest THEN 'guest' WHEN NOT u.is_active THEN 'closed' END AS why
    INTO v_row FROM accounts_user u WHERE u.id = p_owner;
    IF NOT FOUND OR v_row.why IS NOT NULL THEN
        RAISE EXCEPTION 'account % takes no part in stakes', p_owner USING ERRCODE = 'LG008',
            DETAIL = json_build_object('owner', p_owner, 'reason', 'person', 'why', v_row.why);
    END IF;
    SELECT p.kind, p.ends_at INTO v_row FROM ledger_pause_of(p_owner) p;
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
SELECT rows_stay('ledger_playpause', 'UPDATE OR DELETE', 'LG009');

-- Whether a stake of this wallet lies in an escrow that is not decided; one that was taken back does not.
CREATE OR REPLACE FUNCTION ledger_at_stake(p_wallet text) RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM ledger_account w JOIN ledger_entry e ON e.account_id = w.id
        JOIN ledger_transfer t ON t.id = e.transfer_id AND t.kind IN ('stake', 'withdraw')
        JOIN ledger_account s ON s.key = 'escrow:' || t.reference AND s.balance_cents > 0
        WHERE w.key = p_wallet
        GROUP BY t.reference HAVING sum(e.amount_cents) < 0)
$$;

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
CREATE OR REPLACE TRIGGER bot_guard BEFORE UPDATE OF is_bot ON accounts_user
    FOR EACH ROW WHEN (NEW.is_bot AND NOT OLD.is_bot) EXECUTE FUNCTION ledger_bot_guard();

-- Bots have no payouts, nor have closed accounts.
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
CREATE OR REPLACE TRIGGER payout_of_person BEFORE INSERT ON ledger_payout
    FOR EACH ROW EXECUTE FUNCTION ledger_payout_of_person();

-- A mailbox that was named stays, with the account that named it.
SELECT rows_stay('accounts_mailbox', 'UPDATE OF user_id, key OR DELETE', 'LG009');

-- A mailbox that was proved stays proved: an exclusion reaches other accounts by it.
CREATE OR REPLACE TRIGGER refuse_other_proof BEFORE UPDATE ON accounts_mailbox
    FOR EACH ROW WHEN (OLD.proved_at IS NOT NULL AND NEW.proved_at IS DISTINCT FROM OLD.proved_at)
    EXECUTE FUNCTION kit_refuse('LG009');

-- The salt of the mailboxes stays: with another one no mailbox would be found any more.
SELECT rows_stay('accounts_mailboxsalt', 'UPDATE OR DELETE', 'LG009');

-- An account is closed to be deleted, and deleted later, only while nothing of it is at stake or on its way out, and
-- its wallet is not frozen and holds no more than its owner gave up. The lock of the wallet makes this see what
-- ledger_stake_allowed and ledger_payout_of_person let pass, and makes those see the closed account.
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
CREATE OR REPLACE TRIGGER deletion_asked BEFORE INSERT ON accounts_accountdeletion
    FOR EACH ROW EXECUTE FUNCTION ledger_deletion_guard();
CREATE OR REPLACE TRIGGER deletion_done BEFORE UPDATE ON accounts_accountdeletion
    FOR EACH ROW WHEN (NEW.outcome = 'done' AND OLD.outcome <> 'done') EXECUTE FUNCTION ledger_deletion_guard();

-- What was asked stays, and so does how it ended.
CREATE OR REPLACE TRIGGER refuse_other_end BEFORE UPDATE ON accounts_accountdeletion
    FOR EACH ROW WHEN (OLD.outcome <> '') EXECUTE FUNCTION kit_refuse('LG009');
SELECT rows_stay('accounts_accountdeletion', 'UPDATE OF user_id, asked_at, due_at, given_up_cents OR DELETE', 'LG009');
