-- Tournaments: what was agreed stays, the journal only grows, and every transfer has an entry or an end behind it.

SELECT journal_stays('tournaments_tournamentevent', 'tournament_id');
SELECT rows_stay('tournaments_tournament', 'DELETE');
SELECT rows_stay('tournaments_entry', 'DELETE');
SELECT rows_stay('tournaments_meeting', 'DELETE');

-- The terms stay, the phase moves on, the rake is set once, and credits are added once, before the draw. The name goes
-- and comes back as a moderator's decision says.
CREATE OR REPLACE FUNCTION tournaments_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF (NEW.id, NEW.founder_id, NEW.club_id, NEW.members_only, NEW.offer, NEW.terms, NEW.table_terms, NEW.fee_cents, NEW.rake_bps,
        NEW.shares_bps, NEW.sides_bps, NEW.satellite_of_id, NEW.starts_at, NEW.commitment, NEW.hidden_secret, NEW.created_at)
       IS DISTINCT FROM
       (OLD.id, OLD.founder_id, OLD.club_id, OLD.members_only, OLD.offer, OLD.terms, OLD.table_terms, OLD.fee_cents, OLD.rake_bps,
        OLD.shares_bps, OLD.sides_bps, OLD.satellite_of_id, OLD.starts_at, OLD.commitment, OLD.hidden_secret, OLD.created_at)
       OR (NEW.name <> OLD.name AND NOT EXISTS (
           SELECT FROM tournaments_wordsremoval r
           WHERE r.tournament_id = OLD.id AND r.name = OLD.name || NEW.name AND '' IN (OLD.name, NEW.name)
             AND (NEW.name = '') = (r.given_back_at IS NULL)))
       OR (NEW.secret <> OLD.secret AND NOT (OLD.secret = '' AND OLD.drawn_at IS NULL AND NEW.commitment =
           encode(sha256(convert_to('pasch.tournament.secret/' || NEW.secret, 'UTF8')), 'hex')))
       OR (OLD.drawn_at IS NOT NULL AND NEW.drawn_at IS DISTINCT FROM OLD.drawn_at)
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
CREATE OR REPLACE TRIGGER tournament_guard BEFORE UPDATE ON tournaments_tournament
    FOR EACH ROW EXECUTE FUNCTION tournaments_guard();

-- An entry stays as it was made; its end is written once. Who won a seat may give a part once before the draw.
CREATE OR REPLACE FUNCTION tournaments_entry_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF (NEW.id, NEW.tournament_id, NEW.user_id, NEW.number, NEW.won_in_id, NEW.entered_at)
       IS DISTINCT FROM (OLD.id, OLD.tournament_id, OLD.user_id, OLD.number, OLD.won_in_id, OLD.entered_at)
       OR ((NEW.part, NEW.part_given_at) IS DISTINCT FROM (OLD.part, OLD.part_given_at)
           AND NOT (OLD.won_in_id IS NOT NULL AND OLD.part_given_at IS NULL AND NEW.part_given_at IS NOT NULL
                    AND EXISTS (SELECT FROM tournaments_tournament x
                                WHERE x.id = OLD.tournament_id AND x.phase = 'registering')))
       OR (OLD.withdrawn_at IS NOT NULL AND NEW IS DISTINCT FROM OLD)
       OR (OLD.prize_cents IS NOT NULL AND NEW IS DISTINCT FROM OLD) THEN
        RAISE EXCEPTION 'entry %: it stays as it was made, and its end is written once', OLD.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER entry_guard BEFORE UPDATE ON tournaments_entry
    FOR EACH ROW EXECUTE FUNCTION tournaments_entry_guard();

