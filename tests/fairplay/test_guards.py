"""The rows of cases are what the journal justifies, in the database and in the audit."""

import re
from collections.abc import Callable

import pytest
from django.db import IntegrityError, connection, transaction

from accounts.models import User
from fairplay.models import Case, Kind
from fairplay.opening import case_open_by_hand
from ledger.audit import run
from tests.fairplay.conftest import judged

FORGED = (
    "INSERT INTO fairplay_opinion (case_id, number, reviewer_id, sanction, refund, for_them,"
    " reasons, made_at) VALUES (%s, 1, %s, 'closed', true, 'x', 'x', now())"
)
ENTRY = (
    "INSERT INTO ledger_journalentry (actor_id, verb, subject, before, after, reason)"
    " VALUES (%s, 'case.opinion', %s, '{}', '{\"opinion\": 99}', 'x')"
)


@pytest.fixture
def case(person: Callable[..., User], reviewer: Callable[[str], User]) -> Case:
    return case_open_by_hand(
        people=[person("mallory")], kind=Kind.ENGINE, words="odd", actor=reviewer("olga")
    )


def test_an_opinion_needs_its_journal_entry_and_a_reviewer(
    case: Case, person: Callable[..., User], reviewer: Callable[[str], User]
) -> None:
    for forger, why in ((reviewer("anna"), "did not give it"), (person("pia"), "had no right")):
        with pytest.raises(IntegrityError, match=why), transaction.atomic():
            _write(FORGED, case.pk, forger.pk)
    judged(case, reviewer("bert"))
    assert _found("A24", "A25") == []


def test_the_audit_finds_an_opinion_around_the_guard_and_an_entry_without_one(
    case: Case, reviewer: Callable[[str], User]
) -> None:
    anna = reviewer("anna")
    with transaction.atomic():
        _write("ALTER TABLE fairplay_opinion DISABLE TRIGGER row_reasoned")
        _write(FORGED, case.pk, anna.pk)
        _write("SET CONSTRAINTS ALL IMMEDIATE")
        _write("ALTER TABLE fairplay_opinion ENABLE TRIGGER row_reasoned")
        _write(ENTRY, anna.pk, case.reference)
    assert _found("A24") == [f"user {anna.pk} did not give it in the journal"]
    assert _found("A25") == ["there is no such opinion"]


def _write(statement: str, *values: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def _found(*codes: str) -> list[str]:
    """The messages of these checks, without who and when."""
    messages = [found.message for result in run(codes).results for found in result.findings]
    return [re.sub(r"(, by| \(entry) .*", "", message) for message in messages]
