#!/bin/sh
# Runs in a container beside PostgreSQL for good: a copy every day, whatever was started again
# meanwhile, and a note of what was sent to another place (deploy/compose.yaml).
set -u
root=${BACKUP_FOLDER:-/backup}
here=$(dirname "$0")
while :; do
    [ -n "$(find "$root/base" -maxdepth 1 -name '*Z' -mmin -1435)" ] || sh "$here/backup" ||
        echo "The copy failed; the next try is in a quarter of an hour." >&2
    [ -z "$(find "${SENT:-/sent}" -name offsite -mmin -15)" ] || sh "$here/note.sh" offsite
    sleep 900
done
