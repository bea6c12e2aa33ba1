#!/bin/sh
# PostgreSQL's archive_command: copy one segment of the log (its path and its name) to /backup/wal.
# A segment is archived only when it is complete and on the disk; an existing one is never overwritten.
#
# With BACKUP_HOST the folder is on that host. The key that ssh uses may run one command there, this
# script with --receive (docs/several-hosts-setup.md); it checks that the segment arrived whole.
set -eu
wal=${BACKUP_FOLDER:-/backup}/wal
if [ "$1" = --receive ]; then
    name=${SSH_ORIGINAL_COMMAND% *} sum=${SSH_ORIGINAL_COMMAND#* }
    case $name in "" | .* | *[!0-9A-Za-z.]*) echo "$name is not a segment." >&2 && exit 2 ;; esac
    received=$(mktemp "$wal/.received.XXXXXX")
    trap 'rm -f "$received"' EXIT
    cat >"$received"
    echo "$sum  $received" | sha256sum --check --status
    exec 9<"$wal" # both servers may send the same segment
    flock 9
    set -- "$received" "$name"
elif [ -n "${BACKUP_HOST:-}" ]; then
    sum=$(sha256sum <"$1")
    exec ssh -o BatchMode=yes -o ConnectTimeout=10 "$BACKUP_HOST" "$2 ${sum%% *}" <"$1"
fi
if [ -e "$wal/$2" ]; then
    cmp -s "$1" "$wal/$2"
    exit
fi
cp "$1" "$wal/$2.part"
sync "$wal/$2.part"
mv "$wal/$2.part" "$wal/$2"
sync "$wal"
