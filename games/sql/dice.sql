-- What fixes the dice of a game stays as it was; rolls and the public log are never changed. Rolls leave their table
-- only for a pack (roll_packs.sql).
CREATE FUNCTION games_dice_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        RAISE EXCEPTION 'the dice of game % cannot be deleted', OLD.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF (NEW.id, NEW.table_id, NEW.match_id, NEW.number, NEW.mode, NEW.terms, NEW.house_tip,
        NEW.house_secret, NEW.made_at)
       IS DISTINCT FROM
       (OLD.id, OLD.table_id, OLD.match_id, OLD.number, OLD.mode, OLD.terms, OLD.house_tip,
        OLD.house_secret, OLD.made_at)
    THEN
        RAISE EXCEPTION 'what fixes the dice of game % cannot be changed', OLD.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD.open_hash IS NOT NULL AND (
        (NEW.open_hash, NEW.signature, NEW.opened_at)
        IS DISTINCT FROM (OLD.open_hash, OLD.signature, OLD.opened_at)
        OR NEW.sides #> '{0,value}' IS DISTINCT FROM OLD.sides #> '{0,value}'
        OR NEW.sides #> '{1,value}' IS DISTINCT FROM OLD.sides #> '{1,value}')
    THEN
        RAISE EXCEPTION 'the dice of game % are open: nothing of that changes', OLD.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.next_roll < OLD.next_roll THEN
        RAISE EXCEPTION 'a roll number of game % would be used twice', OLD.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER games_dice_fixed
    BEFORE UPDATE OR DELETE ON games_gamedice
    FOR EACH ROW EXECUTE FUNCTION games_dice_stay();
CREATE TRIGGER games_dice_table_stays
    BEFORE TRUNCATE ON games_gamedice
    FOR EACH STATEMENT EXECUTE FUNCTION games_refuse_mutation();
CREATE OR REPLACE TRIGGER games_diceroll_rows_stay BEFORE UPDATE ON games_diceroll
    FOR EACH ROW EXECUTE FUNCTION games_refuse_mutation();
CREATE TRIGGER games_diceroll_stays BEFORE TRUNCATE ON games_diceroll
    FOR EACH STATEMENT EXECUTE FUNCTION games_refuse_mutation();
CREATE TRIGGER games_dicelogentry_rows_stay BEFORE UPDATE OR DELETE ON games_dicelogentry
    FOR EACH ROW EXECUTE FUNCTION games_refuse_mutation();
CREATE TRIGGER games_dicelogentry_stays BEFORE TRUNCATE ON games_dicelogentry
    FOR EACH STATEMENT EXECUTE FUNCTION games_refuse_mutation();
