#!/bin/bash
# Run the commands of deploy/several-hosts.md, as they stand there, on thirteen machines with
# Debian 12 and systemd, one for each host and one that is "your own machine":
#
#   deploy/rehearse/several-hosts.sh FOLDER [LOG]
#
# Needs root, debootstrap, systemd-nspawn, overlayfs and about 10 GB in FOLDER. The machines are in a
# network of their own that reaches nothing else, so a program FOLDER/before has to be there: it gets
# the root of the base system and leaves in it what apt-get and pip ask for (a folder of packages and
# one of wheels, with the lines that name them), or BINDS, more options of nspawn, brings them in.
# SOCKETS is a smaller number where HAProxy may not open 41,000 files.
set -euo pipefail
folder=$(realpath "$1") log=${2:-/dev/stdout}
here=$(realpath "$(dirname "$0")/../..") base=$folder/base guide=$folder/guide.md
declare -A address=([own]=2 [lb1]=11 [lb2]=12 [web1]=21 [web2]=22 [work1]=31 [work2]=32
    [pg1]=41 [pg2]=42 [vk1]=51 [vk2]=52 [vk3]=53 [vault]=61)
declare -A nspawn leader
trees=$(for tree in /sys/fs/cgroup /sys/fs/cgroup/systemd /sys/fs/cgroup/unified; do
    if [ -f "$tree/cgroup.procs" ]; then echo "$tree"; fi
done)

made() { # the base of all machines: an ordinary small Debian with ssh
    local packages=systemd-sysv,dbus,apt-utils,ca-certificates,iproute2,openssh-server,procps
    debootstrap --variant=minbase --include=$packages bookworm "$base" >"$folder/debootstrap.log"
    if [ -x "$folder/before" ]; then "$folder/before" "$base"; fi
    rm -f "$base"/etc/ssh/ssh_host_*
    install -d -m 700 "$base/root/.ssh"
    ssh-keygen -q -t ed25519 -N '' -C own -f "$folder/own_key"
    cp "$folder/own_key.pub" "$base/root/.ssh/authorized_keys"
    ln -sf /lib/systemd/system/systemd-networkd.service "$base/etc/systemd/system/multi-user.target.wants/"
}

prepared() { # a machine: the base under a layer of its own, with its name, address and keys
    local name=$1 root=$folder/$1/root
    mkdir -p "$folder/$name/layer" "$folder/$name/work" "$root"
    mount -t overlay overlay -o "lowerdir=$base,upperdir=$folder/$name/layer,workdir=$folder/$name/work" "$root"
    echo "$name" >"$root/etc/hostname"
    echo "127.0.0.1 localhost" >"$root/etc/hosts"
    rm -f "$root/etc/machine-id"
    printf '[Match]\nName=host0\n[Network]\nAddress=10.0.0.%s/24\n' "${address[$name]}" \
        >"$root/etc/systemd/network/10-host0.network"
    ssh-keygen -q -A -f "$root"
    echo "$name,10.0.0.${address[$name]} $(cat "$root/etc/ssh/ssh_host_ed25519_key.pub")" >>"$folder/known_hosts"
}

opened() {
    local name=$1 tree
    # shellcheck disable=SC2086 # several options
    (
        for tree in $trees; do # a systemd counts the processes of its group, so each has its own
            mkdir -p "$tree/rehearsal-$name"
            echo "$BASHPID" >"$tree/rehearsal-$name/cgroup.procs"
        done
        exec setsid systemd-nspawn --register=no --keep-unit ${BINDS:-} --bind-ro="$folder/pasch.git:/srv/pasch.git" \
            --network-bridge=hosts --machine="$name" -D "$folder/$name/root" --boot --console=read-only
    ) </dev/null >"$folder/$name/boot.log" 2>&1 &
    nspawn[$name]=$!
    for _ in $(seq 120); do
        leader[$name]=$(pgrep -P "${nspawn[$name]}" | head -n 1 || true)
        if [ -n "${leader[$name]}" ] && inside "$name" systemctl is-system-running --wait >/dev/null 2>&1; then
            return
        fi
        sleep 1
    done
    echo "$name does not start; see $folder/$name/boot.log" >&2
    return 1
}

