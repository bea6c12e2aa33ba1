CREATE OR REPLACE FUNCTION rights_games() RETURNS SETOF text LANGUAGE sql IMMUTABLE AS $$
    VALUES ('REVOKE UPDATE, DELETE ON games_tableevent, games_diceroll FROM %I'),
           ('REVOKE INSERT, UPDATE, DELETE ON games_eventpack, games_rollpack FROM %I'),
           ('REVOKE INSERT, UPDATE, DELETE ON games_storedevent, games_storedroll FROM %I'),
           ('REVOKE INSERT, UPDATE, DELETE ON games_outage FROM %I'),
           ('GRANT UPDATE (credited_at) ON games_outage TO %I'),
           ('GRANT EXECUTE ON FUNCTION games_table_pack(uuid, timestamptz) TO %I'),
           ('GRANT EXECUTE ON FUNCTION games_rolls_pack(uuid) TO %I')
$$;
