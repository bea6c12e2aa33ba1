"""How every host stands, asked from outside: which server leads, and what is not well."""

import contextlib
import json
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Final

import redis

from bench.machines import hosts

ASK_SECONDS: Final = 3


@dataclass(frozen=True, slots=True)
class Standing:
    """Asks the hosts at these addresses."""

    addresses: dict[str, str]

    def postgres_primary(self) -> str | None:
        """The host whose PostgreSQL takes writes, if there is one."""
        for name in hosts.POSTGRES:
            if self.patroni(name).get("role") in ("primary", "master"):
                return name
        return None

    def host_of(self, role: str) -> str:
        """The host that is `primary`, `standby`, `valkey` (the primary of Valkey) or `replica`."""
        both, ask = {
            "primary": (hosts.POSTGRES, self.postgres_primary),
            "valkey": (hosts.VALKEY, self.valkey_primary),
            "standby": (hosts.POSTGRES, self.postgres_primary),
            "replica": (hosts.VALKEY, self.valkey_primary),
        }[role]
        leads = ask() or both[0]
        return leads if role in ("primary", "valkey") else next(n for n in both if n != leads)

    def patroni(self, name: str) -> dict[str, object]:
        """The answer of a Patroni about its own PostgreSQL; empty if it does not answer."""
        address = f"http://{self.addresses[name]}:8008/patroni"
        with contextlib.suppress(OSError, ValueError):
            told = _get(address)[1]
            found: dict[str, object] = json.loads(told)
            return found if found.get("state") == "running" else {}
        return {}

    def cluster(self) -> list[dict[str, object]]:
        """The members of the cluster as some Patroni sees them; empty if none answers."""
        for name in hosts.POSTGRES:
            address = f"http://{self.addresses[name]}:8008/cluster"
            with contextlib.suppress(OSError, ValueError, KeyError):
                members: list[dict[str, object]] = json.loads(_get(address)[1])["members"]
                return members
        return []

    def valkey_primary(self) -> str | None:
        """The host that the sentinels name, if it answers as a primary and has its replica."""
        for name in hosts.SENTINELS:
            with contextlib.suppress(redis.RedisError):
                client = self._valkey_client(name, hosts.SENTINEL_PORT)
                told = client.sentinel_get_master_addr_by_name(hosts.VALKEY_NAME)
                if told:
                    found = {a: n for n, a in self.addresses.items()}
                    return found.get(str(told[0]))
        return None

    def valkey_failover(self) -> None:
        """Let the sentinels move the primary of Valkey."""
        sentinel = self._valkey_client(hosts.WITNESS, hosts.SENTINEL_PORT)
        sentinel.sentinel_failover(hosts.VALKEY_NAME)

    def _valkey_is_well(self) -> bool:
        name = self.valkey_primary()
        if name is None:
            return False
        with contextlib.suppress(redis.RedisError):
            told = self._valkey_client(name, 6379).info("replication")
            return bool(told["role"] == "master" and told["connected_slaves"] == 1)
        return False

    def _valkey_client(self, name: str, port: int) -> redis.Redis:
        return redis.Redis(
            host=self.addresses[name], port=port, decode_responses=True,
            socket_timeout=ASK_SECONDS, socket_connect_timeout=ASK_SECONDS,
        )  # fmt: skip

    def _postgres_is_well(self) -> bool:
        members = self.cluster()
        roles = sorted((str(m.get("role")), str(m.get("state"))) for m in members)
        return roles in (
            [("leader", "running"), ("sync_standby", "streaming")],
            [("leader", "running"), ("sync_standby", "running")],
        )

    def answer(self, name: str) -> int:
        """The status of a host's page for balancers; 0 if it does not answer."""
        address = f"http://{self.addresses[name]}:{hosts.WEB_PORT}/health/ready/"
        try:
            return _get(address)[0]
        except OSError:
            return 0

    def faults(self) -> list[str]:
        """Everything that is not well, in words."""
        found = [f"{name} answers {status or 'nothing'}"
                 for name in (*hosts.WEB, *hosts.BALANCERS)
                 if (status := self.answer(name)) != 200]  # fmt: skip
        if not self._postgres_is_well():
            found.append(f"PostgreSQL: {self.cluster()}")
        if not self._valkey_is_well():
            found.append("Valkey has no primary with a replica")
        return found


def _get(address: str) -> tuple[int, bytes]:
    try:
        with urllib.request.urlopen(address, timeout=ASK_SECONDS) as answer:
            return int(answer.status), answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()
