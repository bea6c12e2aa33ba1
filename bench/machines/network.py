"""Hosts as network namespaces on one bridge: each has an address, and its cable can be pulled."""

import contextlib
import ipaddress
import os
import secrets
import shutil
import subprocess
from dataclasses import dataclass, field
from typing import Final

#: what a slow cable carries: a table needs about a kilobyte a second, a page 100.
SLOW: Final = ("rate", "256kbit", "burst", "16kb", "latency", "2s")
NETWORKS: Final = ipaddress.ip_network("10.77.0.0/16")
PREFIX_BITS: Final = 24


class NetworkError(Exception):
    """This machine cannot carry the network; the text says why."""


def check() -> None:
    """Raise `NetworkError` where namespaces cannot be made."""
    if os.geteuid() != 0:
        raise NetworkError("Network namespaces need root: run this command as root.")
    for program in ("ip", "tc", "setpriv"):
        if shutil.which(program) is None:
            raise NetworkError(f"The program {program} is missing (Debian: iproute2, util-linux).")


@dataclass(slots=True)
class Network:
    """One bridge in this machine's own namespace, and a cable from it to each host."""

    mark: str = field(default_factory=lambda: secrets.token_hex(2))
    hosts: dict[str, str] = field(default_factory=dict)
    """The address of each host by its name."""
    subnet: ipaddress.IPv4Network | ipaddress.IPv6Network = field(init=False)

    def __post_init__(self) -> None:
        taken = _run("ip", "-o", "-4", "addr", "show")
        free = [
            each for each in NETWORKS.subnets(new_prefix=PREFIX_BITS)
            if f"{each.network_address + 1}/" not in taken
        ]  # fmt: skip
        self.subnet = secrets.choice(free)

    @property
    def bridge(self) -> str:
        """The name of the bridge."""
        return f"pasch-{self.mark}"

    @property
    def own(self) -> str:
        """The address of this machine, where players and administrators sit."""
        return str(self.subnet.network_address + 1)

    def open(self, *names: str) -> None:
        """Make the bridge and every host."""
        _run("ip", "link", "add", self.bridge, "type", "bridge")
        _run("ip", "addr", "add", f"{self.own}/{PREFIX_BITS}", "dev", self.bridge)
        _run("ip", "link", "set", self.bridge, "up")
        for number, name in enumerate(names, start=11):
            self._add(name, str(self.subnet.network_address + number))

    def _add(self, name: str, address: str) -> None:
        space, cable = self.space(name), self.cable(name)
        _run("ip", "netns", "add", space)
        _run("ip", "link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", space)
        _run("ip", "link", "set", cable, "master", self.bridge, "up")
        inside = ("ip", "-n", space)
        _run(*inside, "addr", "add", f"{address}/{PREFIX_BITS}", "dev", "eth0")
        _run(*inside, "link", "set", "eth0", "up")
        _run(*inside, "link", "set", "lo", "up")
        self.hosts[name] = address

    def space(self, name: str) -> str:
        """The name of a host's namespace."""
        return f"pasch-{self.mark}-{name}"

    def cable(self, name: str) -> str:
        """The name of the end of a host's cable at the bridge; 15 letters at most."""
        return f"p{self.mark}-{name}"

    def inside(self, name: str) -> list[str]:
        """The words that run a command on a host."""
        return ["ip", "netns", "exec", self.space(name)]

    def pids(self, name: str) -> list[int]:
        """The processes that run on a host."""
        return [int(pid) for pid in _run("ip", "netns", "pids", self.space(name)).split()]

    def cut(self, name: str) -> None:
        """Pull the cable: nothing arrives, and nobody learns that the other end is gone."""
        _run("ip", "link", "set", self.cable(name), "down")

    def slow(self, name: str) -> None:
        """Let little through, in both directions."""
        _run("tc", "qdisc", "replace", "dev", self.cable(name), "root", "tbf", *SLOW)
        inside = ("tc", "-n", self.space(name))
        _run(*inside, "qdisc", "replace", "dev", "eth0", "root", "tbf", *SLOW)

    def heal(self, name: str) -> None:
        """Plug the cable in again, at full speed."""
        _run("ip", "link", "set", self.cable(name), "up")
        with contextlib.suppress(NetworkError):
            _run("tc", "qdisc", "del", "dev", self.cable(name), "root")
        with contextlib.suppress(NetworkError):
            _run("tc", "-n", self.space(name), "qdisc", "del", "dev", "eth0", "root")

    def close(self) -> None:
        """Remove every host and the bridge; safe to call again."""
        for name in list(self.hosts):
            with contextlib.suppress(NetworkError):
                _run("ip", "netns", "del", self.space(name))
            with contextlib.suppress(NetworkError):
                _run("ip", "link", "del", self.cable(name))
            del self.hosts[name]
        with contextlib.suppress(NetworkError):
            _run("ip", "link", "del", self.bridge)


def _run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NetworkError(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout
