"""The rows of cases are what the journal justifies, in the database and in the audit."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from accounts.login_marks import Acquaintance
from accounts.models import User
from fairplay.complaints import case_open_by_hand
from fairplay.leavers import conduct_note_ended
from fairplay.links import two_people_confirm, two_people_end
from fairplay.models import Case, CaseKind, Conduct
from games.models import Match
from harness.decisions import administrator, void_shown
from harness.wallets import handed_over, judged
from ledger.audit import AuditMark, AuditTurn, run
from ledger.models import Hold
from tests.aging import guards_off, rows_age

FORGED = (
    "INSERT INTO fairplay_opinion (case_id, number, reviewer_id, sanction, refund, for_them,"
    " reasons, made_at) VALUES (%s, 1, %s, 'closed', true, 'x', 'x', now())"
)
HELD = (
    "INSERT INTO ledger_hold (user_id, reference, amount_cents, reason_class, placed_at, ends_at,"
    " release_reason) VALUES (%s, %s, %s, 'dump', now(), now() + interval '1 hour', '')"
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


def _forged(case: Case, reviewer: Callable[[str], User]) -> User:
    """An opinion of this person around the guard, and an entry without one."""
    anna = reviewer("anna")
    with transaction.atomic():
        _write("ALTER TABLE fairplay_opinion DISABLE TRIGGER row_reasoned")
        _write(FORGED, case.pk, anna.pk)
        _write("SET CONSTRAINTS ALL IMMEDIATE")
        _write("ALTER TABLE fairplay_opinion ENABLE TRIGGER row_reasoned")
        _write(ENTRY, anna.pk, case.reference)
    return anna


def test_the_audit_finds_an_opinion_around_the_guard_and_an_entry_without_one(
    case: Case, reviewer: Callable[[str], User]
) -> None:
    anna = _forged(case, reviewer)
    assert _found("A24") == [f"user {anna.pk} did not give it in the journal"]
    assert _found("A25") == ["there is no such opinion"]


def test_the_audit_in_turns_finds_old_changes_and_old_entries_in_the_turn_of_their_table(
    case: Case, reviewer: Callable[[str], User]
) -> None:
    _forged(case, reviewer)
    later = AuditMark(0, timezone.now() + timedelta(days=1))
    for code in ("A24", "A25"):
        parts = [run((code,), since=later, turn=AuditTurn((part,), 3)) for part in range(3)]
        assert sorted(report.finding_count for report in parts) == [0, 0, 1]


def test_the_audit_finds_an_entry_about_two_people_no_longer_who_still_are(
    person: Callable[..., User], reviewer: Callable[[str], User]
) -> None:
    one, other, olga = person("one"), person("other"), reviewer("olga")
    for decide in (two_people_confirm, two_people_end):
        decide(one=one, other=other, actor=olga, reason="I know.", verified_at=timezone.now())
    assert _found("A24", "A25") == []
    rows_age(Acquaintance.objects.all(), ended_at=None)
    assert _found("A25") == ["nothing has ended"] * 2


def test_no_more_is_held_than_was_won_of_the_others_in_the_case(alarm: Case) -> None:
    hold = Hold.objects.get()
    other = hold.reference.replace("match:", "chouette:")
    loser = alarm.parties.exclude(user=hold.user).get().user_id
    for user_id, reference, cents in (
        (hold.user_id, hold.reference + "x", 1),
        (hold.user_id, other, 1),
        (loser, hold.reference, 1),
    ):
        with pytest.raises(IntegrityError, match="more than was won"), transaction.atomic():
            _write(HELD, user_id, reference, cents)
    assert _found("A24") == []
    rows_age(Hold.objects.all(), amount_cents=hold.amount_cents + 1)
    assert _found("A24") == ["is more than was won of the others whom its case accuses"]


def test_conduct_follows_from_how_matches_ended(
    person: Callable[..., User], dice: Callable[..., None]
) -> None:
    dice((3, 1), (4, 2))
    handed_over(person("giver"), person("taker"), mode="normal")
    conduct_note_ended()
    assert _found("F1") == []
    rows_age(Conduct.objects.exclude(fault=""), fault="")
    assert _found("F1") == ["is otherwise than its match ended"]
    with guards_off() as cursor:
        cursor.execute(
            "DELETE FROM fairplay_conduct WHERE id = (SELECT min(id) FROM fairplay_conduct)"
        )
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
