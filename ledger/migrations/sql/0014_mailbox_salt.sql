-- The salt of the mailboxes stays: with another one no mailbox would be found any more.
DROP TRIGGER IF EXISTS refuse_change ON accounts_mailboxsalt;
CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE ON accounts_mailboxsalt
    FOR EACH ROW EXECUTE FUNCTION ledger_refuse();
DROP TRIGGER IF EXISTS refuse_truncate ON accounts_mailboxsalt;
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON accounts_mailboxsalt
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();