-- A seat is won in a satellite of this tournament that is over, by a prize that pays for it.
CREATE OR REPLACE FUNCTION tournaments_seat_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NEW.part_given_at IS NOT NULL OR NOT EXISTS (
        SELECT FROM tournaments_tournament x
        JOIN tournaments_tournament s ON s.id = NEW.won_in_id AND s.satellite_of_id = x.id AND s.phase = 'over'
        JOIN tournaments_entry n ON n.tournament_id = s.id AND n.user_id = NEW.user_id AND n.withdrawn_at IS NULL
        WHERE x.id = NEW.tournament_id AND n.prize_cents >= x.fee_cents) THEN
        RAISE EXCEPTION 'entry % of tournament %: nobody won this seat', NEW.number, NEW.tournament_id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER seat_guard BEFORE INSERT ON tournaments_entry
    FOR EACH ROW WHEN (NEW.won_in_id IS NOT NULL OR NEW.part_given_at IS NOT NULL)
    EXECUTE FUNCTION tournaments_seat_guard();

-- Whether credits were added by one person who may do so alone, or by two, as journal and proposal say.
CREATE OR REPLACE FUNCTION tournaments_added(t ledger_transfer, p_cents bigint) RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM ledger_journalentry j
        WHERE j.verb = 'tournament.add' AND j.subject = t.reference
          AND j.actor_id = coalesce(t.approver_id, t.actor_id) AND (j.after ->> 'added_cents')::bigint = p_cents
          AND CASE WHEN t.approver_id IS NULL THEN (j.after ->> 'alone_cents')::bigint = p_cents
              ELSE EXISTS (
                  SELECT FROM ledger_proposal p
                  WHERE p.id = (j.after ->> 'proposal')::bigint AND p.kind = 'tournament.add'
                    AND p.subject = t.reference AND p.state = 'done' AND p.proposed_by_id = t.actor_id
                    AND p.decided_by_id = t.approver_id AND (p.content ->> 'added_cents')::bigint = p_cents)
              END)
$$;

-- What is missing behind a transfer of a tournament, or NULL where its rows say the same.
CREATE OR REPLACE FUNCTION tournaments_unjustified(t ledger_transfer) RETURNS text LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    v_tournament tournaments_tournament;
    v_entry tournaments_entry;
    v_number text := substring(t.key FROM ':(?:enter|leave):([0-9]{1,6})$');
    v_faults text;
BEGIN
    IF t.reference !~ '^tournament:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN
        RETURN 'names no tournament';
    END IF;
    SELECT * INTO v_tournament FROM tournaments_tournament x WHERE x.id = substr(t.reference, 12)::uuid;
    IF v_tournament.id IS NULL THEN
        RETURN 'there is no such tournament';
    END IF;
    IF t.kind IN ('stake', 'withdraw') THEN
        IF t.key IS DISTINCT FROM
           t.reference || (CASE t.kind WHEN 'stake' THEN ':enter:' ELSE ':leave:' END) || v_number THEN
            RETURN 'its key names no entry';
        END IF;
        SELECT * INTO v_entry FROM tournaments_entry n
        WHERE n.tournament_id = v_tournament.id AND n.number = v_number::int;
        IF v_entry.id IS NULL OR (t.kind = 'withdraw' AND v_entry.withdrawn_at IS NULL) THEN
            RETURN 'there is no such entry';
        END IF;
    ELSIF t.kind = 'add' THEN
        IF t.key <> t.reference || ':add' OR NOT tournaments_added(t, v_tournament.added_cents) THEN
            RETURN 'nobody who may has added credits';
        END IF;
    ELSIF t.kind NOT IN ('result', 'void') THEN
        RETURN 'no tournament is decided like that';
    ELSIF t.kind = 'result' AND v_tournament.phase <> 'over'
          OR t.kind = 'void' AND v_tournament.phase <> 'called_off' THEN
        RETURN 'the tournament is ' || v_tournament.phase;
    END IF;
    SELECT string_agg(key || ' ' || coalesce(booked.cents, 0) || ', not ' || coalesce(wanted.cents, 0), '; ')
    INTO v_faults
    FROM (SELECT a.key, e.amount_cents AS cents
          FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id WHERE e.transfer_id = t.id) booked
    FULL JOIN (
        SELECT w.key, sum(w.cents)::bigint AS cents FROM (
            SELECT 'wallet:' || v_entry.user_id AS key,
                   CASE t.kind WHEN 'stake' THEN -v_tournament.fee_cents ELSE v_tournament.fee_cents END AS cents
            WHERE v_entry.id IS NOT NULL
            UNION ALL
            SELECT 'escrow:' || t.reference,
                   CASE t.kind WHEN 'stake' THEN v_tournament.fee_cents ELSE -v_tournament.fee_cents END
            WHERE v_entry.id IS NOT NULL
            UNION ALL
            SELECT x.key, x.cents FROM tournaments_entry n CROSS JOIN LATERAL (VALUES
                ('wallet:' || n.user_id,
                 CASE t.kind WHEN 'void' THEN v_tournament.fee_cents ELSE coalesce(n.prize_cents, 0) END),
                ('escrow:' || t.reference, -v_tournament.fee_cents)) x(key, cents)
            WHERE t.kind IN ('result', 'void') AND n.tournament_id = v_tournament.id AND n.withdrawn_at IS NULL
            UNION ALL
            SELECT 'house_rake', coalesce(v_tournament.rake_cents, 0) WHERE t.kind IN ('result', 'void')
            UNION ALL
            SELECT 'promo_issue:tournaments', CASE t.kind WHEN 'add' THEN -1 ELSE 1 END * v_tournament.added_cents
            WHERE t.kind IN ('add', 'void')
            UNION ALL
            SELECT 'escrow:' || t.reference, CASE t.kind WHEN 'add' THEN 1 ELSE -1 END * v_tournament.added_cents
            WHERE t.kind IN ('add', 'result', 'void')
        ) w GROUP BY w.key) wanted USING (key)
    WHERE coalesce(booked.cents, 0) <> coalesce(wanted.cents, 0);
    RETURN 'moves otherwise than the tournament: ' || v_faults;
