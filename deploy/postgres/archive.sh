#!/bin/sh
# PostgreSQL's archive_command: lay one piece of the log (its path and its name) down in /backup/wal.
# A piece counts only when it is whole and on the disk; one that lies there is never overwritten.
set -eu
wal=${BACKUP_FOLDER:-/backup}/wal
if [ -e "$wal/$2" ]; then
    exec cmp -s "$1" "$wal/$2"
fi
cp "$1" "$wal/$2.part"
sync "$wal/$2.part"
mv "$wal/$2.part" "$wal/$2"
sync "$wal"
