"""PostgreSQL's own programs for backups."""

import os
import subprocess
from pathlib import Path

from pasch.servers.complaints import cause
from pasch.servers.embedded import EmbeddedError, postgres_program


def run(program: str, *arguments: str | Path) -> str:
    """Run one of PostgreSQL's programs and return its output. Raises `EmbeddedError`."""
    command = [str(postgres_program(program)), *map(str, arguments)]
    environment = {**os.environ, "LC_ALL": "C"}
    result = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if result.returncode:
        reason = cause(result.stderr or result.stdout)
        raise EmbeddedError("backup_failed", f"{program} failed: {reason}.")
    return result.stdout
