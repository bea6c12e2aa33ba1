-- What stands behind the rows of cases (ledger/migrations/sql/guarding.sql).

-- An opinion is the word of somebody who had the right, and stands in the journal as theirs. In an open case it is set
-- aside (number 0) by the reviewer who replaces it.
CREATE OR REPLACE FUNCTION reason_fairplay_opinion(p_was jsonb, p_now jsonb, p_at timestamptz) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_reviewer bigint := (p_now ->> 'reviewer_id')::bigint;
    v_case bigint := (p_now ->> 'case_id')::bigint;
BEGIN
    IF p_was IS NOT NULL THEN
        RETURN 'is set aside by nobody who replaced it' WHERE p_now ->> 'number' IS DISTINCT FROM '0' OR NOT EXISTS (
            SELECT FROM fairplay_opinion o
            WHERE o.case_id = v_case AND o.reviewer_id <> v_reviewer AND o.made_at > (p_now ->> 'made_at')::timestamptz
              AND o.made_at BETWEEN p_at - interval '1 minute' AND p_at + interval '1 minute'
              AND journal_says(o.reviewer_id, 'case.set_aside', 'case:' || v_case,
                               jsonb_build_object('opinion', p_now -> 'id'), p_at))
            OR NOT EXISTS (SELECT FROM fairplay_stood(v_case, p_at) c WHERE c.state = 'open');
    END IF;
    RETURN CASE
        WHEN p_now ->> 'number' = '0' THEN 'never counted'
        WHEN NOT person_could(v_reviewer, 'fairplay.decide_case', p_at)
            THEN 'user ' || v_reviewer || ' had no right to decide cases'
        WHEN EXISTS (SELECT FROM fairplay_case c WHERE c.id = v_case AND c.opened_by_id = v_reviewer)
            THEN 'user ' || v_reviewer || ' opened the case'
        WHEN NOT journal_says(v_reviewer, CASE p_now ->> 'number' WHEN '3' THEN 'case.hear' ELSE 'case.opinion' END,
                'case:' || v_case, jsonb_build_object('opinion', p_now -> 'id'), p_at)
            THEN 'user ' || v_reviewer || ' did not give it in the journal' END;
END $$;

-- What the journal says of opinions.
CREATE OR REPLACE FUNCTION owed_case_opinion(p_entry ledger_journalentry) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT 'there is no such opinion' WHERE NOT EXISTS (
        SELECT FROM fairplay_opinion o
        WHERE o.id = (p_entry.after ->> 'opinion')::bigint AND o.reviewer_id = p_entry.actor_id
          AND 'case:' || o.case_id = p_entry.subject
          AND p_entry.verb = CASE o.number WHEN 3 THEN 'case.hear' ELSE 'case.opinion' END)
$$;
CREATE OR REPLACE FUNCTION owed_case_hear(p_entry ledger_journalentry) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$ SELECT owed_case_opinion(p_entry) $$;
CREATE OR REPLACE FUNCTION owed_case_set_aside(p_entry ledger_journalentry) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT 'the opinion still counts' WHERE NOT EXISTS (
        SELECT FROM fairplay_opinion o
        WHERE o.id = (p_entry.after ->> 'opinion')::bigint AND 'case:' || o.case_id = p_entry.subject AND o.number = 0)
$$;

-- The versions of a case that stood within a minute of that time.
CREATE OR REPLACE FUNCTION fairplay_stood(p_case bigint, p_at timestamptz) RETURNS SETOF fairplay_case LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT c.* FROM change_stood('fairplay_case', p_at, p_case::text) v
    CROSS JOIN LATERAL jsonb_populate_record(NULL::fairplay_case, v) c
