"""The web server, the same for playing at home and for a house on the internet.

`python -m pasch.serve` checks the settings, refuses to start on any error, and then serves HTTP and
WebSocket with uvicorn in `WEB_WORKERS` processes on `HOST`:`PORT`.
"""

import gc
import os
import shutil
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import psutil
import uvicorn
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from uvicorn.config import STARTUP_FAILURE
from uvicorn.importer import import_from_string

from pasch.environment import whole
from pasch.web.frame_socket import FrameSocket
from pasch.web.heads import LimitedHttp
from pasch.web.processes import WebProcesses

SITE = "pasch.asgi:application"
WS_FRAME_BYTES_MAX = 16_384  # a move is a few hundred bytes; nothing honest is larger
WS_PING_SECONDS = 20
FIGURES = "pasch-figures-"
#: new things, and searches among newer ones, before garbage is searched for; usually 700, 10, 10.
#: Each search among the oldest goes through every table at hand: a third of a busy server's time.
GARBAGE_THRESHOLDS = (50_000, 20, 50)
#: threads that compute pages give way to the event loop of those who play; usually 0.005.
SWITCH_SECONDS = 0.0005
STOP_SECONDS = 3  # open sockets reconnect by themselves; there is no use in waiting for them


def main(application: str = SITE) -> int:
    """Check the settings, then serve `application` until a signal ends it; the exit status."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pasch.settings")
    os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", str(_figures_folder()))
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.disable()  # while the site is loaded there is no garbage, and looking for it takes long
    if not _settings_are_sound():
        return 1
    try:
        port = whole("PORT", 8000, least=1, most=65_535)
    except ImproperlyConfigured as error:
        return _refused(error)
    config = _configuration(application, port)
    gc.set_threshold(*GARBAGE_THRESHOLDS)
    gc.freeze()  # else the first search for garbage in each process copies what they share
    gc.enable()
    if settings.WEB_WORKERS > 1:
        from house.reader import house_rest  # its models want Django to be set up

        house_rest()  # a check may have read the settings of the house, in a thread
        return WebProcesses(config, settings.WEB_WORKERS).run()
    server = uvicorn.Server(config)
    with suppress(KeyboardInterrupt):  # it came from the terminal, and everything is finished
        server.run()
    return 0 if server.started else STARTUP_FAILURE


def _configuration(application: str, port: int) -> uvicorn.Config:
    """An application, loaded from `module:name`, and how it is served."""
    return uvicorn.Config(
        import_from_string(application),
        host=os.environ.get("HOST", "127.0.0.1"),
        port=port,
        loop="uvloop",
        http=LimitedHttp,
        ws=FrameSocket,
        ws_max_size=WS_FRAME_BYTES_MAX,
        ws_ping_interval=WS_PING_SECONDS,
        ws_ping_timeout=WS_PING_SECONDS,
        ws_per_message_deflate=False,
        lifespan="on",
        proxy_headers=False,  # pasch/asgi.py sees to them
        server_header=False,
        access_log=False,
        log_config=None,  # Django's settings say how and where
        log_level="warning",
        timeout_graceful_shutdown=STOP_SECONDS,
    )


def _figures_folder() -> Path:
    """A folder in which the web processes count together (pasch/observability/metrics.py).

    Those of servers that have ended are removed: many end in ways that leave no time to.
    """
    for folder in Path(tempfile.gettempdir()).glob(f"{FIGURES}*-*"):
        pid = folder.name.removeprefix(FIGURES).split("-")[0]
        if pid.isdigit() and not psutil.pid_exists(int(pid)):
            shutil.rmtree(folder, ignore_errors=True)
    return Path(tempfile.mkdtemp(prefix=f"{FIGURES}{os.getpid()}-"))


def _settings_are_sound() -> bool:
    """Run Django's checks, with those for deployment where the house is not an embedded one."""
    import django
    from django.core.management import CommandError, call_command
    from django.db import OperationalError

    try:
        django.setup()
        call_command("check", deploy=not settings.EMBEDDED)
        call_command("check", tags=["database"], databases=["default"])
    except (CommandError, ImproperlyConfigured) as error:
        return not _refused(error)
    except OperationalError as error:
        reason = str(error).strip().splitlines()[0]
        return not _refused(f"no database answers: {reason}")
    return True


def _refused(reason: object) -> int:
    """Say in one sentence why the house stays closed; the exit status."""
    sys.stderr.write(f"The web server does not start: {reason}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
