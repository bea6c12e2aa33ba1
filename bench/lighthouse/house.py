"""A furnished house on a free port, served as on the internet."""

import contextlib
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.lighthouse.program import ROOT, free_port

START_SECONDS: Final = 60


@dataclass(frozen=True, slots=True)
class Page:
    """A page and its reader: hilde, or a visitor without an account."""

    name: str
    path: str
    logged_in: bool = True


@contextlib.contextmanager
def house() -> Iterator[tuple[str, list[Page], dict[str, str]]]:
    """The house's address, its pages, and hilde's cookie."""
    from harness.servers import addresses, servers_start, servers_stop

    folder = Path(tempfile.mkdtemp(prefix=f"pasch-test-{os.getpid()}-"))
    os.environ.setdefault("PASCH_TEST_HOME", str(folder))
    servers_start()
    database, redis = addresses()
    port = free_port()
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "pasch.settings",
        "DATABASE_URL": database,
        "REDIS_URL": redis,
        "SECRET_KEY": "only-the-bench-signs-with-this-key-of-more-than-fifty-letters",
        "DICE_KEY": "only-the-bench-hides-its-dice-with-this-key-of-fifty-letters",
        "STATIC_ROOT": str(folder / "static"),
        "EMAIL_HOST": "127.0.0.1",
        "LEDGER_WELCOME_CENTS": "10000",
        "LEDGER_SEAL_FILE": str(folder / "seals.log"),
        "HTTPS": "0",
        "HOST": "127.0.0.1",
        "PORT": str(port),
        "WEB_WORKERS": "1",
        "DEBUG": "0",
    }
    try:
        pages, cookie = furnished()
        with served(folder / "serve.log", f"http://127.0.0.1:{port}/health/"):
            yield f"http://127.0.0.1:{port}", pages, cookie
    finally:
        servers_stop()


@contextlib.contextmanager
def served(log: Path, health: str) -> Iterator[None]:
    """The house's web server, from its first answer on."""
    with log.open("w") as lines:
        server = subprocess.Popen([sys.executable, "-m", "pasch.serve"], cwd=ROOT, stderr=lines)
    try:
        wait_for(health, server, log)
        yield
    finally:
        server.terminate()
        server.wait()


def furnished() -> tuple[list[Page], dict[str, str]]:
    """Migrate, collect the static files, furnish, and log hilde in."""
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.test import Client

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    from harness.shown_house import furnish

    shown = furnish(lambda *rolls: None)  # the house's own dice
    client = Client()
    client.force_login(shown.users["hilde"])
    key = settings.SESSION_COOKIE_NAME
    pages = [
        Page("welcome", "/", logged_in=False),
        Page("home", "/"),
        Page("lobby", "/play/"),
        Page("table", f"/table/{shown.playing.pk}/"),
        Page("watched", f"/table/{shown.watched.pk}/", logged_in=False),
        Page("learn", "/learn/", logged_in=False),
        Page("lesson", "/learn/hitting/", logged_in=False),
        Page("rules", "/rules/", logged_in=False),
        Page("plakoto", "/rules/plakoto/", logged_in=False),
        Page("profile", "/player/hilde/", logged_in=False),
        Page("ranking", "/ranking/", logged_in=False),
    ]
    return pages, {"name": key, "value": client.cookies[key].value}


def wait_for(health: str, server: "subprocess.Popen[bytes]", log: Path) -> None:
    """Until the web server answers."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and server.poll() is None:
        with contextlib.suppress(OSError):
            urllib.request.urlopen(health, timeout=2).close()
            return
        time.sleep(0.1)  # between tries; the deadline ends them
    raise SystemExit(f"The web server does not answer.\n{log.read_text()[-2000:]}")