$$;
CREATE OR REPLACE FUNCTION fairplay_accused(p_case bigint, p_user bigint) RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT EXISTS (SELECT FROM fairplay_party p WHERE p.case_id = p_case AND p.user_id = p_user AND p.role = 'accused')
$$;
-- The bar that a sanction is, and how long one lasts at most (fairplay/procedure.py); NULL without an end.
CREATE OR REPLACE FUNCTION fairplay_bar_of(p_sanction text) RETURNS text LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE p_sanction WHEN 'no_stakes' THEN 'stakes' WHEN 'no_rated' THEN 'rated' WHEN 'closed' THEN 'lobby' END
$$;

-- What is missing behind the opening of a case: a moderator's word, or what a machine opens one for. What an analysis
-- found is not derived again.
CREATE OR REPLACE FUNCTION fairplay_opening_fault(c fairplay_case, p_at timestamptz) RETURNS text LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM fairplay_party p WHERE p.case_id = c.id AND p.role = 'accused') THEN
        RETURN 'accuses nobody';
    ELSIF (c.held_until <= c.opened_at + interval '72 hours' AND c.waits_until <= c.opened_at + interval '14 days'
           AND c.opened_at BETWEEN p_at - interval '1 minute' AND p_at + interval '1 minute') IS NOT TRUE THEN
        RETURN 'has other times than the procedure';
    ELSIF c.opened_by_id IS NOT NULL THEN
        RETURN CASE WHEN NOT person_could(c.opened_by_id, 'fairplay.decide_case', p_at)
            OR NOT journal_says(c.opened_by_id, 'case.open', 'case:' || c.id, jsonb_build_object('kind', c.kind))
            THEN 'user ' || c.opened_by_id || ' did not open it in the journal' END;
    END IF;
    RETURN CASE c.evidence -> 0 ->> 'key'
        WHEN 'reports' THEN CASE WHEN (SELECT count(DISTINCT o.reporter_id) FROM fairplay_complaint o
            WHERE o.case_id = c.id) < 2 THEN 'rests on reports that there are not' END
        WHEN 'net' THEN CASE WHEN NOT EXISTS (
            SELECT FROM ledger_change v WHERE v.table_name = 'fairplay_screening' AND v.content ->> 'level' = 'hold'
              AND v.made_at BETWEEN p_at - interval '1 minute' AND p_at + interval '1 minute'
              AND NOT EXISTS (  -- somebody under suspicion who did not play the match that was screened
                  SELECT FROM fairplay_party p
                  JOIN games_match m ON m.id = substring(v.content ->> 'reference' FROM '^match:([0-9a-f-]{36})$')::uuid
                  WHERE p.case_id = c.id AND p.role = 'accused' AND p.user_id NOT IN (m.player_0_id, m.player_1_id)))
            THEN 'rests on a screening that there is not' END
    END;
END $$;

-- What is wrong with the verdict of a case that moves on, or NULL: the milder opinion counts, and time decides for the
-- player, but for a decision without an appeal.
CREATE OR REPLACE FUNCTION fairplay_verdict_fault(p_was fairplay_case, c fairplay_case, p_at timestamptz) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_over boolean := p_at >= p_was.waits_until - interval '1 minute';
    v_milder int;
    v_refund boolean;
    v_given int;
BEGIN
    SELECT min(fairplay_strictness(o.sanction)), bool_and(o.refund), count(*) INTO v_milder, v_refund, v_given
    FROM fairplay_opinion o WHERE o.case_id = c.id AND o.number IN (1, 2);
    IF p_was.state = 'appealed' THEN
        SELECT count(*), least(min(fairplay_strictness(o.sanction)), fairplay_strictness(p_was.sanction)),
               bool_and(o.refund) AND p_was.refund INTO v_given, v_milder, v_refund
        FROM fairplay_opinion o WHERE o.case_id = c.id AND o.number = 3;
    END IF;
    RETURN CASE
        WHEN c.state IN ('decided', 'confirmed') AND p_was.state IN ('open', 'appealed') THEN CASE
            WHEN v_given = 0 OR v_milder <> fairplay_strictness(c.sanction) OR v_refund <> c.refund
                THEN 'is decided otherwise than the milder opinion' END
        WHEN c.state IN ('appealed', 'confirmed') AND (c.sanction, c.refund) <> (p_was.sanction, p_was.refund)
            THEN 'has another verdict than it was decided with'
        WHEN c.state = 'appealed' THEN CASE WHEN NOT EXISTS (
            SELECT FROM fairplay_statement s WHERE s.case_id = c.id AND s.is_appeal) THEN 'has no appeal' END
        WHEN c.state = 'cleared' AND v_given > 0 AND v_milder = 1 THEN NULL
        WHEN NOT v_over THEN 'is ' || c.state || ' before its time' END;
