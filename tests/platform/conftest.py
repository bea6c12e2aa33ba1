"""A house with servers of its own, which a test may stop."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connections

from harness.processes import Processes
from harness.servers import addresses
from pasch.servers.embedded import (
    Home,
    postgres_program,
    postgres_start,
    postgres_stop,
    valkey_start,
    valkey_stop,
)


def schema_copy(home: Home) -> None:
    """Copy the migrated database of this test to the new server: quicker than migrating."""
    name = connections["default"].settings_dict["NAME"]
    source = addresses()[0].replace("/pasch?", f"/{name}?")
    dump = [postgres_program("pg_dump"), "--no-owner", "--no-privileges", "-d", source]
    text = subprocess.run(dump, capture_output=True, check=True).stdout
    load = [postgres_program("psql"), "-q", "-v", "ON_ERROR_STOP=1", "-d", home.database_url()]
    subprocess.run(load, input=text, check=True, stdout=subprocess.DEVNULL)


@pytest.fixture
def servers_of_its_own(transactional_db: None) -> Iterator[Home]:
    """A PostgreSQL with the tables of the house, and a Valkey."""
    home = Home(Path(tempfile.mkdtemp(prefix="pasch-away-")))
    try:
        postgres_start(home)
        valkey_start(home)
        schema_copy(home)
        yield home
    finally:
        valkey_stop(home)
        postgres_stop(home, at_once=True)
        shutil.rmtree(home.root)


@pytest.fixture
def house(servers_of_its_own: Home, tmp_path: Path) -> Iterator[Processes]:
    """One web process on it."""
    with Processes(tmp_path, []) as house:
        house.environment |= {"DATABASE_URL": servers_of_its_own.database_url(), "WEB_WORKERS": "1"}
        house.environment["REDIS_URL"] = servers_of_its_own.redis_url
        house.environment |= {"ALLOWED_HOSTS": "127.0.0.1", "EMBEDDED": "1"}
        house.start("web")
        yield house
