"""The planted faults fit the current code: all that they replace or remove exists."""

import subprocess
import sys

import pytest
from django.db import connection, transaction

from bench.soak import swapping
from bench.soak.planted import PLANTED, trusting
from bench.soak.plants import PLANTS
from bench.soak.swapping import changed, swap
from tests.architecture.sources import ROOT

ALL = """
import os, django
os.environ["DJANGO_SETTINGS_MODULE"] = "harness.settings"
django.setup()
from bench.soak.plants import PLANTS, plant
for name in PLANTS:
    plant(name)
"""


def test_an_invariant_that_the_fault_does_not_violate_is_no_finding_of_it():
    rake = PLANTED["rake_rounded_up"]
    assert rake.found_by(["I10", "I0"]) == []
    assert rake.found_by(["I10", "I4", "I1", "I4"]) == ["I1", "I4"]


def test_what_a_guard_of_the_database_refuses_is_a_find_too():
    late = PLANTED["chouette_journal_after_the_commit"]
    refused = {"chouette_place_follows": 3}
    assert late.verdict(["I18", "I0"], refused) == "found by I18"
    assert late.verdict(["I0"], refused) == "refused by chouette_place_follows"
    assert late.verdict(["I0"], {}) == ""


def test_there_are_twenty_and_each_is_planted():
    assert len(PLANTED) == 20
    assert set(PLANTED) == set(PLANTS)


@pytest.mark.slow
def test_what_they_replace_is_there():
    told = subprocess.run(
        [sys.executable, "-c", ALL], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stderr


@pytest.mark.django_db(transaction=True)
def test_the_guards_they_take_away_are_there():
    for planted in PLANTED.values():
        with transaction.atomic(), connection.cursor() as cursor:
            for statement in planted.sql:
                cursor.execute(statement)
            transaction.set_rollback(True)


@pytest.mark.django_db
def test_the_way_into_the_books_can_be_made_trusting():
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_get_functiondef(oid) FROM pg_proc WHERE proname = 'ledger_post'")
        function = cursor.fetchone()[0]
    assert "ON CONFLICT (key)" in function
    assert "ON CONFLICT (key)" not in trusting(function)
    with pytest.raises(ValueError, match="ledger_post has changed"):
        trusting(trusting(function))


def test_a_replacement_that_takes_other_arguments_is_refused(monkeypatch):
    monkeypatch.setattr(swapping, "changed", changed)  # put back afterwards
    with pytest.raises(TypeError, match="changed takes other arguments by now"):
        swap(swapping, "changed", lambda text: text)
    assert swapping.changed is changed
    swap(swapping, "changed", lambda text, *more: text)
    assert swapping.changed is not changed