END $$;

-- What is missing of what follows from a case that has moved on: its bars and the answers to reports.
CREATE OR REPLACE FUNCTION fairplay_effect_fault(c fairplay_case) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE
        WHEN c.state IN ('decided', 'confirmed') AND fairplay_bar_of(c.sanction) IS NOT NULL AND EXISTS (
            SELECT FROM fairplay_party p WHERE p.case_id = c.id AND p.role = 'accused' AND NOT EXISTS (
                SELECT FROM games_bar b WHERE b.user_id = p.user_id AND b.kind = fairplay_bar_of(c.sanction)
                AND b.reference = 'case:' || c.id || CASE c.state WHEN 'decided' THEN ':sanction' ELSE ':final' END))
            THEN 'has a sanction that is not in force'
        WHEN c.closed_at IS NOT NULL AND EXISTS (
            SELECT FROM fairplay_complaint o WHERE o.case_id = c.id AND o.outcome = '')
            THEN 'is closed, and its reports have no answer' END
$$;

CREATE OR REPLACE FUNCTION reason_fairplay_case(p_was jsonb, p_now jsonb, p_at timestamptz) RETURNS text LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_was fairplay_case := jsonb_populate_record(NULL::fairplay_case, p_was);
    c fairplay_case := jsonb_populate_record(NULL::fairplay_case, p_now);
BEGIN
    IF p_was IS NULL THEN
        RETURN fairplay_opening_fault(c, p_at);
    ELSIF c.state = v_was.state THEN
        RETURN 'changes, and does not move on';
    ELSIF c.waits_until > p_at + interval '7 days 1 minute' OR (c.waits_until IS NULL) <> (c.closed_at IS NOT NULL)
       OR c.closed_at NOT BETWEEN p_at - interval '1 minute' AND p_at + interval '1 minute' THEN
        RETURN 'has other times than the procedure';
    END IF;
    RETURN coalesce(fairplay_verdict_fault(v_was, c, p_at), fairplay_effect_fault(c));
END $$;

-- The accused belong to a case from its opening; who is affected has reported them or played them.
CREATE OR REPLACE FUNCTION reason_fairplay_party(p_was jsonb, p_now jsonb, p_at timestamptz) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE
        WHEN p_now ->> 'role' = 'accused' AND NOT EXISTS (
            SELECT FROM fairplay_case c WHERE c.id = (p_now ->> 'case_id')::bigint
              AND c.opened_at BETWEEN p_at - interval '1 minute' AND p_at + interval '1 minute')
            THEN 'accuses somebody after the case was opened'
        WHEN p_now ->> 'role' <> 'accused' AND NOT EXISTS (
            SELECT FROM fairplay_stood((p_now ->> 'case_id')::bigint, p_at) c WHERE c.state = 'open')
            THEN 'joins a case that is not open' END
$$;

