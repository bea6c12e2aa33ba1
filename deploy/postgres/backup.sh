#!/bin/sh
# Copy the running database into /backup/base, check the copy, and delete all but the newest seven:
#
#   docker compose … exec -u postgres postgres backup
#
# The segments of the log that only older copies needed are deleted too.
set -eu
umask 077
root=${BACKUP_FOLDER:-/backup}
keep=${BACKUP_KEEP:-7}
name=$(date -u +%Y%m%dT%H%M%SZ)

rm -rf "$root"/base/*.unfinished
pg_basebackup -U "$POSTGRES_USER" -D "$root/base/$name.unfinished" --checkpoint=fast --wal-method=stream \
    --no-password --manifest-checksums=SHA256
pg_verifybackup --quiet "$root/base/$name.unfinished"
sync
mv "$root/base/$name.unfinished" "$root/base/$name"

# shellcheck disable=SC2012 # the names are ours: digits and two letters
ls -1d "$root"/base/*Z | head -n "-$keep" | while read -r old; do rm -rf "$old"; done
# shellcheck disable=SC2012
oldest=$(ls -1d "$root"/base/*Z | head -n 1)
pg_archivecleanup "$root/wal" "$(sed -n 's/^START WAL LOCATION.*(file \(.*\))$/\1/p' "$oldest/backup_label")"
sh "$(dirname "$0")/note.sh" copy
echo "The copy is in $root/base/$name."
