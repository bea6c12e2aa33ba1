-- The terms stay, the phase moves on, the rake is set once, and credits are added once, before the draw. The name goes
-- and comes back as a moderator's decision says.
CREATE OR REPLACE FUNCTION tournaments_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF (NEW.id, NEW.founder_id, NEW.club_id, NEW.members_only, NEW.offer, NEW.terms, NEW.table_terms, NEW.fee_cents, NEW.rake_bps,
        NEW.shares_bps, NEW.sides_bps, NEW.satellite_of_id, NEW.starts_at, NEW.commitment, NEW.secret, NEW.created_at)
       IS DISTINCT FROM
       (OLD.id, OLD.founder_id, OLD.club_id, OLD.members_only, OLD.offer, OLD.terms, OLD.table_terms, OLD.fee_cents, OLD.rake_bps,
        OLD.shares_bps, OLD.sides_bps, OLD.satellite_of_id, OLD.starts_at, OLD.commitment, OLD.secret, OLD.created_at)
       OR (NEW.name <> OLD.name AND NOT EXISTS (
           SELECT FROM tournaments_tournamentremoval r
           WHERE r.tournament_id = OLD.id AND r.name = OLD.name || NEW.name AND '' IN (OLD.name, NEW.name)
             AND (NEW.name = '') = (r.given_back_at IS NULL)))
       OR NEW.seq < OLD.seq
       OR (NEW.added_cents <> OLD.added_cents
           AND NOT (OLD.added_cents = 0 AND OLD.phase = 'registering' AND NEW.phase = 'registering'))
       OR (OLD.rake_cents IS NOT NULL AND NEW.rake_cents IS DISTINCT FROM OLD.rake_cents)
       OR (OLD.cleared_at IS NOT NULL AND NEW.cleared_at IS DISTINCT FROM OLD.cleared_at)
       OR (NEW.phase <> OLD.phase AND NOT (OLD.phase || ' ' || NEW.phase = ANY (ARRAY[
           'registering running', 'registering called_off', 'running over', 'running called_off']))) THEN
        RAISE EXCEPTION 'tournament %: what was agreed stays', OLD.id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
