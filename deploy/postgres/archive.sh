#!/bin/sh
# PostgreSQL's archive_command: copy one segment of the log (its path and its name) to /backup/wal.
# A segment is archived only when it is complete and on the disk; an existing one is never overwritten.
set -eu
wal=${BACKUP_FOLDER:-/backup}/wal
if [ -e "$wal/$2" ]; then
    exec cmp -s "$1" "$wal/$2"
fi
cp "$1" "$wal/$2.part"
sync "$wal/$2.part"
mv "$wal/$2.part" "$wal/$2"
sync "$wal"
