-- What the journal of a tournament says has happened: every result has its match or its director, every withdrawal its
-- entry, every draw its secret and parts. Guards refuse other events, and the audit (T1) asks the same function.

-- Whether this person directs the tournament now: a founder, or a director of its club, where nothing has a value.
CREATE OR REPLACE FUNCTION tournaments_directs(p_tournament uuid, p_person bigint) RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM tournaments_tournament t WHERE t.id = p_tournament AND t.fee_cents = 0
          AND (t.founder_id = p_person OR EXISTS (
              SELECT FROM tournaments_membership m
              WHERE m.club_id = t.club_id AND m.user_id = p_person AND m.standing = 'director')))
$$;

-- The seat that won a match, also where it was voided later; NULL without one. Who stood up before the first roll lost.
CREATE OR REPLACE FUNCTION tournaments_seat_won(m games_match) RETURNS int LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE
        WHEN m.ended_at IS NULL THEN NULL
        WHEN m.ending = 'stood_up' THEN (
            SELECT 1 - (e.payload ->> 'seat')::int FROM games_storedevent e
            WHERE e.table_id = m.table_id AND e.type IN ('player_stood_up', 'time_ran_out')
            ORDER BY e.seq DESC LIMIT 1)
        WHEN m.ending = 'voided' THEN (
            SELECT (e.payload ->> 'winner')::int FROM games_storedevent e
            WHERE e.table_id = m.table_id AND e.type = 'match_ended' ORDER BY e.seq DESC LIMIT 1)
        ELSE m.winner_seat END
$$;

-- What is wrong with a result, or NULL.
CREATE OR REPLACE FUNCTION tournaments_result_fault(e tournaments_tournamentevent) RETURNS text LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_meeting tournaments_meeting;
    v_match games_match;
    v_winner bigint := (e.payload ->> 'winner')::bigint;
    v_how text := coalesce(e.payload ->> 'how', 'played');
    v_seat int;
BEGIN
    SELECT * INTO v_meeting FROM tournaments_meeting m
    WHERE m.tournament_id = e.tournament_id AND m.number = (e.payload ->> 'number')::int;
    IF v_meeting.id IS NULL OR v_winner NOT IN (v_meeting.player_0_id, v_meeting.player_1_id) THEN
        RETURN 'there is no such pairing';
    END IF;
    IF e.payload ->> 'type' = 'corrected' OR (v_how = 'no_show' AND v_meeting.match_id IS NULL) THEN
        RETURN CASE
            WHEN (SELECT t.fee_cents FROM tournaments_tournament t WHERE t.id = e.tournament_id) > 0
                THEN 'nobody directs where there is a fee'
            WHEN (e.payload ->> 'director')::bigint IN (v_meeting.player_0_id, v_meeting.player_1_id)
                THEN 'nobody decides a match of their own' END;
    ELSIF v_how = 'withdrawn' THEN
        RETURN CASE WHEN NOT EXISTS (
            SELECT FROM tournaments_tournamentevent w
            WHERE w.tournament_id = e.tournament_id AND w.seq < e.seq AND w.payload ->> 'type' = 'withdrew'
              AND (w.payload ->> 'player')::bigint = v_meeting.player_0_id + v_meeting.player_1_id - v_winner)
            THEN 'the loser has not withdrawn' END;
    END IF;
    SELECT * INTO v_match FROM games_match m WHERE m.id = v_meeting.match_id;
    v_seat := tournaments_seat_won(v_match);
    IF v_seat IS NULL OR v_winner <> (CASE v_seat WHEN 0 THEN v_match.player_0_id ELSE v_match.player_1_id END) THEN
        RETURN 'its match says otherwise';
    ELSIF v_match.ending <> 'voided' AND v_how <> (CASE v_match.ending
            WHEN 'stood_up' THEN 'no_show' WHEN 'adjudicated' THEN 'adjudicated' ELSE 'played' END) THEN
        RETURN 'its match ended otherwise';
    END IF;
    RETURN NULL;
END $$;

-- What is wrong with an event of a journal, or NULL.
CREATE OR REPLACE FUNCTION tournaments_event_fault(e tournaments_tournamentevent) RETURNS text LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_tournament tournaments_tournament;
    v_player bigint := (e.payload ->> 'player')::bigint;
    v_fault text;