-- A match of a case was played by somebody it accuses. It was taken back by somebody who may, as the journal says.
CREATE OR REPLACE FUNCTION reason_fairplay_casematch(p_was jsonb, p_now jsonb, p_at timestamptz) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE
        WHEN p_was IS NULL AND NOT (EXISTS (
            SELECT FROM fairplay_stood((p_now ->> 'case_id')::bigint, p_at) c WHERE c.state = 'open')
            AND (fairplay_accused((p_now ->> 'case_id')::bigint, m.player_0_id)
                 OR fairplay_accused((p_now ->> 'case_id')::bigint, m.player_1_id)))
            THEN 'is no match of somebody under suspicion in an open case'
        WHEN p_was IS NOT NULL AND NOT (
            m.ending = 'voided' AND person_could((p_now ->> 'refunded_by_id')::bigint, 'fairplay.refund_case', p_at)
            AND journal_says((p_now ->> 'refunded_by_id')::bigint, 'case.refund', 'case:' || (p_now ->> 'case_id'),
                             jsonb_build_object('match', m.id)))
            THEN 'was not taken back in the journal' END
    FROM games_match m WHERE m.id = (p_now ->> 'match_id')::uuid
$$;
CREATE OR REPLACE FUNCTION owed_case_refund(p_entry ledger_journalentry) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT 'the match was not taken back' WHERE NOT EXISTS (
        SELECT FROM fairplay_casematch m WHERE 'case:' || m.case_id = p_entry.subject
          AND m.match_id::text = p_entry.after ->> 'match' AND m.refunded_by_id = p_entry.actor_id)
$$;
CREATE OR REPLACE FUNCTION owed_case_open(p_entry ledger_journalentry) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT 'there is no such case' WHERE NOT EXISTS (
        SELECT FROM fairplay_case c WHERE 'case:' || c.id = p_entry.subject AND c.opened_by_id = p_entry.actor_id
          AND c.kind = p_entry.after ->> 'kind' AND p_entry.after -> 'accused' = (
              SELECT jsonb_agg(p.user_id ORDER BY p.user_id) FROM fairplay_party p
              WHERE p.case_id = c.id AND p.role = 'accused'))
$$;

-- Somebody under suspicion speaks while their case goes on.
CREATE OR REPLACE FUNCTION reason_fairplay_statement(p_was jsonb, p_now jsonb, p_at timestamptz) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT 'is no statement of somebody under suspicion in a case that goes on' WHERE NOT (
        fairplay_accused((p_now ->> 'case_id')::bigint, (p_now ->> 'user_id')::bigint)
        AND EXISTS (SELECT FROM fairplay_stood((p_now ->> 'case_id')::bigint, p_at) c WHERE c.closed_at IS NULL))
$$;

-- A bar is that of a case, of these people, in its time; or that of the pause of somebody who left matches.
CREATE OR REPLACE FUNCTION reason_games_bar(p_was jsonb, p_now jsonb, p_at timestamptz) RETURNS text LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    b games_bar := jsonb_populate_record(NULL::games_bar, p_now);
    v_case bigint := substring(b.reference FROM '^case:(\d+):(?:meeting|pause|sanction|final)$');
    v_name text := split_part(b.reference, ':', 3);
    v_lasts timestamptz := b.placed_at + interval '90 days 1 minute';
