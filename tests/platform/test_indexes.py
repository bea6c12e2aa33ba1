"""Tables with many rows carry no index that another one covers."""

import pytest
from django.db import connection

pytestmark = pytest.mark.django_db

#: the tables that grow with every match (docs/growth.md)
GROWING = (
    "games_commandrecord", "games_diceroll", "games_eventpack", "games_gamedice", "games_match",
    "games_rollpack", "games_table", "games_tableevent", "ledger_account", "ledger_change",
    "ledger_entry", "ledger_transfer", "ratings_ratingchange",
)  # fmt: skip

#: plain indexes whose columns are the first ones of another whole index of the table
COVERED = """
    SELECT one.indexrelid::regclass::text FROM pg_index one JOIN pg_index other
      ON other.indrelid = one.indrelid AND other.indexrelid <> one.indexrelid
    WHERE one.indrelid = ANY (%s::regclass[]) AND NOT one.indisunique
      AND one.indpred IS NULL AND other.indpred IS NULL
      AND one.indexprs IS NULL AND other.indexprs IS NULL
      AND one.indclass[0] = other.indclass[0]
      AND other.indkey::text || ' ' LIKE one.indkey::text || ' %%'
"""


def test_no_index_of_a_growing_table_is_covered_by_another() -> None:
    with connection.cursor() as cursor:
        cursor.execute(COVERED, [[*GROWING]])
        assert [name for (name,) in cursor.fetchall()] == []
