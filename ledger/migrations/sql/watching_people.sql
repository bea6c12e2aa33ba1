-- What stands behind an account's flags, tokens and marks of logins (guarding.sql).

-- A bot is a person's again by a decision of the desk, or by its owner within a day of declaring it. A closed account
-- is open again by the desk, or because its owner keeps it.
CREATE OR REPLACE FUNCTION reason_accounts_user(p_was jsonb, p_now jsonb, p_at timestamptz) RETURNS text LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_user bigint := (p_now ->> 'id')::bigint;
    v_from timestamptz := p_at - interval '1 minute';
    v_to timestamptz := p_at + interval '1 minute';
BEGIN
    RETURN CASE
        WHEN p_was -> 'is_bot' = 'true' AND p_now -> 'is_bot' = 'false' AND NOT EXISTS (
            SELECT FROM accounts_identitychange c
            WHERE c.person_id = v_user AND c.kind = 'no_bot' AND c.effective_at BETWEEN v_from AND v_to)
            AND NOT (journal_says(v_user, 'bot.undo', 'user:' || v_user, '{}', p_at) AND EXISTS (
                SELECT FROM ledger_journalentry j WHERE j.subject = 'user:' || v_user AND j.verb = 'bot.declare'
                AND j.actor_id = v_user AND j.created_at BETWEEN p_at - interval '24 hours 1 minute' AND v_to))
            THEN 'is no bot any more by nobody''s decision'
        WHEN p_was -> 'is_active' = 'false' AND p_now -> 'is_active' = 'true' AND NOT EXISTS (
            SELECT FROM accounts_identitychange c
            WHERE c.person_id = v_user AND c.kind = 'reopen' AND c.effective_at BETWEEN v_from AND v_to)
            AND NOT EXISTS (SELECT FROM accounts_accountdeletion d
                WHERE d.user_id = v_user AND d.outcome = 'kept' AND d.ended_at BETWEEN v_from AND v_to)
            THEN 'is open again by nobody''s decision'
        WHEN (p_now ->> 'date_joined')::timestamptz < (p_was ->> 'date_joined')::timestamptz
            THEN 'names no reason to be older than it was' END;
END $$;

-- A token is a bot's, stands in the journal, and never comes back; its scopes are those it was made with.
CREATE OR REPLACE FUNCTION reason_accounts_apitoken(p_was jsonb, p_now jsonb, p_at timestamptz) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE
        WHEN p_was IS NOT NULL THEN NULL
        WHEN (p_now ->> 'created_at')::timestamptz NOT BETWEEN p_at - interval '1 minute' AND p_at + interval '1 hour'
            THEN 'was made at another time'
        WHEN NOT EXISTS (SELECT FROM change_stood('accounts_user', p_at, p_now ->> 'user_id') u
                         WHERE u -> 'is_bot' = 'true') THEN 'is of no bot'
        WHEN NOT journal_says((p_now ->> 'user_id')::bigint, 'token.make', 'user:' || (p_now ->> 'user_id'),
                              jsonb_build_object('token', p_now -> 'id'), p_at) THEN 'is not in the journal'
        WHEN EXISTS (
            SELECT FROM ledger_change c WHERE c.table_name = 'accounts_apitoken' AND c.row_key <> p_now ->> 'id'
              AND c.content -> 'digest' = p_now -> 'digest') THEN 'is one that was revoked' END
$$;

-- A mark begins with its login and goes with the account, or ninety days after the last login (accounts/marks.py).
-- Whose browser or network it is, the log does not keep.
CREATE OR REPLACE FUNCTION reason_accounts_loginmark(p_was jsonb, p_now jsonb, p_at timestamptz) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE
        WHEN p_was IS NULL AND (p_now ->> 'first_at')::timestamptz NOT BETWEEN
             p_at - interval '1 minute' AND p_at + interval '1 hour' THEN 'names no login of this time'
        WHEN p_now IS NULL AND (p_was ->> 'first_at')::timestamptz > p_at - interval '89 days' AND NOT EXISTS (
            SELECT FROM accounts_accountdeletion d
            WHERE d.user_id = (p_was ->> 'user_id')::bigint AND d.outcome = 'done') THEN 'is deleted early' END
$$;
CREATE OR REPLACE FUNCTION accounts_mark_goes() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM accounts_accountdeletion d WHERE d.user_id = OLD.user_id AND d.outcome = 'done') THEN
        RAISE EXCEPTION 'a login of user % is younger than ninety days', OLD.user_id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS mark_goes ON accounts_loginmark;
CREATE CONSTRAINT TRIGGER mark_goes AFTER DELETE ON accounts_loginmark DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (OLD.last_at > now() - interval '89 days') EXECUTE FUNCTION accounts_mark_goes();
CREATE OR REPLACE TRIGGER mark_moves_on BEFORE UPDATE ON accounts_loginmark FOR EACH ROW
    WHEN (NEW.last_at < OLD.last_at) EXECUTE FUNCTION kit_refuse('LG009');

-- No sweep leaves an item out for longer than an hour (kit/sweeps.py).
CREATE OR REPLACE FUNCTION kit_stuck_is_short() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NEW.retry_at > clock_timestamp() + interval '61 minutes' THEN
        RAISE EXCEPTION 'the sweep % leaves % out for too long', NEW.sweep, NEW.item
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER stuck_is_short BEFORE INSERT OR UPDATE ON kit_stuck
    FOR EACH ROW EXECUTE FUNCTION kit_stuck_is_short();

SELECT row_guard('accounts_user', 'id', '{"*": "goes", "password": "free", "last_login": "free", "is_superuser": "free",
    "username": "free", "first_name": "free", "last_name": "free", "email": "free", "is_staff": "free",
    "is_active": "free", "date_joined": "free", "name_key": "free", "is_bot": "free", "is_guest": "free",
    "language": "free", "theme": "free", "preferences": "free"}',
    ARRAY['id', 'username', 'is_superuser', 'is_staff', 'is_active', 'is_bot', 'date_joined']);
SELECT row_guard('accounts_apitoken', 'id', '{"*": "goes", "used_at": "free"}',
    ARRAY['id', 'user_id', 'digest', 'scopes', 'created_at']);
SELECT row_guard('accounts_loginmark', 'id', '{"*": "goes", "last_at": "free"}',
    ARRAY['id', 'user_id', 'kind', 'first_at']);
