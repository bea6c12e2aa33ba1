-- What stands behind outages, and behind decisions about talk (ledger/migrations/sql/guarding.sql).

-- The application says only that a part of the house is alive, now and not before; an outage is the silence between
-- two heartbeats, and written here alone. Who owns the database may set a heartbeat.
CREATE OR REPLACE FUNCTION games_beat_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE') THEN
        RETURN coalesce(NEW, OLD);
    END IF;
    IF TG_OP = 'DELETE' OR NEW.beat_at > clock_timestamp() + interval '1 second' OR (TG_OP = 'UPDATE' AND (
        NEW.role <> OLD.role OR NEW.role IN ('web', 'sweep') AND NEW.beat_at < OLD.beat_at)) THEN
        RAISE EXCEPTION 'a heartbeat of % is of now', coalesce(OLD.role, NEW.role)
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER beat_guard BEFORE INSERT OR UPDATE OR DELETE ON games_heartbeat
    FOR EACH ROW EXECUTE FUNCTION games_beat_guard();

CREATE OR REPLACE FUNCTION games_silence_noted() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    INSERT INTO games_outage (role, began_at, ended_at) VALUES (NEW.role, OLD.beat_at, NEW.beat_at)
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION games_silence_noted() FROM PUBLIC;
CREATE OR REPLACE TRIGGER silence_noted AFTER UPDATE ON games_heartbeat FOR EACH ROW
    WHEN (NEW.role IN ('web', 'sweep') AND NEW.beat_at > OLD.beat_at + interval '10 seconds')
    EXECUTE FUNCTION games_silence_noted();
SELECT change_watch('games_outage', 'id');

-- A running table that lacks the time of an outage (games/services/outages.py), or NULL.
CREATE OR REPLACE FUNCTION games_outage_owed(o games_outage) RETURNS uuid LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT t.id FROM games_deadline d JOIN games_table t ON t.id = d.table_id
    WHERE t.created_at < o.ended_at
      AND t.phase IN ('roll_off', 'roll', 'name_double', 'play', 'double_offered', 'resignation_offered', 'rolling',
                      'between_games')
      AND coalesce((t.state ->> 'credited_until_ms')::bigint, 0) < floor(extract(epoch FROM o.ended_at) * 1000)
    LIMIT 1
$$;
-- An outage is over, once and now, when no table lacks its time.
CREATE OR REPLACE FUNCTION games_outage_given() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF OLD.credited_at IS NOT NULL OR NEW.credited_at > clock_timestamp() + interval '1 second'
       OR games_outage_owed(OLD) IS NOT NULL THEN
        RAISE EXCEPTION 'the time of outage % is not given back to every table', OLD.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER outage_given BEFORE UPDATE ON games_outage FOR EACH ROW
    WHEN (NEW.credited_at IS DISTINCT FROM OLD.credited_at) EXECUTE FUNCTION games_outage_given();

-- A report of words is answered by somebody who may and whom it does not concern, as the journal says: one of talk by
-- itself, those of a club or a tournament together.
CREATE OR REPLACE FUNCTION reason_games_wordsreport(p_was jsonb, p_now jsonb, p_at timestamptz) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE
        WHEN p_was IS NULL THEN CASE
            WHEN p_now ->> 'outcome' <> '' THEN 'begins with its answer'
            WHEN EXISTS (SELECT FROM games_chatmessage m WHERE m.id = (p_now ->> 'message_id')::bigint
                         AND to_jsonb(m.author_id) <> p_now -> 'author_id') THEN 'is about words of somebody else' END
        WHEN p_was -> 'outcome' = p_now -> 'outcome' THEN NULL
        WHEN p_now -> 'closed_by_id' IN (p_now -> 'author_id', p_now -> 'reporter_id')
             OR NOT person_could((p_now ->> 'closed_by_id')::bigint, 'games.decide_wordsreport', p_at)
            THEN 'is answered by somebody who may not'
        WHEN NOT journal_says((p_now ->> 'closed_by_id')::bigint,
                              CASE kind WHEN 'talk' THEN 'report.close' ELSE kind || '.words' END,
                              CASE kind WHEN 'talk' THEN 'report:' || (p_now ->> 'id') ELSE p_now ->> 'subject' END,
                              jsonb_build_object('outcome', p_now -> 'outcome'), p_at)
            THEN 'is answered, and not in the journal' END
    FROM (SELECT p_now ->> 'kind') k (kind)
$$;
CREATE OR REPLACE FUNCTION owed_report_close(p_entry ledger_journalentry) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT 'the complaint has no such answer' WHERE NOT EXISTS (
        SELECT FROM games_wordsreport r LEFT JOIN games_chatmeasure m ON m.report_id = r.id
        WHERE 'report:' || r.id = p_entry.subject AND r.closed_by_id = p_entry.actor_id
          AND r.outcome = p_entry.after ->> 'outcome' AND (m.id IS NULL) = (r.outcome = 'nothing'))
$$;

-- A warning or a silence is what its complaint was answered with.
CREATE OR REPLACE FUNCTION reason_games_chatmeasure(p_was jsonb, p_now jsonb, p_at timestamptz) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT 'is not what its complaint was answered with' WHERE NOT EXISTS (
        SELECT FROM games_wordsreport r
        WHERE r.id = (p_now ->> 'report_id')::bigint AND to_jsonb(r.author_id) = p_now -> 'user_id'
          AND CASE WHEN p_now ->> 'until' IS NULL THEN r.outcome = 'warn' ELSE
              abs(extract(epoch FROM (p_now ->> 'until')::timestamptz - r.closed_at
                  - make_interval(days => substring(r.outcome FROM '^silence_(\d+)$')::int))) < 60 END)
$$;

-- What was said stays in the row alone; the log keeps who, about whom, where and how it was answered.
SELECT row_guard('games_wordsreport', 'id',
    '{"message_id": "free", "outcome": "later", "closed_at": "later", "closed_by_id": "later"}',
    ARRAY['id', 'kind', 'subject', 'message_id', 'author_id', 'reporter_id', 'reason', 'said_at', 'made_at', 'outcome',
          'closed_at', 'closed_by_id']);
SELECT row_guard('games_chatmeasure', 'id');
