-- Every version of a match is logged by the books (ledger/migrations/sql/watched.sql).
SELECT change_watch('games_match', 'id');
