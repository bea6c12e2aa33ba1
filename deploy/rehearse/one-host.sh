#!/bin/bash
# Run the commands of deploy/one-host.md, as they stand there, in a new Debian with systemd:
#
#   RELEASE=trixie deploy/rehearse/one-host.sh FOLDER [LOG]
#
# Needs root, debootstrap, systemd-nspawn and ports 80, 443, 5432, 6379, 8000 and 8001. The machine is
# made in FOLDER: a bookworm, unless RELEASE names another. A program FOLDER/before, if there is one,
# runs first with the machine's root as its argument (certificates and package sources of a network of
# your own); BINDS has more options of nspawn.
set -euo pipefail
folder=$(realpath "$1") log=${2:-/dev/stdout}
root=$folder/machine here=$(realpath "$(dirname "$0")/../..")
mkdir -p "$folder"

made() {
    # shellcheck disable=SC2086 # options and a name
    debootstrap --variant=minbase --include=systemd-sysv,dbus,ca-certificates,pebble ${RELEASE:-bookworm} \
        "$root" >"$folder/debootstrap.log"
    if [ -x "$folder/before" ]; then "$folder/before" "$root"; fi
    echo house >"$root/etc/hostname"
    echo "127.0.0.1 localhost house pasch.example" >"$root/etc/hosts"
    git clone --quiet --bare "$here" "$root/srv/pasch.git"
    git -C "$root/srv/pasch.git" tag rehearsed HEAD # whatever is committed meanwhile
    git -C "$root/srv/pasch.git" update-ref refs/heads/main "rehearsed~1"
    git -C "$root/srv/pasch.git" symbolic-ref HEAD refs/heads/main
    # pebble asks at port 80, as a public authority does, and has a certificate of its own.
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost \
        -keyout "$root/root/pebble.key" -out "$root/root/pebble.pem" 2>/dev/null
    cat >"$root/root/pebble.json" <<'END'
{"pebble": {"listenAddress": "127.0.0.1:14000", "managementListenAddress": "127.0.0.1:15000",
 "certificate": "/root/pebble.pem", "privateKey": "/root/pebble.key", "httpPort": 80, "tlsPort": 443}}
END
    mkdir -p "$root/root/.config/letsencrypt" "$root/mnt/offsite"
    printf 'server = https://localhost:14000/dir\nno-verify-ssl = true\n' \
        >"$root/root/.config/letsencrypt/cli.ini"
    chmod 777 "$root/mnt/offsite"
}

inside() { # run a program of the machine beside its systemd
    nsenter -t "$leader" -m -u -i -p -C -- /usr/bin/env -i \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
        CODE=/srv/pasch.git OFFSITE=/mnt/offsite/repository PLACE=second PYTHONWARNINGS=ignore "$@"
}

opened() {
    # shellcheck disable=SC2086 # several options
    setsid script -qfc "systemd-nspawn --register=no --keep-unit ${BINDS:-} -D $root --boot --console=read-only" \
        "$folder/boot.log" </dev/null >/dev/null 2>&1 &
    for _ in $(seq 60); do
        nspawn=$(pgrep -f "systemd-nspawn --register=no --keep-unit.* -D $root --boot" | tail -n 1 || true)
        leader=$([ -z "$nspawn" ] || pgrep -P "$nspawn" | head -n 1 || true)
        if [ -n "$leader" ] && inside systemctl is-system-running --wait >/dev/null 2>&1; then break; fi
        sleep 1
    done
    trap closed EXIT
    inside systemd-run --quiet --unit pebble --setenv=PEBBLE_VA_NOSLEEP=1 pebble -config /root/pebble.json
}

closed() { # power off, and wait until the machine's ports are free
    kill -RTMIN+4 "$leader"
    for _ in $(seq 60); do
        if ! kill -0 "$nspawn" 2>/dev/null; then return; fi
        sleep 1
    done
    kill -9 "$leader"
}

# One program of all fenced commands: each heading is printed, and before *Upgrade* there is news.
program() {
    echo 'set -euo pipefail'
    awk '/^## /{heading=substr($0, 4); told=0}
        /^```sh/{if (!told) {printf "echo; echo \"## %s\"\n", heading; told=1;
            if (heading == "Upgrade") print "git --git-dir=/srv/pasch.git update-ref refs/heads/main NEWS"}
            code=1; next}
        /^```/{code=0} code' <(git -C "$root/srv/pasch.git" show rehearsed:deploy/one-host.md) |
        sed "s/ NEWS\$/ rehearsed/"
}

if [ ! -d "$root/usr" ]; then made; fi # not with ||, which would let a step fail
opened
program >"$root/root/one-host"
inside bash /root/one-host 2>&1 | tee "$log"
