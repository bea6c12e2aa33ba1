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

-- A mailbox that was proved stays proved: an exclusion reaches other accounts by it.
DROP TRIGGER IF EXISTS refuse_other_proof ON accounts_mailbox;
CREATE TRIGGER refuse_other_proof BEFORE UPDATE ON accounts_mailbox
    FOR EACH ROW WHEN (OLD.proved_at IS NOT NULL AND NEW.proved_at IS DISTINCT FROM OLD.proved_at)
    EXECUTE FUNCTION ledger_refuse();
