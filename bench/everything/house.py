"""The house that everything is played in: the soak's, with one web server and no frame limit."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from bench.soak.house import House, HouseError

WEB: Final = "web0"
PROCESSES: Final = (WEB, "worker", "beat")


@dataclass(slots=True)
class WholeHouse(House):
    """Both servers, a web server that takes frames as fast as programs send them, worker, beat."""

    def command(self, name: str, clock_s: int = 0) -> list[str]:
        """How a process is started: the web server behind the launcher that lifts the limit."""
        if name == WEB:
            return [sys.executable, "-m", "bench.live.launch", "--", "pasch.serve"]
        return House.command(self, name, clock_s)

    def open(self) -> None:
        """Start every process and wait until the web server answers."""
        for name in PROCESSES:
            self.start(name)
        self.wait_for(WEB)

    @property
    def address(self) -> str:
        """Host and port of the web server."""
        return f"127.0.0.1:{self.ports[WEB]}"


@contextmanager
def opened(players: int) -> Iterator[tuple[WholeHouse, list[dict[str, Any]]]]:
    """An open house with this many players, each with name, id and session. Raises `HouseError`."""
    house = WholeHouse()
    try:
        house.open_servers()
        owner = {**house.environment, "DATABASE_URL": house.home.database_url()}
        furnished = house.run(["-m", "bench.soak.furnish", str(players)], owner)
        if furnished.returncode:
            raise HouseError(f"the house cannot be furnished:\n{furnished.stderr[-2000:]}")
        house.open()
        yield house, json.loads(furnished.stdout)["players"]
    finally:
        house.close()
