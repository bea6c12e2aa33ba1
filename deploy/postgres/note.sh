#!/bin/sh
# Note in the database of the house that a copy was made (copy) or sent to another place (offsite), for
# the doctor and the alerts. A copy without its note is a copy, so this never fails.
#
#   note.sh copy|offsite
set -eu
psql -q -v ON_ERROR_STOP=1 -U "${POSTGRES_USER:-postgres}" -d "${POSTGRES_DB:-pasch}" -v role="$1" <<'SQL' ||
INSERT INTO games_heartbeat (role, beat_at) VALUES (:'role', clock_timestamp())
ON CONFLICT (role) DO UPDATE SET beat_at = excluded.beat_at;
SQL
    echo "That could not be noted for the doctor and the alerts." >&2