BEGIN
    SELECT * INTO v_tournament FROM tournaments_tournament t WHERE t.id = e.tournament_id;
    CASE e.payload ->> 'type'
    WHEN 'decided', 'corrected' THEN
        v_fault := tournaments_result_fault(e);
    WHEN 'entered' THEN
        IF NOT EXISTS (SELECT FROM tournaments_entry n
                       WHERE n.tournament_id = e.tournament_id AND n.user_id = v_player) THEN
            v_fault := 'there is no such entry';
        END IF;
    WHEN 'withdrew' THEN
        IF NOT EXISTS (SELECT FROM tournaments_entry n WHERE n.tournament_id = e.tournament_id
                         AND n.user_id = v_player AND num_nonnulls(n.withdrawn_at, n.gave_up_at) > 0) THEN
            v_fault := 'their entry stands';
        END IF;
    WHEN 'drawn' THEN
        IF encode(sha256(convert_to('pasch.tournament.secret/' || v_tournament.secret, 'UTF8')), 'hex')
               <> v_tournament.commitment
           OR e.payload ->> 'seed' IS DISTINCT FROM (
               SELECT encode(sha256(convert_to('pasch.tournament.seed/' || v_tournament.secret || E'\n'
                   || string_agg(n.number || ' ' || n.part, E'\n' ORDER BY n.number), 'UTF8')), 'hex')
               FROM tournaments_entry n WHERE n.tournament_id = e.tournament_id AND n.withdrawn_at IS NULL) THEN
            v_fault := 'the draw does not follow from the secret and the parts';
        END IF;
    WHEN 'called_off' THEN
        IF e.payload ->> 'reason' <> 'too_few' AND v_tournament.fee_cents > 0
           OR e.payload ->> 'reason' = 'too_few' AND (v_tournament.drawn_at IS NOT NULL OR (
               SELECT count(*) FROM tournaments_entry n
               WHERE n.tournament_id = e.tournament_id AND n.withdrawn_at IS NULL)
               >= (v_tournament.terms ->> 'least')::int) THEN
            v_fault := 'nothing calls it off';
        END IF;
    WHEN 'ended' THEN
        IF EXISTS (SELECT FROM tournaments_meeting m
                   WHERE m.tournament_id = e.tournament_id AND m.decided_at IS NULL AND NOT m.undone) THEN
            v_fault := 'a pairing has no result';
        END IF;
    ELSE
        v_fault := NULL;
    END CASE;
    RETURN e.payload ->> 'type' || ' event ' || e.seq || ': ' || v_fault;
END $$;

-- A director's word is taken from who directs at that moment. Ranks are by the rules of today: whoever writes those of
-- before could take any.
CREATE OR REPLACE FUNCTION tournaments_event_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_fault text := tournaments_event_fault(NEW);
    v_by_director boolean := CASE NEW.payload ->> 'type'
        WHEN 'corrected' THEN true
        WHEN 'called_off' THEN NEW.payload ->> 'reason' <> 'too_few'
        WHEN 'decided' THEN NEW.payload ->> 'how' = 'no_show' AND EXISTS (
            SELECT FROM tournaments_meeting m WHERE m.tournament_id = NEW.tournament_id
              AND m.number = (NEW.payload ->> 'number')::int AND m.match_id IS NULL)
        ELSE false END;
BEGIN
    IF v_fault IS NULL AND v_by_director
       AND NOT tournaments_directs(NEW.tournament_id, (NEW.payload ->> 'director')::bigint) THEN
        v_fault := 'nobody who directs it has said so';
    END IF;
    IF NEW.payload ->> 'type' = 'ended' AND NEW.payload ->> 'version' IS DISTINCT FROM '2' THEN
        v_fault := 'its ranks are by other rules';
    END IF;
    IF v_fault IS NOT NULL THEN
        RAISE EXCEPTION 'tournament %: %', NEW.tournament_id, v_fault USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS event_guard ON tournaments_tournamentevent;
CREATE CONSTRAINT TRIGGER event_guard AFTER INSERT ON tournaments_tournamentevent
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tournaments_event_guard();

