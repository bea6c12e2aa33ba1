-- Every version of a tournament, its entries and its meetings is logged (ledger/migrations/sql/watched.sql). The number of the
-- last event and when something is due are left to the journal.
SELECT change_watch('tournaments_tournament', 'id', ARRAY['id', 'name', 'founder_id', 'club_id', 'members_only', 'offer',
    'terms', 'table_terms', 'fee_cents', 'rake_bps', 'shares_bps', 'sides_bps', 'satellite_of_id', 'starts_at',
    'commitment', 'secret', 'drawn_at', 'added_cents', 'rake_cents', 'cleared_at', 'phase', 'created_at', 'ended_at']);
SELECT change_watch('tournaments_entry', 'id');
SELECT change_watch('tournaments_meeting', 'id');

-- A pairing is called again after a match without a winner; no call was earlier than it was.
CREATE OR REPLACE TRIGGER call_moves_on BEFORE UPDATE ON tournaments_meeting FOR EACH ROW
    WHEN (NEW.called_at < OLD.called_at) EXECUTE FUNCTION kit_refuse();
