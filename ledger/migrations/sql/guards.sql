-- Guards: what the tables themselves refuse, whoever asks. Errors carry SQLSTATE LG009 (books guarded).

ALTER TABLE ledger_account SET (fillfactor = 70);  -- balances change in place; leaves room for HOT updates
ALTER TABLE ledger_account
    DROP CONSTRAINT IF EXISTS account_key_tells_owner,
    ADD CONSTRAINT account_key_tells_owner CHECK (kind <> 'wallet' OR key = 'wallet:' || owner_id);
ALTER TABLE ledger_transfer
    DROP CONSTRAINT IF EXISTS transfer_digest_is_sha256,
    ADD CONSTRAINT transfer_digest_is_sha256 CHECK (octet_length(digest) = 32),
    DROP CONSTRAINT IF EXISTS transfer_names_are_plain,
    ADD CONSTRAINT transfer_names_are_plain CHECK (
        key ~ '^[a-z][a-z0-9_]*(:[A-Za-z0-9._-]+)*$'
        AND reference ~ '^[a-z][a-z0-9_]*(:[A-Za-z0-9._-]+)*$');
ALTER TABLE ledger_seal
    DROP CONSTRAINT IF EXISTS seal_roots_are_sha256,
    ADD CONSTRAINT seal_roots_are_sha256 CHECK (
        octet_length(root) = 32 AND octet_length(previous_root) = 32);

-- Rows of the books stay as they were written.
SELECT rows_stay('ledger_transfer', 'UPDATE OR DELETE', 'LG009');
SELECT rows_stay('ledger_entry', 'UPDATE OR DELETE', 'LG009');
SELECT rows_stay('ledger_snapshot', 'UPDATE OR DELETE', 'LG009');
SELECT rows_stay('ledger_seal', 'UPDATE OR DELETE', 'LG009');
SELECT rows_stay('ledger_journalentry', 'UPDATE OR DELETE', 'LG009');
SELECT rows_stay('ledger_account', 'DELETE', 'LG009');

-- An account keeps its identity; its balance changes exactly when its version goes up by one.
CREATE OR REPLACE FUNCTION ledger_account_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF (NEW.id, NEW.key, NEW.kind, NEW.owner_id, NEW.bounded, NEW.created_at)
       IS DISTINCT FROM (OLD.id, OLD.key, OLD.kind, OLD.owner_id, OLD.bounded, OLD.created_at) THEN
        RAISE EXCEPTION 'account %: only balance, version and freeze may change', OLD.key
            USING ERRCODE = 'LG009';
    END IF;
    IF (NEW.balance_cents = OLD.balance_cents) <> (NEW.version = OLD.version)
       OR NEW.version NOT IN (OLD.version, OLD.version + 1) THEN
        RAISE EXCEPTION 'account %: the balance moves with the version, one step at a time', OLD.key
            USING ERRCODE = 'LG009';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER account_guard BEFORE UPDATE ON ledger_account
    FOR EACH ROW EXECUTE FUNCTION ledger_account_guard();

CREATE OR REPLACE FUNCTION ledger_account_starts_well() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NEW.balance_cents <> 0 OR NEW.version <> 0 THEN
        RAISE EXCEPTION 'account %: a new account is empty', NEW.key USING ERRCODE = 'LG009';
    END IF;
    -- Here and not as a CHECK, which would weigh the key again whenever the balance moves.
    IF NEW.key !~ '^[a-z][a-z0-9_]*(:[A-Za-z0-9._-]+)*$' OR split_part(NEW.key, ':', 1) <> NEW.kind THEN
        RAISE EXCEPTION 'account %: its key does not tell its kind', NEW.key USING ERRCODE = 'LG009';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER account_starts_well BEFORE INSERT ON ledger_account
    FOR EACH ROW EXECUTE FUNCTION ledger_account_starts_well();

-- A stored balance is backed by the entry that led to it: nobody sets a balance without an entry.
CREATE OR REPLACE FUNCTION ledger_account_backed() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE v_key text;
BEGIN
    SELECT a.key INTO v_key
    FROM changed a
    LEFT JOIN ledger_entry e ON e.account_id = a.id AND e.account_version = a.version
    WHERE a.version > 0 AND e.balance_after_cents IS DISTINCT FROM a.balance_cents
    LIMIT 1;
    IF v_key IS NOT NULL THEN
        RAISE EXCEPTION 'account %: its balance has no entry behind it', v_key USING ERRCODE = 'LG009';
    END IF;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER account_backed AFTER UPDATE ON ledger_account
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION ledger_account_backed();

-- All lines of a transfer come in one statement, as many as it announced, sum to zero, and go on from the
-- account's last balance.
CREATE OR REPLACE FUNCTION ledger_entries_balanced() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE v_bad bigint;
BEGIN
    SELECT n.transfer_id INTO v_bad
    FROM added n
    JOIN ledger_transfer t ON t.id = n.transfer_id
    JOIN ledger_account a ON a.id = n.account_id
    LEFT JOIN ledger_entry p
        ON p.account_id = n.account_id AND p.account_version = n.account_version - 1
    GROUP BY n.transfer_id, t.line_count
    HAVING sum(n.amount_cents) <> 0 OR count(*) <> t.line_count OR bool_or(
        CASE WHEN a.bounded
             THEN n.account_version IS DISTINCT FROM a.version
                  OR n.balance_after_cents IS DISTINCT FROM a.balance_cents
                  OR (n.account_version > 1 AND p.account_id IS NULL)
                  OR n.balance_after_cents <> coalesce(p.balance_after_cents, 0) + n.amount_cents
             ELSE n.account_version IS NOT NULL END)
    LIMIT 1;
    IF v_bad IS NOT NULL THEN
        RAISE EXCEPTION 'transfer %: its lines come together, sum to zero, and each goes on from its'
            ' account''s balance', v_bad USING ERRCODE = 'LG009';
    END IF;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER entries_balanced AFTER INSERT ON ledger_entry
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ledger_entries_balanced();

-- No transfer without lines, checked when the transaction ends.
CREATE OR REPLACE FUNCTION ledger_transfer_not_empty() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM ledger_entry e WHERE e.transfer_id = NEW.id AND e.line = 1) THEN
        RAISE EXCEPTION 'transfer % has no lines', NEW.key USING ERRCODE = 'LG009';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS transfer_not_empty ON ledger_transfer;
CREATE CONSTRAINT TRIGGER transfer_not_empty AFTER INSERT ON ledger_transfer
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_transfer_not_empty();
