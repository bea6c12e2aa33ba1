-- Every version of a match and of the prices is logged by the books (ledger/migrations/sql/watched.sql).
SELECT change_watch('games_match', 'id');
SELECT change_watch('games_houseprices', 'number');