inside() { # run a program of a machine beside its systemd
    local name=$1
    shift
    nsenter -t "${leader[$name]}" -m -u -i -n -p -C -- /usr/bin/env -i \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
        CODE=/srv/pasch.git DEVICE=host0 SOCKETS="${SOCKETS:-20000}" PYTHONWARNINGS=ignore "$@"
}

closed() { # power all off, and remove their groups
    local name tree
    for name in "${!leader[@]}"; do kill -RTMIN+4 "${leader[$name]}" 2>/dev/null || true; done
    for name in "${!nspawn[@]}"; do
        for _ in $(seq 90); do
            if ! kill -0 "${nspawn[$name]}" 2>/dev/null; then break; fi
            sleep 1
        done
        kill -9 "${leader[$name]}" 2>/dev/null || true
        wait "${nspawn[$name]}" 2>/dev/null || true
        for tree in $trees; do
            find "$tree/rehearsal-$name" -depth -type d -exec rmdir {} + 2>/dev/null || true
        done
    done
}

# The commands of one heading; all but those of your own machine begin as the page says.
program() {
    if [[ "$1" != "On your own machine"* ]]; then
        sed -n 's/^    \(cd \/root && \. house\/values.*\)/\1/p' "$guide"
    else
        echo 'set -euo pipefail; cd /root'
    fi
    awk -v wanted="## $1" '/^## /{here = ($0 == wanted)} /^```sh/{code = here; next} /^```/{code = 0} code' "$guide"
}

hosts_of() { # the hosts of a heading, in its order
    echo "$1" | sed -e 's/^On //' -e 's/: .*//' -e 's/your own machine/own/' -e 's/,/ /g' -e 's/ and / /g'
}

rehearse() {
    local heading name
    while read -r heading; do
        if [[ "$heading" == *"a copy before the new version" ]]; then
            git -C "$folder/pasch.git" update-ref refs/heads/main "$version"
        fi
        printf '\n## %s\n' "$heading"
        for name in $(hosts_of "$heading"); do
            echo "$name:"
            program "$heading" >"$folder/$name/root/root/part"
            inside "$name" timeout 900 bash /root/part </dev/null 2>&1
        done
    done < <(sed -n 's/^## \(On .*\)/\1/p' "$guide")
}

mkdir -p "$folder"
if [ ! -d "$base/usr" ]; then made; fi
if [ -z "${INSIDE:-}" ]; then # a network and mounts that end with this program
    INSIDE=1 exec unshare --net --mount -- "$0" "$@"
fi
rm -rf "$folder/pasch.git" "$folder/known_hosts"
for name in "${!address[@]}"; do rm -rf "${folder:?}/$name"; done
git clone --quiet --bare "$here" "$folder/pasch.git"
version=$(git -C "$folder/pasch.git" rev-parse HEAD) # the committed one, whatever is committed meanwhile
git -C "$folder/pasch.git" show "$version:deploy/several-hosts.md" >"$guide"
git -C "$folder/pasch.git" update-ref refs/heads/main "$version~1"
git -C "$folder/pasch.git" symbolic-ref HEAD refs/heads/main
ip link set lo up
ip link add hosts type bridge mcast_snooping 0
ip link set hosts up
trap closed EXIT
for name in "${!address[@]}"; do prepared "$name"; done
install -m 600 "$folder/own_key" "$folder/own/root/root/.ssh/id_ed25519"
cp "$folder/known_hosts" "$folder/own/root/root/.ssh/known_hosts"
for name in "${!address[@]}"; do opened "$name"; done
inside own sh -c 'apt-get update -qq && apt-get install -qq -y --no-install-recommends git' >"$folder/own/git.log" 2>&1
rehearse | tee "$log"
