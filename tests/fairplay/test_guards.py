"""The rows of cases are what the journal justifies, in the database and in the audit."""

import re
from collections.abc import Callable

import pytest
from django.db import IntegrityError, connection, transaction

from accounts.models import User
from fairplay.leavers import conduct_note_ended
from fairplay.models import Case, CaseKind, Conduct
from fairplay.opening import case_open_by_hand
from games.models import Match
from harness.decisions import administrator, void_shown
from harness.handovers import handed_over, judged
from ledger.audit import run
from tests.aging import rows_age

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
        people=[person("mallory")], kind=CaseKind.ENGINE, words="odd", actor=reviewer("olga")
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


def test_conduct_follows_from_how_matches_ended(
    person: Callable[..., User], dice: Callable[..., None]
) -> None:
    dice((3, 1), (4, 2))
    handed_over(person("giver"), person("taker"), mode="normal")
    conduct_note_ended()
    assert _found("F1") == []
    rows_age(Conduct.objects.exclude(fault=""), fault="")
    assert _found("F1") == ["is otherwise than its match ended"]
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        cursor.execute(
            "DELETE FROM fairplay_conduct WHERE id = (SELECT min(id) FROM fairplay_conduct)"
        )
        cursor.execute("SET session_replication_role = origin")
    assert any(fault.startswith("has no conduct of user") for fault in _found("F1"))


def test_conduct_stays_true_when_its_match_is_voided_later(
    person: Callable[..., User], dice: Callable[..., None]
) -> None:
    dice((3, 1), (4, 2))
    match = handed_over(person("giver"), person("taker"), mode="normal")
    conduct_note_ended()
    void_shown(match.pk, administrator("ida"))
    assert Match.objects.get().ended_at > match.ended_at
    assert _found("F1") == []


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE fairplay_case SET waits_until = now()",
        "UPDATE fairplay_case SET state = 'lapsed', closed_at = now(), waits_until = NULL",
        "UPDATE games_bar SET lifted_at = now()",
        "UPDATE ledger_hold SET released_at = now(), release_reason = 'cleared'",
        "UPDATE ledger_hold SET ends_at = ends_at + interval '1 day'",
        "DELETE FROM fairplay_screening",
        "UPDATE fairplay_screening SET facts = '{}'",
    ],
)
def test_nothing_of_an_open_case_changes_before_people_have_decided(
    alarm: Case, change: str
) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        _write(change)
    assert _found("A24", "A25") == []


def _write(statement: str, *values: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def _found(*codes: str) -> list[str]:
    """The messages of these checks, without who and when."""
    messages = [found.message for result in run(codes).results for found in result.findings]
    return [re.sub(r"(, by| \(entry) .*", "", message) for message in messages]
