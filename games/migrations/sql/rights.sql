-- The application's role writes events and rolls and leaves the rest to the two functions that pack them. Outages are
-- written by the trigger of heartbeats; the application notes when their time was given back.
-- ledger/roles.py finds this function by its name and runs what it answers, after everything else was granted.
CREATE OR REPLACE FUNCTION rights_games() RETURNS SETOF text LANGUAGE sql IMMUTABLE AS $$
    VALUES ('REVOKE UPDATE, DELETE ON games_tableevent, games_diceroll FROM %I'),
           ('REVOKE INSERT, UPDATE, DELETE ON games_eventpack, games_rollpack FROM %I'),
           ('REVOKE INSERT, UPDATE, DELETE ON games_storedevent, games_storedroll FROM %I'),
           ('REVOKE INSERT, UPDATE, DELETE ON games_outage FROM %I'),
           ('GRANT UPDATE (credited_at) ON games_outage TO %I'),
           ('GRANT EXECUTE ON FUNCTION games_table_pack(uuid, timestamptz) TO %I'),
           ('GRANT EXECUTE ON FUNCTION games_rolls_pack(uuid) TO %I')
$$;
REVOKE ALL ON FUNCTION games_table_pack(uuid, timestamptz) FROM PUBLIC;
REVOKE ALL ON FUNCTION games_rolls_pack(uuid) FROM PUBLIC;
