#!/bin/sh
# PostgreSQL's archive_command: copy one segment of the log (its path and its name) to /backup/wal.
# A segment is archived only when it is complete and on the disk; an existing one is never overwritten.
#
# With BACKUP_HOST the folder is on that host. The key that ssh uses may run one command there, this
# script with --receive (deploy/several-hosts.md); it checks that the segment arrived whole.
set -eu
wal=${BACKUP_FOLDER:-/backup}/wal
if [ "$1" = --receive ]; then
    name=${SSH_ORIGINAL_COMMAND% *} sum=${SSH_ORIGINAL_COMMAND#* }
    segment='[0-9A-F]{24}(\.partial|\.[0-9A-F]{8}\.backup)?|[0-9A-F]{8}\.history'
    if [ "$(printf '%s' "$SSH_ORIGINAL_COMMAND" | grep -Exc "($segment) [0-9a-f]{64}" || true)" != 1 ] ||
        [ "$(printf '%s' "$SSH_ORIGINAL_COMMAND" | wc -l)" != 0 ]; then
        echo "This is not the name and the sum of a segment." >&2
        exit 2
    fi
    # what transfers left that were killed: nothing takes an hour
    find "$wal" -maxdepth 1 -name '.received.*' -mmin +60 -delete
    # hidden and on the same disk; removed at the end, also when the sum is wrong
    received=$(mktemp "$wal/.received.XXXXXX")
    trap 'rm -f "$received"' EXIT
    head -c "${SEGMENT_BYTES_MAX:-16777216}" >"$received" # what is longer has another sum
    echo "$sum  $received" | sha256sum --check --status
    exec 9<"$wal" # both servers may send the same segment
    flock 9
    set -- "$received" "$name"
elif [ -n "${BACKUP_HOST:-}" ]; then
    sum=$(sha256sum <"$1")
    exec ssh -o BatchMode=yes -o ConnectTimeout=10 -o ServerAliveInterval=5 "$BACKUP_HOST" "$2 ${sum%% *}" <"$1"
fi
if [ -e "$wal/$2" ]; then
    cmp -s "$1" "$wal/$2" # no exec, which would skip the trap
    sync "$wal"
    exit
fi
cp "$1" "$wal/$2.part"
sync "$wal/$2.part"
mv "$wal/$2.part" "$wal/$2"
sync "$wal"