-- A meeting follows from its pairing and its result in the journal. Its match was arranged for it after the call, and its
-- players have the time of tournaments/services/running.py to come.
CREATE OR REPLACE FUNCTION tournaments_meeting_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE v_fault text;
BEGIN
    SELECT CASE
        WHEN NOT EXISTS (
            SELECT FROM tournaments_tournamentevent e WHERE e.tournament_id = m.tournament_id
              AND e.payload ->> 'type' = 'paired' AND (e.payload ->> 'number')::int = m.number
              AND e.payload ->> 'place' = m.place
              AND e.payload -> 'players' @> jsonb_build_array(m.player_0_id, m.player_1_id)) THEN 'is not paired'
        WHEN (m.decided_at IS NOT NULL) <> EXISTS (
            SELECT FROM tournaments_tournamentevent e WHERE e.tournament_id = m.tournament_id
              AND e.payload ->> 'type' = 'decided' AND (e.payload ->> 'number')::int = m.number)
            THEN 'has another result than its journal'
        WHEN m.undone <> EXISTS (
            SELECT FROM tournaments_tournamentevent e WHERE e.tournament_id = m.tournament_id
              AND e.payload ->> 'type' = 'corrected' AND e.payload -> 'undone' @> to_jsonb(m.number))
            THEN 'is undone in one of row and journal'
        WHEN m.due_at < m.called_at + interval '5 minutes' THEN 'is due before its players have had their time'
        WHEN m.match_id IS NOT NULL AND NOT EXISTS (
            SELECT FROM games_match x JOIN games_table t ON t.id = x.table_id
            WHERE x.id = m.match_id AND t.id = m.table_id AND t.arranged AND x.started_at >= m.called_at
              AND (x.player_0_id, x.player_1_id) = (m.player_0_id, m.player_1_id))
            THEN 'has a match that was not arranged for it' END
    INTO v_fault FROM tournaments_meeting m WHERE m.id = NEW.id;
    IF v_fault IS NOT NULL THEN
        RAISE EXCEPTION 'meeting % of tournament % %', NEW.number, NEW.tournament_id, v_fault
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS meeting_guard ON tournaments_meeting;
CREATE CONSTRAINT TRIGGER meeting_guard AFTER INSERT OR UPDATE OF number, place, player_0_id, player_1_id, table_id,
    match_id, called_at, due_at, decided_at, undone ON tournaments_meeting
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tournaments_meeting_guard();

-- A pairing has its match until that ended without a winner.
CREATE OR REPLACE FUNCTION tournaments_meeting_keeps() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF (NEW.id, NEW.tournament_id, NEW.number, NEW.place) IS DISTINCT FROM (OLD.id, OLD.tournament_id, OLD.number, OLD.place)
       OR OLD.decided_at IS NOT NULL OR (NEW.match_id IS NOT NULL OR tournaments_seat_won(
           (SELECT m FROM games_match m WHERE m.id = OLD.match_id AND m.ended_at IS NOT NULL)) IS NOT NULL
           OR EXISTS (SELECT FROM games_match m WHERE m.id = OLD.match_id AND m.ended_at IS NULL)) THEN
        RAISE EXCEPTION 'meeting % keeps its match', OLD.number USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER meeting_keeps BEFORE UPDATE ON tournaments_meeting FOR EACH ROW
    WHEN (OLD.match_id IS NOT NULL AND NEW.match_id IS DISTINCT FROM OLD.match_id
          OR OLD.tournament_id <> NEW.tournament_id OR OLD.number <> NEW.number OR OLD.place <> NEW.place)
    EXECUTE FUNCTION tournaments_meeting_keeps();

-- Places are those of the final ranks.
CREATE OR REPLACE FUNCTION tournaments_places_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM (
            SELECT g.ranks, 1 + coalesce(sum(jsonb_array_length(g.ranks)) OVER (
                       ORDER BY g.at ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS first
            FROM tournaments_tournamentevent e
            CROSS JOIN LATERAL jsonb_array_elements(e.payload -> 'ranks') WITH ORDINALITY g(ranks, at)
            WHERE e.tournament_id = NEW.tournament_id AND e.payload ->> 'type' = 'ended') places
        WHERE ranks @> to_jsonb(NEW.user_id) AND first = NEW.first_place
          AND first + jsonb_array_length(ranks) - 1 = NEW.last_place) THEN
        RAISE EXCEPTION 'entry % has another place than the journal says', NEW.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS places_guard ON tournaments_entry;
CREATE CONSTRAINT TRIGGER places_guard AFTER INSERT OR UPDATE ON tournaments_entry
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.first_place IS NOT NULL OR NEW.last_place IS NOT NULL OR NEW.prize_cents IS NOT NULL)
    EXECUTE FUNCTION tournaments_places_guard();

-- The books seal every event of a tournament (ledger/migrations/sql/seals.sql).

SELECT seal_stream('tournament', 'tournaments_tournamentevent', 'id', 'stored_at');
CREATE OR REPLACE FUNCTION stream_tournament_texts(p_from bigint, p_to bigint) RETURNS TABLE (id bigint, text text)
LANGUAGE sql STABLE AS $$
    SELECT e.id, jsonb_build_array('pasch.tournament.1', e.id, e.tournament_id, e.seq, e.payload,
        public.ledger_micros(e.stored_at))::text
    FROM public.tournaments_tournamentevent e WHERE e.id > p_from AND e.id <= p_to
$$;