END $$;

DROP TRIGGER IF EXISTS tournament_transfer_justified ON ledger_transfer;
CREATE CONSTRAINT TRIGGER tournament_transfer_justified AFTER INSERT ON ledger_transfer
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.reference LIKE 'tournament:%')
    EXECUTE FUNCTION ledger_transfer_justified('tournaments_unjustified');

-- What a winner won of somebody who won less: an equal part of each of them (tournaments/services/gains.py). Asked by
-- fairplay/migrations/sql/guards.sql.
CREATE OR REPLACE FUNCTION gained_from_tournament(p_key text, p_taker bigint, p_giver bigint) RETURNS bigint
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    WITH entered AS (SELECT n.user_id, coalesce(n.prize_cents, 0) AS cents FROM tournaments_entry n
                     WHERE n.tournament_id = p_key::uuid AND n.withdrawn_at IS NULL)
    SELECT ceil((w.cents - t.fee_cents)::numeric / (SELECT count(*) FROM entered o WHERE o.cents < w.cents))::bigint
    FROM tournaments_tournament t JOIN entered w ON w.user_id = p_taker
    JOIN entered g ON g.user_id = p_giver AND g.cents < w.cents
    WHERE t.id = p_key::uuid
$$;

-- Every version of a tournament, its entries and its meetings is logged (ledger/migrations/sql/watched.sql). The number of the
-- last event and when something is due are left to the journal.
SELECT change_watch('tournaments_tournament', 'id', ARRAY['id', 'name', 'founder_id', 'club_id', 'members_only', 'offer',
    'terms', 'table_terms', 'fee_cents', 'rake_bps', 'shares_bps', 'sides_bps', 'satellite_of_id', 'starts_at',
    'commitment', 'secret', 'drawn_at', 'added_cents', 'rake_cents', 'cleared_at', 'phase', 'created_at', 'ended_at']);
SELECT change_watch('tournaments_entry', 'id');
SELECT change_watch('tournaments_meeting', 'id');

-- A pairing is called again after a match without a winner; no call was earlier than it was.
CREATE OR REPLACE TRIGGER call_moves_on BEFORE UPDATE ON tournaments_meeting FOR EACH ROW
    WHEN (NEW.called_at < OLD.called_at) EXECUTE FUNCTION kit_refuse();
