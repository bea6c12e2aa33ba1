-- No house stores prices that break a page: the bounds are those of `games.modes.prices.FIGURES`.
CREATE OR REPLACE FUNCTION games_prices_within() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    v_fault text;
    v_most CONSTANT numeric := 10000000;
BEGIN
    SELECT min(f.name) INTO v_fault FROM (VALUES
        ('prize_stakes_cents', 1, v_most, 'many'), ('match_stakes_cents', 1, v_most, 'many'),
        ('single_rates_cents', 1, v_most, 'many'), ('single_limits_cents', 1, v_most, 'many'),
        ('base_stake_cents_min', 1, v_most, 'one'), ('base_stake_cents_max', 1, v_most, 'one'),
        ('factor_without_cube', 1, 1000, 'one'), ('factor_with_cube', 1, 1000, 'one'),
        ('rake_bps', 0, 4900, 'one'), ('pair_limit', 1, 1000, 'optional')) f (name, least, most, has)
    CROSS JOIN LATERAL (SELECT NEW.content -> f.name) c (value)
    CROSS JOIN LATERAL (SELECT CASE WHEN f.has = 'many' THEN c.value ELSE jsonb_build_array(c.value) END) l (list)
    WHERE NOT (f.has = 'optional' AND c.value = 'null') AND (
        SELECT count(*) BETWEEN 1 AND 6 AND bool_and(
            jsonb_typeof(e) = 'number' AND (e #>> '{}')::numeric BETWEEN f.least AND f.most
            AND (e #>> '{}')::numeric % 1 = 0)
        FROM jsonb_array_elements(l.list) e) IS NOT TRUE;
    IF v_fault IS NULL THEN
        v_fault := CASE
            WHEN (NEW.content ->> 'base_stake_cents_min')::numeric > (NEW.content ->> 'base_stake_cents_max')::numeric
                THEN 'least_base_below_most'
            WHEN (NEW.content ->> 'base_stake_cents_max')::numeric * greatest(
                (NEW.content ->> 'factor_without_cube')::numeric, (NEW.content ->> 'factor_with_cube')::numeric) > v_most
                THEN 'base_times_factor'
            WHEN (SELECT min(e::numeric) FROM jsonb_array_elements_text(NEW.content -> 'single_limits_cents') e)
               < (SELECT max(e::numeric) FROM jsonb_array_elements_text(NEW.content -> 'single_rates_cents') e)
                THEN 'limit' END;
    END IF;
    IF v_fault IS NOT NULL THEN
        RAISE EXCEPTION 'prices_%: change % has figures that no house can offer', v_fault, NEW.number
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE OR REPLACE TRIGGER prices_within BEFORE INSERT ON house_housechange
    FOR EACH ROW WHEN (NEW.part = 'prices') EXECUTE FUNCTION games_prices_within();
