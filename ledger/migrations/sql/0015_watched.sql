CREATE OR REPLACE FUNCTION change_row(p_row jsonb, p_columns text[]) RETURNS jsonb LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE WHEN p_columns = '{}' OR p_row IS NULL THEN p_row
                ELSE (SELECT jsonb_object_agg(c, p_row -> c) FROM unnest(p_columns) AS c) END
$$;