BEGIN
    IF b.reference ~ '^leaver:\d+$' THEN
        RETURN CASE WHEN p_was IS NOT NULL THEN 'ends by itself' WHEN NOT EXISTS (
            SELECT FROM ledger_change v
            WHERE v.table_name = 'fairplay_pause' AND v.row_key = split_part(b.reference, ':', 2)
              AND v.content -> 'user_id' = p_now -> 'user_id' AND (v.content ->> 'ends_at')::timestamptz = b.ends_at
              AND b.kind = 'lobby') THEN 'is of no pause' END;
    ELSIF NOT EXISTS (SELECT FROM fairplay_case c WHERE c.id = v_case) OR v_case IS NULL THEN
        RETURN 'names no case';
    ELSIF p_was IS NOT NULL THEN
        RETURN 'is lifted, and its case is not over' WHERE NOT EXISTS (
            SELECT FROM fairplay_stood(v_case, p_at) c
            WHERE c.state IN ('cleared', 'lapsed') OR v_name = 'sanction' AND c.state = 'confirmed');
    ELSIF NOT fairplay_accused(v_case, b.user_id) OR NOT fairplay_accused(v_case, coalesce(b.other_id, b.user_id)) THEN
        RETURN 'is of somebody whom its case does not accuse';
    END IF;
    RETURN 'is not what its case says' WHERE NOT EXISTS (
        SELECT FROM fairplay_stood(v_case, p_at) c WHERE CASE
            WHEN v_name IN ('meeting', 'pause') THEN c.state = 'open' AND b.ends_at <= c.held_until
                AND b.kind = CASE v_name WHEN 'meeting' THEN v_name ELSE 'stakes' END
            ELSE c.state = CASE v_name WHEN 'final' THEN 'confirmed' ELSE 'decided' END
                AND b.kind = fairplay_bar_of(c.sanction)
                AND CASE c.sanction WHEN 'closed' THEN b.ends_at IS NULL ELSE b.ends_at <= v_lasts END END);
END $$;

-- What the journal says of holds that two people have prolonged: by their proposal, until then.
CREATE OR REPLACE FUNCTION owed_hold_prolong(p_entry ledger_journalentry) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT 'two people did not hold it until then' WHERE NOT EXISTS (
        SELECT FROM ledger_proposal p
        WHERE p.id = (p_entry.after ->> 'proposal')::bigint AND p.kind = p_entry.verb AND p.state = 'done'
          AND p.subject = p_entry.subject AND p.permission = 'fairplay.decide_case'
          AND p.decided_by_id = p_entry.actor_id AND p.proposed_by_id = (p_entry.after ->> 'first')::bigint
          AND p.reason = p_entry.reason)
        OR NOT EXISTS (
            SELECT FROM ledger_hold h WHERE h.reference LIKE p_entry.subject || ':%'
              AND h.ends_at >= (p_entry.after ->> 'until')::timestamptz)
$$;
-- What somebody under suspicion won by a result of the others in a case, by the books as they stood within a minute of
-- that time. Where more than two play, gained_from_<kind>(key, taker, giver) says what one of them lost to another.
CREATE OR REPLACE FUNCTION fairplay_won_cents(p_case bigint, p_user bigint, p_reference text, p_at timestamptz) RETURNS bigint
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_from text := format('public.%I', 'gained_from_' || split_part(p_reference, ':', 1));
    v_key text := substr(p_reference, 1 + strpos(p_reference, ':'));
    v_won bigint;
    v_given bigint;
