-- Packs: all events of a table that has been closed for a while, in one compressed row (docs/growth.md). A pack
-- holds nothing else, and all of it is in the canonical texts that the books seal (streams.sql). It is text and not
-- jsonb, which takes a fifth more; PostgreSQL compresses it, so the database itself can compare it with the rows.

-- The canonical text of an event; its first element names this encoding.
CREATE OR REPLACE FUNCTION games_event_text(p_id bigint, p_table uuid, p_seq bigint, p_type text, p_payload jsonb,
                                 p_stored_at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT jsonb_build_array('pasch.event.1', p_id, p_table, p_seq, p_type, p_payload,
        public.ledger_micros(p_stored_at))::text
$$;

-- What a pack holds, as it stood in rows: an array with [id, microseconds since 1970, payload] for each event, by seq.
CREATE OR REPLACE FUNCTION games_events_in(p_events text)
RETURNS TABLE (id bigint, seq bigint, type varchar, payload jsonb, stored_at timestamptz)
LANGUAGE sql STABLE ROWS 100 AS $$
    SELECT (event ->> 0)::bigint, seq, (event -> 2 ->> 'type')::varchar, event -> 2,
           'epoch'::timestamptz + (event ->> 1)::bigint * interval '1 microsecond'
    FROM jsonb_array_elements(p_events::jsonb) WITH ORDINALITY AS e(event, seq)
$$;

-- The pack of the events that stand in rows; no row without any.
CREATE OR REPLACE FUNCTION games_pack_of(p_table uuid, OUT first_id bigint, OUT last_id bigint, OUT events text)
RETURNS SETOF record LANGUAGE sql STABLE AS $$
    SELECT min(e.id), max(e.id),
           jsonb_agg(jsonb_build_array(e.id, public.ledger_micros(e.stored_at), e.payload) ORDER BY e.seq)::text
    FROM public.games_tableevent e WHERE e.table_id = p_table HAVING count(*) > 0
$$;

-- All events, in rows and in packs. Name the table: a query without it unpacks the whole house.
CREATE OR REPLACE VIEW games_storedevent AS
SELECT e.id, e.table_id, e.seq, e.type, e.payload, e.stored_at FROM games_tableevent e
UNION ALL
SELECT e.id, p.table_id, e.seq, e.type, e.payload, e.stored_at
FROM games_eventpack p CROSS JOIN LATERAL games_events_in(p.events) e;

-- Finds the packs of a seal, so the ids are those of the events, whoever writes them.
ALTER TABLE games_eventpack DROP CONSTRAINT IF EXISTS pack_has_its_ids,
    ADD CONSTRAINT pack_has_its_ids CHECK (
    first_id = (events::jsonb -> 0 ->> 0)::bigint AND last_id = (events::jsonb -> -1 ->> 0)::bigint);
CREATE INDEX IF NOT EXISTS event_pack_ids ON games_eventpack USING gist (int8range(first_id, last_id, '[]'));

-- Why the events of a table cannot be packed; NULL if they can.
CREATE OR REPLACE FUNCTION games_packing_waits(p_table uuid) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE
        WHEN t.id IS NULL THEN 'there is no such table'
        WHEN t.phase <> 'closed' THEN 'it is not closed'
        WHEN EXISTS (SELECT FROM games_match m WHERE m.table_id = p_table AND m.ended_at IS NULL)
            THEN 'a match has not ended'
        WHEN EXISTS (SELECT FROM games_match m JOIN ledger_proposal p ON p.subject = 'match:' || m.id
                     WHERE m.table_id = p_table AND p.state = 'waiting')
            THEN 'a decision about a match waits'
        WHEN (SELECT count(*) FROM games_tableevent e WHERE e.table_id = p_table) <> t.seq
            THEN 'not all of its events are there'
        WHEN (SELECT max(e.id) FROM games_tableevent e WHERE e.table_id = p_table)
             > coalesce((SELECT s.to_id FROM ledger_seal s WHERE s.stream = 'event'
                         ORDER BY s.number DESC LIMIT 1), 0)
            THEN 'not all of its events are sealed'
        END
    FROM (SELECT p_table AS wanted) w LEFT JOIN games_table t ON t.id = w.wanted
$$;

-- Packs the events of one table that nobody holds and that was closed before this moment; whether it did. The
-- guards below decide about every row that comes and goes, whoever writes it.
CREATE OR REPLACE FUNCTION games_table_pack(p_table uuid, p_closed_before timestamptz) RETURNS boolean LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_fault text;
BEGIN
    PERFORM FROM games_table t WHERE t.id = p_table FOR NO KEY UPDATE SKIP LOCKED;
    IF NOT FOUND AND EXISTS (SELECT FROM games_table t WHERE t.id = p_table)
       OR EXISTS (SELECT FROM games_eventpack p WHERE p.table_id = p_table) THEN
        RETURN false;  -- another one is at it, or was
    END IF;
    v_fault := coalesce(games_packing_waits(p_table), (
        SELECT 'it was not closed before ' || p_closed_before FROM games_table t
        WHERE t.id = p_table AND t.changed_at >= p_closed_before));
    IF v_fault IS NOT NULL THEN
        RAISE EXCEPTION 'table % is not packed: %', p_table, v_fault USING ERRCODE = 'restrict_violation';
    END IF;
    INSERT INTO games_eventpack (table_id, first_id, last_id, events)
    SELECT p_table, made.first_id, made.last_id, made.events FROM games_pack_of(p_table) made;
    DELETE FROM games_tableevent e WHERE e.table_id = p_table;
    RETURN true;
END $$;

-- A pack is exactly what stands in the rows of its table at that moment, and nothing is open there.
CREATE OR REPLACE FUNCTION games_pack_is_of_its_rows() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_fault text := games_packing_waits(NEW.table_id);
BEGIN
    IF v_fault IS NULL AND (NEW.first_id, NEW.last_id, NEW.events)
       IS DISTINCT FROM (SELECT (made.first_id, made.last_id, made.events) FROM games_pack_of(NEW.table_id) made) THEN
        v_fault := 'its pack differs from its events';
    END IF;
    IF v_fault IS NOT NULL THEN
        RAISE EXCEPTION 'table % is not packed: %', NEW.table_id, v_fault USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER games_pack_is_of_its_rows BEFORE INSERT ON games_eventpack
    FOR EACH ROW EXECUTE FUNCTION games_pack_is_of_its_rows();

-- A row goes only if a pack holds the very same event.
CREATE OR REPLACE FUNCTION games_event_goes_packed() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_event record;
BEGIN
    WITH kept AS MATERIALIZED (  -- each pack is unpacked once
        SELECT p.table_id, e.* FROM (SELECT DISTINCT table_id FROM gone) t JOIN games_eventpack p USING (table_id)
        CROSS JOIN LATERAL games_events_in(p.events) e
    )
    SELECT g.table_id, g.seq INTO v_event
    FROM gone g LEFT JOIN kept k ON k.table_id = g.table_id AND k.seq = g.seq
    WHERE games_event_text(g.id, g.table_id, g.seq, g.type, g.payload, g.stored_at)
          IS DISTINCT FROM games_event_text(k.id, k.table_id, k.seq, k.type, k.payload, k.stored_at)
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'event % of table % is in no pack: events are never deleted', v_event.seq, v_event.table_id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER games_event_goes_packed AFTER DELETE ON games_tableevent
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION games_event_goes_packed();

-- And when the transaction ends, no event is both in a row and in a pack.
CREATE OR REPLACE FUNCTION games_pack_alone() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM games_tableevent e WHERE e.table_id = NEW.table_id AND e.id <= NEW.last_id) THEN
        RAISE EXCEPTION 'events of table % are in its pack and still in rows', NEW.table_id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS games_pack_alone ON games_eventpack;
CREATE CONSTRAINT TRIGGER games_pack_alone AFTER INSERT ON games_eventpack
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION games_pack_alone();

SELECT rows_stay('games_eventpack');
