"""The processes of each host, and the configuration of every part that is not ours.

Eleven hosts: two load balancers (HAProxy), two web hosts, two hosts with a worker and a beat each,
a primary and a synchronous standby of PostgreSQL (Patroni), and three hosts for Valkey, of which
two have a server and all a sentinel. etcd has its three members on both hosts of PostgreSQL and on
the third host of Valkey.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

BALANCERS: Final = ("lb0", "lb1")
WEB: Final = ("web0", "web1")
WORK: Final = ("work0", "work1")
POSTGRES: Final = ("pg0", "pg1")
VALKEY: Final = ("vk0", "vk1")
WITNESS: Final = "vk2"
SENTINELS: Final = (*VALKEY, WITNESS)
ETCD: Final = (*POSTGRES, WITNESS)
HOSTS: Final = (*BALANCERS, *WEB, *WORK, *POSTGRES, *VALKEY, WITNESS)

#: the processes of each host, in the order in which they start.
PROCESSES: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(BALANCERS, ("haproxy",)),
    **dict.fromkeys(WEB, ("web",)),
    **dict.fromkeys(WORK, ("worker", "beat")),
    **dict.fromkeys(POSTGRES, ("etcd", "patroni")),
    **dict.fromkeys(VALKEY, ("valkey", "sentinel")),
    WITNESS: ("etcd", "sentinel"),
}

WEB_PORT: Final = 8000
SENTINEL_PORT: Final = 26379
VALKEY_NAME: Final = "pasch"
#: Patroni's least; a primary that is lost without a word is replaced after this and a little more.
PATRONI_TTL_SECONDS: Final = 20
SENTINEL_DOWN_MS: Final = 3000


def haproxy(addresses: Mapping[str, str], own: str) -> str:
    """A balancer's configuration: whoever is not ready gets nothing, and loses what it had."""
    servers = "\n".join(
        f"    server {name} {addresses[name]}:{WEB_PORT} check inter 1s fall 2 rise 1"
        " on-marked-down shutdown-sessions"
        for name in WEB
    )
    return f"""global
    maxconn 4000
defaults
    mode http
    timeout connect 2s
    timeout client 60s
    timeout server 60s
    timeout tunnel 1h
    timeout check 3s
    option redispatch
    retries 2
frontend house
    bind {own}:{WEB_PORT}
    option forwardfor
    default_backend web
backend web
    balance roundrobin
    option httpchk GET /health/ready/
    http-check send hdr Host {own}
    http-check expect status 200
{servers}
"""


def etcd(name: str, addresses: Mapping[str, str], data: Path) -> list[str]:
    """The command of a member of etcd."""
    own = addresses[name]
    members = ",".join(f"{each}=http://{addresses[each]}:2380" for each in ETCD)
    return [
        "etcd", "--name", name, "--data-dir", str(data),
        "--listen-client-urls", f"http://{own}:2379", "--advertise-client-urls",
        f"http://{own}:2379", "--listen-peer-urls", f"http://{own}:2380",
        "--initial-advertise-peer-urls", f"http://{own}:2380",
        "--initial-cluster", members, "--logger", "zap", "--log-level", "warn",
        "--heartbeat-interval", "200", "--election-timeout", "2000", "--unsafe-no-fsync",
    ]  # fmt: skip


def patroni(
    name: str, addresses: Mapping[str, str], data: Path, programs: Path, network: str
) -> str:
    """The configuration of a Patroni, as JSON, which is YAML."""
    own = addresses[name]
    told: dict[str, Any] = {
        "scope": "pasch",
        "name": name,
        "restapi": {"listen": f"{own}:8008", "connect_address": f"{own}:8008"},
        "etcd3": {"hosts": ",".join(f"{addresses[each]}:2379" for each in ETCD)},
        "bootstrap": {
            "dcs": {
                "ttl": PATRONI_TTL_SECONDS,
                "loop_wait": 2,
                "retry_timeout": 5,
                "maximum_lag_on_failover": 1048576,
                "synchronous_mode": True,
                "postgresql": {"use_pg_rewind": True},
            },
            "initdb": [
                {"encoding": "UTF8"},
                {"locale-provider": "builtin"},
                {"locale": "C.UTF-8"},
                {"auth": "trust"},
                "data-checksums",
            ],
        },
        "postgresql": {
            "listen": f"{own}:5432",
            "connect_address": f"{own}:5432",
            "data_dir": str(data / "data"),
            "bin_dir": str(programs),
            "pgpass": str(data / "pgpass"),
            "authentication": {
                kind: {"username": user, "password": "rehearsal"}
                for kind, user in (
                    ("superuser", "postgres"),
                    ("replication", "replicator"),
                    ("rewind", "rewinder"),
                )
            },
            "pg_hba": [
                "local all all trust",
                "host all all 127.0.0.1/32 trust",
                f"host all all {network} trust",
                f"host replication all {network} trust",
            ],
            "parameters": {
                "max_connections": 200,
                "unix_socket_directories": str(data),
                "shared_buffers": "128MB",
                "wal_keep_size": "256MB",
                "hot_standby_feedback": "on",
                "wal_sender_timeout": "6s",  # commits wait for a standby that was cut off
                "wal_receiver_timeout": "6s",
            },
        },
    }
    return json.dumps(told, indent=1)


def valkey(own: str, data: Path, primary: str) -> str:
    """The configuration of a server of Valkey: it keeps nothing on disk."""
    follows = "" if own == primary else f"replicaof {primary} 6379\n"
    return (
        f"bind {own}\nport 6379\nprotected-mode no\ndir {data}\nsave ''\nappendonly no\n"
        f"repl-diskless-sync-delay 0\nrepl-timeout 10\n{follows}"
    )


def sentinel(own: str, data: Path, primary: str) -> str:
    """The configuration of a sentinel, which writes into it later."""
    return (
        f"bind {own}\nport {SENTINEL_PORT}\nprotected-mode no\ndir {data}\n"
        f"sentinel monitor {VALKEY_NAME} {primary} 6379 2\n"
        f"sentinel down-after-milliseconds {VALKEY_NAME} {SENTINEL_DOWN_MS}\n"
        f"sentinel failover-timeout {VALKEY_NAME} 10000\n"
        f"sentinel parallel-syncs {VALKEY_NAME} 1\n"
    )


def database_url(addresses: Mapping[str, str], user: str) -> str:
    """The address of whichever PostgreSQL takes writes."""
    servers = ",".join(f"{addresses[name]}:5432" for name in POSTGRES)
    return f"postgresql://{user}@{servers}/pasch?target_session_attrs=read-write"


def valkey_url(addresses: Mapping[str, str]) -> str:
    """The address of whichever Valkey the sentinels name."""
    servers = ",".join(f"{addresses[name]}:{SENTINEL_PORT}" for name in SENTINELS)
    return f"redis+sentinel://{servers}/{VALKEY_NAME}/0"
