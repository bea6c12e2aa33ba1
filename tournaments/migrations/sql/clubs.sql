-- What stands behind clubs, their members, and decisions about names (ledger/migrations/sql/guarding.sql).

-- The name of a club changes when it was taken away, and when it had none.
CREATE OR REPLACE FUNCTION reason_tournaments_club(p_was jsonb, p_now jsonb, p_at timestamptz) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT 'changes its name, and nobody took it away' WHERE p_was -> 'unnamed' = 'false' AND NOT EXISTS (
        SELECT FROM tournaments_wordsremoval r
        WHERE r.club_id = (p_now ->> 'id')::uuid AND r.name = p_was ->> 'name'
          AND r.taken_at BETWEEN p_at - interval '1 minute' AND p_at + interval '1 minute')
$$;

-- Nobody is in a club at once but its founder, and whoever joins an open one.
CREATE OR REPLACE FUNCTION reason_tournaments_membership(p_was jsonb, p_now jsonb, p_at timestamptz) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE
        WHEN p_now IS NULL THEN NULL
        WHEN p_was ->> 'standing' = 'invited' AND p_now ->> 'standing' = 'director' THEN 'directs before having accepted'
        WHEN p_was IS NULL AND NOT CASE p_now ->> 'standing'
            WHEN 'asked' THEN true
            WHEN 'invited' THEN EXISTS (SELECT FROM tournaments_clubinvitation i
                WHERE i.club_id = c.id AND i.person_id = (p_now ->> 'user_id')::bigint)
            WHEN 'member' THEN c.is_open
            ELSE to_jsonb(c.founder_id) = p_now -> 'user_id'
                AND c.founded_at BETWEEN p_at - interval '1 minute' AND p_at + interval '1 minute' END
            THEN 'names no invitation, and no club that is open or just founded' END
    FROM tournaments_club c WHERE c.id = (coalesce(p_now, p_was) ->> 'club_id')::uuid
$$;

-- What was taken away, and what was given back, is what a moderator decided in the journal.
CREATE OR REPLACE FUNCTION reason_tournaments_wordsremoval(p_was jsonb, p_now jsonb, p_at timestamptz) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE
        WHEN p_was IS NULL AND NOT (
            person_could((p_now ->> 'taken_by_id')::bigint, 'games.decide_wordsreport', p_at)
            AND journal_says((p_now ->> 'taken_by_id')::bigint, kind || '.words', subject, '{}', p_at))
            THEN 'is nothing that a moderator decided in the journal'
        WHEN p_was IS NOT NULL AND NOT journal_says(NULL, kind || '.restore', subject, '{}', p_at)
            THEN 'is given back, and not in the journal' END
    FROM (SELECT CASE WHEN p_now ->> 'club_id' IS NULL THEN 'tournament' ELSE 'club' END) k (kind),
        LATERAL (SELECT kind || ':' || (p_now ->> (kind || '_id'))) s (subject)
$$;

SELECT row_guard('tournaments_club', 'id', '{"name": "free", "about": "free", "unnamed": "free"}',
    ARRAY['id', 'name', 'is_open', 'founder_id', 'founded_at', 'unnamed']);
SELECT row_guard('tournaments_membership', 'id', '{"*": "goes", "standing": "free"}');
SELECT row_guard('tournaments_clubinvitation', 'id', '{"refused_at": "free"}');
SELECT row_guard('tournaments_wordsremoval', 'id', '{"given_back_at": "later"}');
