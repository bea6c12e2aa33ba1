"""This machine: its disks, its clock and its static files."""

import shutil
import time
from pathlib import Path
from typing import Final

from django.conf import settings

from pasch.assets.prepared import is_collected
from pasch.doctor.inside.postgresql import row
from pasch.doctor.registry import Diagnosis, inside, ok, warning, wrong
from pasch.observability.parts import folders_written

MIB: Final = 1024**2
FREE_WARNING_BYTES, FREE_WRONG_BYTES = 2048 * MIB, 512 * MIB
FREE_WARNING_SHARE: Final = 0.05
CLOCK_WARNING_SECONDS, CLOCK_WRONG_SECONDS = 1.0, 10.0


@inside()
def disk() -> Diagnosis:
    """The folders that the house writes have space left."""
    least, folder, share = min(_free(folder) for folder in folders_written())
    text = f"{least / MIB:,.0f} MiB ({share:.0%}) are free for {folder}"
    if least < FREE_WRONG_BYTES:
        return wrong(text, "make space now: a full disk stops the house")
    if least < FREE_WARNING_BYTES or share < FREE_WARNING_SHARE:
        return warning(text, "make space")
    return ok(text)


@inside("postgresql")
def clock() -> Diagnosis:
    """The clocks of this machine and of PostgreSQL agree; the latter decides about time limits."""
    before = time.time()
    (theirs,) = row("SELECT extract(epoch FROM clock_timestamp())::float8")
    off = (before + time.time()) / 2 - theirs
    text = f"the clock of this machine differs from PostgreSQL's by {abs(off):.1f} s"
    todo = "let both follow a time server: second factors fail, and logs do not fit together"
    if abs(off) > CLOCK_WRONG_SECONDS:
        return wrong(text, todo)
    return warning(text, todo) if abs(off) > CLOCK_WARNING_SECONDS else ok(text)


@inside()
def static_files() -> Diagnosis:
    """The collected scripts and pictures are those of this version."""
    if not is_collected():
        text = f"the static files in {settings.STATIC_ROOT} are missing or of another version"
        return wrong(text, "run manage.py prepare --files")
    return ok(f"static files are collected in {settings.STATIC_ROOT}")


def _free(folder: Path) -> tuple[int, str, float]:
    usage = shutil.disk_usage(folder)
    return usage.free, str(folder), usage.free / usage.total
