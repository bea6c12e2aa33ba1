-- Every change of a table's row counts its version, whoever makes the change and however.
CREATE OR REPLACE FUNCTION games_table_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.version := OLD.version + 1;
    RETURN NEW;
END
$$;
CREATE OR REPLACE TRIGGER games_table_version
    BEFORE UPDATE ON games_table
    FOR EACH ROW EXECUTE FUNCTION games_table_counts();
