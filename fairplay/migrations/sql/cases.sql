-- Cases of fair play: what was said and decided stays, and no decision is made by fewer people than it takes.
-- What its rows rest on stands in guards.sql.

-- The sanctions in the order of fairplay/procedure.py, the mildest first.
CREATE OR REPLACE FUNCTION fairplay_strictness(p_sanction text) RETURNS int LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT array_position(ARRAY['none', 'warning', 'no_stakes', 'no_rated', 'closed'], p_sanction)
$$;

-- An opinion is given by a reviewer who is no party, on an open case, or as the third on an appeal. The case
-- is locked by then, so two opinions cannot pass each other.
CREATE OR REPLACE FUNCTION fairplay_opinion_fits() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE v_state text;
BEGIN
    SELECT state INTO STRICT v_state FROM fairplay_case WHERE id = NEW.case_id FOR NO KEY UPDATE;
    IF EXISTS (SELECT FROM fairplay_party p WHERE p.case_id = NEW.case_id AND p.user_id = NEW.reviewer_id) THEN
        RAISE EXCEPTION 'nobody judges a case of their own' USING ERRCODE = 'restrict_violation';
    END IF;
    IF v_state <> (CASE WHEN NEW.number = 3 THEN 'appealed' ELSE 'open' END) THEN
        RAISE EXCEPTION 'opinion % does not fit a case that is %', NEW.number, v_state
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER opinion_fits BEFORE INSERT ON fairplay_opinion
    FOR EACH ROW EXECUTE FUNCTION fairplay_opinion_fits();

-- Those whose verdict takes effect now: two reviewers by the rule of accounts/migrations/sql/two_people.sql, or the third one who
-- heard the appeal. Each has the right now and has got nothing through a party or another reviewer since a day before.
CREATE OR REPLACE FUNCTION fairplay_judges_check(p_case bigint, p_old text, p_new text) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_right CONSTANT text := 'fairplay.decide_case';
    v_one fairplay_opinion;
    v_last fairplay_opinion;
BEGIN
    IF p_old || ' ' || p_new IN ('open decided', 'open cleared') THEN
        SELECT * INTO v_one FROM fairplay_opinion o WHERE o.case_id = p_case AND o.number = 1;
        SELECT * INTO v_last FROM fairplay_opinion o WHERE o.case_id = p_case AND o.number = 2;
        IF v_last.id IS NULL THEN
            RAISE EXCEPTION 'case % is not decided by two people', p_case USING ERRCODE = 'restrict_violation';
        END IF;
        PERFORM accounts_second_check('case ' || p_case, v_one.reviewer_id, v_last.reviewer_id, v_right, v_one.made_at);
    ELSIF p_old = 'appealed' THEN
        SELECT * INTO v_last FROM fairplay_opinion o WHERE o.case_id = p_case AND o.number = 3;
        IF v_last.id IS NOT NULL AND NOT accounts_has_right(v_last.reviewer_id, v_right) THEN
            RAISE EXCEPTION 'case %: user % hears no appeal', p_case, v_last.reviewer_id USING ERRCODE = 'LG009';
        END IF;
    END IF;
    IF EXISTS (
        SELECT FROM fairplay_opinion o JOIN fairplay_party p USING (case_id)
        WHERE o.id IN (v_one.id, v_last.id)
          AND accounts_pair_is_fresh(o.reviewer_id, p.user_id, o.made_at - interval '24 hours')) THEN
        RAISE EXCEPTION 'case %: a reviewer is no other person than a party', p_case USING ERRCODE = 'LG009';
    END IF;
END $$;

-- A case begins open and without a verdict. It moves along the arrows of fairplay/procedure.py, decided by two
-- opinions and confirmed on appeal by a third, never stricter than the mildest of them.
CREATE OR REPLACE FUNCTION fairplay_case_moves() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_opinions int;
    v_mildest int;
    v_refund boolean;
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.state <> 'open' OR NEW.sanction <> 'none' OR NEW.refund OR NEW.decided_at IS NOT NULL THEN
            RAISE EXCEPTION 'a case begins open, without a verdict' USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF (NEW.kind, NEW.opened_at, NEW.opened_by_id, NEW.evidence)
        IS DISTINCT FROM (OLD.kind, OLD.opened_at, OLD.opened_by_id, OLD.evidence) THEN
        RAISE EXCEPTION 'what a case rests on stays' USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.state <> OLD.state AND NOT (OLD.state || ' ' || NEW.state = ANY (ARRAY[
        'open decided', 'open cleared', 'open lapsed', 'decided appealed', 'decided confirmed',
        'appealed confirmed', 'appealed cleared'])) THEN
        RAISE EXCEPTION 'a case that is % cannot become %', OLD.state, NEW.state
            USING ERRCODE = 'restrict_violation';
    END IF;
    SELECT count(*), min(fairplay_strictness(o.sanction)), bool_and(o.refund)
    INTO v_opinions, v_mildest, v_refund FROM fairplay_opinion o WHERE o.case_id = NEW.id AND o.number > 0;
    IF NEW.state IN ('decided', 'appealed', 'confirmed') AND (v_opinions < 2
        OR NEW.sanction = 'none' OR fairplay_strictness(NEW.sanction) > v_mildest
        OR (NEW.refund AND NOT v_refund)) THEN
        RAISE EXCEPTION 'case % is not decided like this by two people', NEW.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD.state = 'appealed' AND NEW.state = 'confirmed' AND v_opinions < 3 THEN
        RAISE EXCEPTION 'an appeal is heard by a third person' USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.state <> OLD.state THEN
        PERFORM fairplay_judges_check(NEW.id, OLD.state, NEW.state);
    END IF;
    IF NEW.state NOT IN ('decided', 'appealed', 'confirmed') AND (NEW.sanction <> 'none' OR NEW.refund) THEN
        RAISE EXCEPTION 'a case that is % has no sanction', NEW.state USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER case_moves BEFORE INSERT OR UPDATE ON fairplay_case
    FOR EACH ROW EXECUTE FUNCTION fairplay_case_moves();

-- A match is taken back only for a case that is confirmed with refunds, once.
CREATE OR REPLACE FUNCTION fairplay_refund_stands() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF (NEW.case_id, NEW.match_id) IS DISTINCT FROM (OLD.case_id, OLD.match_id) OR OLD.refunded_at IS NOT NULL
        OR NOT EXISTS (SELECT FROM fairplay_case c WHERE c.id = NEW.case_id AND c.state = 'confirmed' AND c.refund)
    THEN
        RAISE EXCEPTION 'match % is not to be taken back in case %', NEW.match_id, NEW.case_id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER refund_stands BEFORE UPDATE ON fairplay_casematch
    FOR EACH ROW EXECUTE FUNCTION fairplay_refund_stands();
