"""Databases of earlier versions, restored from their dumps beside the tests' own."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import psycopg
from django.db import connection
from psycopg.conninfo import make_conninfo

from tests.architecture.sources import ROOT

APPLICATION = """
    DO $$ BEGIN
        CREATE ROLE pasch_app LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END $$
"""
"""The role that houses grant rights to belongs to the server, not to the database."""

Run = Callable[..., subprocess.CompletedProcess[str]]


@contextmanager
def restored(dump: str, suffix: str) -> Iterator[psycopg.Connection]:
    """A database of its own, on the server of the tests, with what a dump contains."""
    params = connection.get_connection_params()
    server = {"host": str(params["host"]), "user": str(params["user"])}
    name = f"{params['dbname']}_{suffix}"
    text = "\n".join(line for line in dump.splitlines() if not line.startswith("\\"))
    maintenance = make_conninfo(**server, dbname="postgres")
    with psycopg.connect(maintenance, autocommit=True) as keeper:
        keeper.execute(APPLICATION)
        keeper.execute(f"DROP DATABASE IF EXISTS {name}")
        keeper.execute(f"CREATE DATABASE {name}")
        try:
            with psycopg.connect(make_conninfo(**server, dbname=name), autocommit=True) as house:
                house.execute(text)
                house.execute("SET search_path = public")
                yield house
        finally:
            keeper.execute(f"DROP DATABASE {name} WITH (FORCE)")


def python_of(house: psycopg.Connection, seals: Path, **more: str) -> Run:
    """Run Python with today's code against a restored house."""
    info = house.info
    ours = {
        "DATABASE_URL": f"postgres://{info.user}@/{info.dbname}?host={quote(info.host, safe='')}",
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "LEDGER_SEAL_FILE": str(seals),
        **more,
    }

    def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *map(str, arguments)],
            cwd=ROOT,
            env={**os.environ, **ours},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def managed(run: Run) -> Run:
    """Run management commands of today's version."""
    return lambda *arguments: run("manage.py", *arguments)
