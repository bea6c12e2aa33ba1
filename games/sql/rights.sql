-- The application's role writes events and leaves the rest to the one function that packs them. ledger/roles.py finds
-- this function by its name and runs what it answers, after everything else was granted.
CREATE FUNCTION rights_games() RETURNS SETOF text LANGUAGE sql IMMUTABLE AS $$
    VALUES ('REVOKE UPDATE, DELETE ON games_tableevent FROM %I'),
           ('REVOKE INSERT, UPDATE, DELETE ON games_eventpack FROM %I'),
           ('REVOKE INSERT, UPDATE, DELETE ON games_storedevent FROM %I'),
           ('GRANT EXECUTE ON FUNCTION games_table_pack(uuid, timestamptz) TO %I')
$$;
REVOKE ALL ON FUNCTION games_table_pack(uuid, timestamptz) FROM PUBLIC;