BEGIN
    SELECT greatest(sum(e.amount_cents), 0) INTO v_won
    FROM ledger_transfer t JOIN ledger_entry e ON e.transfer_id = t.id JOIN ledger_account a ON a.id = e.account_id
    WHERE t.reference = p_reference AND a.key = 'wallet:' || p_user AND t.created_at <= p_at + interval '1 minute'
      AND (e.amount_cents > 0 OR t.kind = 'stake' OR t.created_at < p_at - interval '1 minute');
    IF v_won > 0 AND to_regprocedure(v_from || '(text, bigint, bigint)') IS NOT NULL THEN
        EXECUTE format('SELECT sum(%s($1, $2, p.user_id)) FROM fairplay_party p
                        WHERE p.case_id = $3 AND p.role = ''accused'' AND p.user_id <> $2', v_from)
        INTO v_given USING v_key, p_user, p_case;
        RETURN least(v_won, coalesce(v_given, 0));
    END IF;
    RETURN CASE WHEN EXISTS (
        SELECT FROM fairplay_party p JOIN ledger_account a ON a.key = 'wallet:' || p.user_id
        JOIN ledger_entry e ON e.account_id = a.id JOIN ledger_transfer t ON t.id = e.transfer_id
        WHERE p.case_id = p_case AND p.role = 'accused' AND p.user_id <> p_user AND t.reference = p_reference)
        THEN coalesce(v_won, 0) ELSE 0 END;
END $$;
-- Credits are held of the accused alone, no more than they won of each other: for 72 hours, for 72 more where two people said so while the case was open, then
-- as long as a verdict with refunds waits for its next step.
-- They are released when the case is over without refunds, or a match was taken back.
CREATE OR REPLACE FUNCTION reason_ledger_hold(p_was jsonb, p_now jsonb, p_at timestamptz) RETURNS text LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    h ledger_hold := jsonb_populate_record(NULL::ledger_hold, p_now);
    v_case bigint := substring(h.reference FROM '^case:(\d+):');
    v_match text := substring(h.reference FROM '^case:\d+:match:(.*)$');
BEGIN
    IF NOT EXISTS (SELECT FROM fairplay_case c WHERE c.id = v_case) OR v_case IS NULL THEN
        RETURN 'names no case';
    ELSIF p_was IS NULL THEN
        RETURN CASE
            WHEN NOT fairplay_accused(v_case, h.user_id) THEN 'is of somebody whom its case does not accuse'
            WHEN h.released_at IS NOT NULL OR h.ends_at > p_at + interval '72 hours 1 minute'
                OR NOT EXISTS (SELECT FROM fairplay_stood(v_case, p_at) c WHERE c.state = 'open')
                THEN 'is longer than 72 hours, or of no open case'
            WHEN h.amount_cents > fairplay_won_cents(v_case, h.user_id, substr(h.reference, length('case::') + 1
                + length(v_case::text)), p_at) THEN 'is more than was won of the others whom its case accuses' END;
    ELSIF p_was ->> 'released_at' IS NULL AND h.released_at IS NOT NULL THEN
        RETURN 'is released, and its case is not over' WHERE NOT (
            EXISTS (SELECT FROM fairplay_stood(v_case, p_at) c WHERE c.state <> 'open' AND NOT c.refund)
            OR EXISTS (SELECT FROM fairplay_casematch m
                       WHERE m.case_id = v_case AND m.match_id::text = v_match AND m.refunded_at IS NOT NULL));
    END IF;
    RETURN 'is longer than its case waits' WHERE NOT EXISTS (
        SELECT FROM fairplay_stood(v_case, p_at) c
        WHERE c.refund AND h.ends_at <= coalesce(c.waits_until, p_at + interval '14 days 1 minute')
           OR c.state = 'open' AND h.ends_at <= least(
                  c.waits_until, (p_was ->> 'ends_at')::timestamptz + interval '72 hours') AND EXISTS (
              SELECT FROM ledger_journalentry j
              WHERE j.verb = 'hold.prolong' AND j.subject = 'case:' || c.id
                AND h.ends_at <= (j.after ->> 'until')::timestamptz AND owed_hold_prolong(j) IS NULL
                AND j.created_at BETWEEN p_at - interval '1 minute' AND p_at + interval '1 minute'));
END $$;

-- Two linked accounts are two people if a moderator says so.
CREATE OR REPLACE FUNCTION reason_accounts_acquaintance(p_was jsonb, p_now jsonb, p_at timestamptz) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT 'is nothing that a moderator said in the journal' WHERE NOT EXISTS (
        SELECT FROM ledger_journalentry j WHERE j.subject = 'user:' || (p_now ->> 'one_id')
          AND j.after -> 'other' = p_now -> 'other_id' AND person_could(j.actor_id, 'fairplay.decide_case', p_at)
          AND j.created_at BETWEEN p_at - interval '1 minute' AND p_at + interval '1 minute'
          AND j.verb = CASE WHEN p_was IS NULL THEN 'links.confirm' ELSE 'links.end' END
          AND (p_was IS NOT NULL OR p_now -> 'confirmed_by_id' = to_jsonb(j.actor_id)))
$$;
CREATE OR REPLACE FUNCTION owed_links_confirm(p_entry ledger_journalentry) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT 'nothing is confirmed' WHERE NOT EXISTS (
        SELECT FROM accounts_acquaintance a WHERE a.confirmed_by_id = p_entry.actor_id
          AND p_entry.subject IN ('user:' || a.one_id, 'user:' || a.other_id)
          AND (p_entry.after ->> 'other')::bigint IN (a.one_id, a.other_id))
$$;
CREATE OR REPLACE FUNCTION owed_links_end(p_entry ledger_journalentry) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT 'nothing has ended' WHERE NOT EXISTS (
        SELECT FROM accounts_acquaintance a
        WHERE p_entry.subject IN ('user:' || a.one_id, 'user:' || a.other_id)
          AND (p_entry.after ->> 'other')::bigint IN (a.one_id, a.other_id)
          AND a.ended_at BETWEEN p_entry.created_at - interval '1 minute' AND p_entry.created_at + interval '1 minute')
$$;

-- A report is about a match that the two have just played, and ends as its case does.
CREATE OR REPLACE FUNCTION reason_fairplay_complaint(p_was jsonb, p_now jsonb, p_at timestamptz) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE o fairplay_complaint := jsonb_populate_record(NULL::fairplay_complaint, p_now);
BEGIN
    IF p_was IS NULL THEN
        RETURN 'is about no match of the two in the last week' WHERE o.outcome <> '' OR NOT EXISTS (
            SELECT FROM games_match m WHERE m.id = o.match_id AND m.ended_at > p_at - interval '7 days 1 minute'
              AND ARRAY[m.player_0_id, m.player_1_id] @> ARRAY[o.reporter_id, o.accused_id]);
    ELSIF o.case_id IS NULL THEN
        RETURN 'has an answer that no case gave';
    END IF;
    RETURN 'is not what its case says' WHERE NOT fairplay_accused(o.case_id, o.accused_id) OR NOT EXISTS (
        SELECT FROM fairplay_stood(o.case_id, p_at) c WHERE c.kind = o.reason
          AND CASE WHEN o.outcome = '' THEN c.state = 'open' ELSE c.state = o.outcome END);
END $$;

-- What was measured goes when it is old (fairplay/refunds.py); of a person also with their account.
CREATE OR REPLACE FUNCTION fairplay_erased(p_user jsonb) RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT EXISTS (SELECT FROM accounts_accountdeletion d WHERE d.user_id = p_user::bigint AND d.outcome = 'done')
$$;
CREATE OR REPLACE FUNCTION reason_fairplay_screening(p_was jsonb, p_now jsonb, p_at timestamptz) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE
        WHEN p_now IS NULL AND (p_was ->> 'made_at')::timestamptz > p_at - interval '179 days' THEN 'is deleted early'
        WHEN p_was IS NULL AND p_now ->> 'reference' LIKE 'match:%' AND NOT EXISTS (
            SELECT FROM games_match m WHERE m.id::text = substr(p_now ->> 'reference', 7) AND m.ended_at IS NOT NULL)
            THEN 'is of no result' END
$$;
CREATE OR REPLACE FUNCTION reason_fairplay_wait(p_was jsonb, p_now jsonb, p_at timestamptz) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE
        WHEN p_now IS NULL THEN CASE
            WHEN (p_was ->> 'since')::timestamptz > p_at - interval '179 days' OR p_was ->> 'over_at' IS NULL
                THEN 'is deleted early' END
        WHEN (p_now ->> 'until')::timestamptz > (p_now ->> 'since')::timestamptz + interval '72 hours'
            THEN 'waits longer than 72 hours'
        WHEN p_now ->> 'over_at' IS NOT NULL AND NOT EXISTS (
            SELECT FROM ledger_clearance c WHERE c.reference = p_now ->> 'reference'
              AND c.user_id = (p_now ->> 'user_id')::bigint) THEN 'is over, and the gain is not clear' END
$$;
CREATE OR REPLACE FUNCTION reason_fairplay_conduct(p_was jsonb, p_now jsonb, p_at timestamptz) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE
        WHEN p_now IS NULL AND (p_was ->> 'at')::timestamptz > p_at - interval '89 days'
             AND NOT fairplay_erased(p_was -> 'user_id') THEN 'is deleted early'
        WHEN p_now IS NOT NULL AND NOT EXISTS (
            SELECT FROM games_match m
            CROSS JOIN LATERAL (SELECT (p_now ->> 'user_id')::bigint
                = CASE m.winner_seat WHEN 0 THEN m.player_1_id ELSE m.player_0_id END AS lost) l
            WHERE m.id = (p_now ->> 'match_id')::uuid
              AND (m.ended_at = (p_now ->> 'at')::timestamptz  -- or it was decided again after its end
                   OR m.ending IN ('voided', 'adjudicated') AND m.ended_at > (p_now ->> 'at')::timestamptz)
              AND to_jsonb(ARRAY[m.player_0_id, m.player_1_id]) @> (p_now -> 'user_id')
              AND CASE p_now ->> 'fault'
                  WHEN '' THEN m.winner_seat IS NULL OR NOT l.lost OR m.ending NOT IN ('left', 'time_over', 'absent')
                      OR EXISTS (SELECT FROM games_outage o WHERE o.began_at <= m.ended_at + interval '10 minutes'
                                 AND o.ended_at >= m.ended_at - interval '10 minutes')
                  ELSE m.ending IN ('voided', 'adjudicated') OR l.lost AND m.ending = p_now ->> 'fault' END)
            THEN 'is otherwise than its match ended' END
$$;
CREATE OR REPLACE FUNCTION reason_fairplay_pause(p_was jsonb, p_now jsonb, p_at timestamptz) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE
        WHEN p_now IS NULL THEN CASE WHEN (p_was ->> 'placed_at')::timestamptz > p_at - interval '89 days'
            AND NOT fairplay_erased(p_was -> 'user_id') THEN 'is deleted early' END
        WHEN (p_now ->> 'step')::int NOT BETWEEN 1 AND 5 OR (p_now ->> 'ends_at')::timestamptz
             > (p_now ->> 'placed_at')::timestamptz + interval '24 hours' THEN 'is longer than the ladder'
        WHEN p_at > now() - interval '1 minute' AND (
            SELECT count(*) FROM fairplay_conduct c
            WHERE c.user_id = (p_now ->> 'user_id')::bigint AND c.fault <> '') < 2 THEN 'rests on no faults' END
$$;

SELECT row_guard('fairplay_case', 'id', '{"state": "free", "held_until": "free", "waits_until": "free",
    "decided_at": "later", "closed_at": "later", "sanction": "free", "refund": "free", "appealed": "later"}');
SELECT row_guard('fairplay_opinion', 'id', '{"number": "free"}');
SELECT row_guard('fairplay_party', 'id');
SELECT row_guard('fairplay_casematch', 'id', '{"refunded_at": "later", "refunded_by_id": "later"}');
SELECT row_guard('fairplay_statement', 'id');
SELECT row_guard('fairplay_complaint', 'id', '{"case_id": "later", "outcome": "later", "decided_at": "later"}');
SELECT row_guard('fairplay_screening', 'id', '{"*": "goes"}');
SELECT row_guard('fairplay_wait', 'id', '{"*": "goes", "over_at": "later"}');
SELECT row_guard('fairplay_conduct', 'id', '{"*": "goes"}', NULL);
SELECT row_guard('fairplay_pause', 'id', '{"*": "goes"}');
SELECT row_guard('games_bar', 'id', '{"lifted_at": "later"}');
SELECT row_guard('ledger_hold', 'id', '{"ends_at": "free", "released_at": "later", "release_reason": "later"}');
SELECT row_guard('accounts_acquaintance', 'id', '{"ended_at": "later"}');
