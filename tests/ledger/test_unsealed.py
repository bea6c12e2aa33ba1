"""A22 finds a stream that the sealer leaves out, but not sealing that is late as a whole."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction

from accounts.models import User
from ledger import seals
from ledger.audit import run
from ledger.models import Seal
from ledger.seal_places import streams
from ledger.seals import books_seal

pytestmark = pytest.mark.django_db(transaction=True)


def left_out() -> list[str]:
    (result,) = run(["A22"]).results
    return [f"{finding.row}: {finding.message}" for finding in result.findings]


def years_pass(**interval: int) -> None:
    """Move all rows into the past by this much."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        for table, column in [("transfer", "created_at"), ("change", "made_at")]:
            cursor.execute(
                f"UPDATE ledger_{table} SET {column} = {column} - %s", [timedelta(**interval)]
            )


def test_a_stream_that_is_left_out_is_named(magriel: User, monkeypatch: Any) -> None:
    years_pass(minutes=10)
    kept = [stream for stream in streams() if stream.name != "transfer"]
    monkeypatch.setattr(seals, "streams", lambda: kept)
    assert books_seal()
    (found,) = left_out()
    assert found.startswith("stream transfer: 1 rows since")


def test_nothing_is_found_when_everything_is_sealed(magriel: User) -> None:
    years_pass(minutes=10)
    assert {seal.stream for seal in books_seal()} >= {"transfer", "change"}
    assert left_out() == []


def test_a_sealer_that_does_not_run_is_no_finding(magriel: User) -> None:
    years_pass(minutes=10)
    assert not Seal.objects.exists()
    assert left_out() == []
