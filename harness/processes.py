"""The house as real processes that a test may kill: web server, worker and beat."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Self
from urllib.parse import quote, urlencode

from django.conf import settings
from django.db import connection

from harness.dice import DICE_FILE
from harness.home import free_port, group_kill, launched, status_of
from harness.waiting import wait_until

COMMANDS = {
    "web": ("-m", "pasch.serve"),
    "worker": (
        "-W", "ignore", "-m", "celery", "-A", "pasch", "--quiet", "--skip-checks", "worker",
        "--concurrency", "1", "--without-gossip", "--without-mingle", "--loglevel", "ERROR",
    ),
    "beat": (
        "-m", "celery", "-A", "pasch", "--quiet", "--skip-checks", "beat",
        "--pidfile=", "--loglevel", "ERROR",
    ),
    "analysis": ("manage.py", "analysis_worker", "--questions"),
    "analyst": ("manage.py", "analysis_worker", "--once"),
}  # fmt: skip


class Processes:
    """Processes that use the database of this test; at the end of a `with` they are killed."""

    def __init__(self, folder: Path, rolls: list[tuple[int, ...]]) -> None:
        dice = folder / "dice.txt"
        dice.write_text("\n".join(" ".join(map(str, roll)) for roll in rolls), encoding="ascii")
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.ready_at = "/health/"  # answers 200 once the web server counts as started
        self.log = folder / "log"
        inherited = {k: v for k, v in os.environ.items() if k != "DJANGO_ALLOW_ASYNC_UNSAFE"}
        self.environment = {
            **inherited,
            "DJANGO_SETTINGS_MODULE": "harness.process_settings",
            "DATABASE_URL": database_url(),
            "REDIS_URL": settings.REDIS_URL.split("?")[0],
            "PORT": str(self.port),
            DICE_FILE: str(dice),
        }

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.kill(*self.running)

    def start(self, *names: str) -> None:
        """Start these processes; the web server answers when this returns."""
        for name in names:
            self.running[name] = launched(
                [sys.executable, *COMMANDS[name]], self.environment, log=self.log
            )
        if "web" in names:
            self._wait_for_web()

    def kill(self, *names: str) -> None:
        """End these processes as a power cut would: they cannot react."""
        for name in names:
            group_kill(self.running.pop(name))

    def _wait_for_web(self) -> None:
        def answers() -> bool:
            assert self.running["web"].poll() is None, "the web server ended at once"
            return 200 <= status_of(f"{self.address}{self.ready_at}") < 400

        wait_until(answers, "the web server does not answer")


def database_url() -> str:
    """The address of the database that this test runs in, as an URL."""
    connection.ensure_connection()
    at = connection.connection.info
    place = urlencode({"host": at.host, "port": at.port})
    return f"postgresql://{quote(at.user)}:{quote(at.password)}@/{at.dbname}?{place}"
