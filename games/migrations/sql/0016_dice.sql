-- Rolls stay as they were written. They leave their table only for a pack (roll_packs.sql).
CREATE OR REPLACE TRIGGER games_diceroll_rows_stay BEFORE UPDATE ON games_diceroll
    FOR EACH ROW EXECUTE FUNCTION games_refuse_mutation();
