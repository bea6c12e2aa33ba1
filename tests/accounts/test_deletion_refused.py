"""Deleting an account against attacks, at the same moment as other things, and at the desk."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import Error, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.decisions import IdentityKind
from accounts.deletions import AccountDeletion, DeletionOutcome
from accounts.identity import IdentityRefused
from accounts.models import Mailbox, User
from accounts.signals import access_ended
from accounts.tokens import token_find, token_make
from games.models import Match, Table
from games.services.tables import table_join, table_open
from games.table.errors import TableError
from harness.logins import logged_in
from harness.wallets import credits_bought, credits_spent, payout_asked
from ledger.audit import run
from ledger.errors import LedgerError
from ledger.models import Account, JournalEntry, Payout
from ledger.services.adjustments import adjustment_make
from ledger.services.books import stakes_escrow
from ledger.services.limits import exclusion_start
from pasch.deletion import DeletionRefused, Obstacle, deletion_keep, deletions_finish
from tests.accounts.conftest import PASSWORD
from tests.accounts.deleting import (
    ask,
    decide,
    delete,
    hilde,
    magriel,
    obstacle,
    person_with,
    staff,
    wait_over,
)
from tests.aging import guards_off
from tests.desk.conftest import at_desk
from tests.services.conftest import race

__all__ = ["hilde", "magriel", "race", "staff"]

pytestmark = pytest.mark.django_db(transaction=True)
PATH = "/account/delete/"


# --- attacks and races ----------------------------------------------------------------------------


def test_a_session_without_the_password_deletes_nothing(magriel: User) -> None:
    for proved_ago in (3600, None):
        client = logged_in(Client(), magriel, proved_ago=proved_ago)
        for send in (client.get, client.post):
            answer = send(PATH, {"confirm": "yes"})
            assert answer["location"].startswith("/accounts/reauthenticate/")
    assert not AccountDeletion.objects.exists()


def test_a_deleted_account_has_no_way_in(settings: Any, mailoutbox: list[Any]) -> None:
    person = person_with("robo", 0, settings)
    person.is_bot = True
    person.save(update_fields=["is_bot"])
    token = token_make(person)
    client = logged_in(Client(), person)
    ask(person)
    assert token_find(token) is None
    assert client.get("/account/").status_code == 302
    wait_over()
    deletions_finish()
    assert token_find(token) is None
    for name in ("robo", "robo@example.org", f"deleted-{person.pk}"):
        stranger = Client()
        answer = stranger.post(reverse("account_login"), {"login": name, "password": PASSWORD})
        assert answer.status_code == 200
        assert "_auth_user_id" not in stranger.session
    Client().post(reverse("account_reset_password"), {"email": "robo@example.org"})
    assert not any("/password/reset/key/" in mail.body for mail in mailoutbox)
    deletion = AccountDeletion.objects.get()
    assert deletion_keep(deletion_id=deletion.pk) is False
    with pytest.raises(Error), transaction.atomic():
        AccountDeletion.objects.update(outcome=DeletionOutcome.KEPT)


def test_a_self_exclusion_outlives_the_account(magriel: User, hilde: User) -> None:
    exclusion_start(user=magriel, days=None)
    delete(magriel)
    again = User.objects.create_user("tilo", "magriel+2@example.org")
    credits_bought(again, 1_000)
    assert Mailbox.objects.filter(user=magriel).exists()
    with pytest.raises(LedgerError) as refused, transaction.atomic():
        stakes_escrow(reference="match:x", stakes={again.pk: 250, hilde.pk: 250})
    assert refused.value.code == "play_paused"


@pytest.mark.parametrize("stake_cents", [0, 250])
def test_of_a_request_and_sitting_down_at_once_one_happens(
    hilde: User, settings: Any, race: Callable[..., Any], stake_cents: int
) -> None:
    """A wallet with credits is given up here by the service alone; the page would not."""
    settings.LEDGER_PAYOUT_MINIMUM_CENTS = 10**6
    mode = {"mode": "prize5", "stake_cents": 250} if stake_cents else {"mode": "normal"}
    for number in range(4):
        person = person_with(f"player{number}", stake_cents, settings)
        guest = number % 2 == 0
        host, other = (hilde, person) if guest else (person, hilde)
        table = table_open(user=host, **mode)
        asked, sat = race(
            lambda person=person: ask(person, stake_cents),
            lambda table=table, other=other: table_join(user=other, table_id=table.pk),
        )
        closed = not User.objects.get(pk=person.pk).is_active
        running = Match.objects.filter(table=table.pk, ended_at=None).exists()
        assert closed != running, (asked, sat)
        assert isinstance(asked, DeletionRefused) == running, (asked, sat)
        assert isinstance(sat, TableError) == closed, (asked, sat)
        Table.objects.filter(opener=hilde, phase="open").update(phase="closed")


def test_of_a_request_and_opening_a_table_at_once_no_open_table_is_left(
    settings: Any, race: Callable[..., Any]
) -> None:
    for number in range(4):
        person = person_with(f"player{number}", 0, settings)
        race(
            lambda person=person: ask(person),
            lambda person=person: table_open(user=person, mode="normal"),
        )
        assert not User.objects.get(pk=person.pk).is_active
        assert not Table.objects.filter(phase="open").exists()


def test_of_a_request_and_a_payout_at_once_one_happens(
    settings: Any, race: Callable[..., Any]
) -> None:
    for number in range(4):
        person = person_with(f"player{number}", 500, settings)
        settings.LEDGER_PAYOUT_MINIMUM_CENTS = 1
        with pytest.MonkeyPatch.context() as patched:
            # the early check would refuse; the guard of the database is what is tried here
            patched.setattr("pasch.deletion.has_payable_credits", lambda _user_id: False)
            asked, paid = race(
                lambda person=person: ask(person, 500),
                lambda person=person: payout_asked(person, 500),
            )
        closed = not User.objects.get(pk=person.pk).is_active
        assert closed != Payout.objects.filter(user=person).exists(), (asked, paid)
    assert Account.objects.filter(kind="payout_hold", balance_cents__lt=0).count() == 0


def test_a_request_ends_every_connection(magriel: User) -> None:
    ended: list[tuple[int, str | None]] = []

    def listen(*, user_id: int, session_key: str | None, **_: object) -> None:
        ended.append((user_id, session_key))

    access_ended.connect(listen)
    try:
        ask(magriel)
    finally:
        access_ended.disconnect(listen)
    assert (magriel.pk, None) in ended


def test_nobody_fills_the_journal_with_requests(magriel: User) -> None:
    for _ in range(3):
        deletion_keep(deletion_id=ask(magriel).pk)
    with pytest.raises(DeletionRefused) as refused:
        ask(magriel)
    assert refused.value.obstacle == Obstacle.OFTEN


CHANGES = (
    ("UPDATE accounts_user SET is_active = true WHERE id = %s", "and open"),
    ("UPDATE accounts_user SET username = 'magriel' WHERE id = %s", "has a name"),
    ("UPDATE accounts_user SET email = 'a@example.org' WHERE id = %s", "has an address"),
    ("DELETE FROM ledger_journalentry WHERE subject = 'user:' || %s", "the journal does not"),
)


@pytest.mark.parametrize(("change", "found"), CHANGES)
def test_the_audit_finds_a_deleted_account_that_came_back(
    magriel: User, change: str, found: str
) -> None:
    delete(magriel)
    assert not [each for result in run(only=("U3",)).results for each in result.findings]
    with guards_off() as cursor:
        cursor.execute(change, [magriel.pk])
    messages = [each.message for result in run(only=("U3",)).results for each in result.findings]
    assert any(found in message for message in messages)


def test_a_closed_account_requests_no_payout_and_no_stake(hilde: User) -> None:
    """A request that was on its way: it still has the open account in its hands."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("pasch.deletion.has_payable_credits", lambda _user_id: False)
        ask(hilde, 10_000)
    with pytest.raises(LedgerError):
        payout_asked(hilde, 500)
    assert not Payout.objects.exists()
    with pytest.raises(TableError) as refused:
        table_open(user=hilde, mode="prize5", stake_cents=250)
    assert refused.value.code == "account_closed"


def test_two_runs_of_the_task_delete_once(settings: Any, race: Callable[..., Any]) -> None:
    for number in range(4):
        ask(person_with(f"player{number}", 0, settings))
    wait_over()
    assert sum(race(deletions_finish, deletions_finish)) == 4
    assert JournalEntry.objects.filter(verb="account.deleted").count() == 4


def test_of_keeping_and_deleting_at_once_one_happens(
    settings: Any, race: Callable[..., Any]
) -> None:
    for number in range(4):
        person = person_with(f"player{number}", 0, settings)
        deletion = ask(person)
        wait_over()
        kept, done = race(
            lambda deletion=deletion: deletion_keep(deletion_id=deletion.pk), deletions_finish
        )
        row = User.objects.get(pk=person.pk)
        assert bool(kept) != bool(done)
        assert row.is_active is bool(kept)
        assert (row.username == f"player{number}") is bool(kept)


# --- the desk -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [IdentityKind.CLOSE, IdentityKind.REOPEN])
def test_a_decision_at_the_desk_ends_the_request(
    magriel: User, staff: tuple[User, User], kind: IdentityKind
) -> None:
    deletion = ask(magriel)
    decide(magriel, staff[0], kind)
    deletion.refresh_from_db()
    assert deletion.outcome == DeletionOutcome.STOPPED
    assert deletion_keep(deletion_id=deletion.pk) is False
    assert User.objects.get(pk=magriel.pk).is_active is (kind == IdentityKind.REOPEN)
    wait_over()
    assert deletions_finish() == 0


def test_a_deleted_account_is_never_opened_again(magriel: User, staff: tuple[User, User]) -> None:
    delete(magriel)
    for kind, value in ((IdentityKind.REOPEN, ""), (IdentityKind.ADDRESS, "new@example.org")):
        with pytest.raises(IdentityRefused) as refused:
            decide(magriel, staff[0], kind, value)
        assert refused.value.code == "identity_deleted"


def test_the_desk_sees_the_request_and_what_holds_it(
    magriel: User, staff: tuple[User, User]
) -> None:
    ask(magriel)
    page = at_desk(staff[0]).get(f"/desk/players/{magriel.pk}/").content.decode()
    assert "Asked for deletion on" in page
    assert "will be deleted on" in page
    credits_bought(magriel, 2_000)
    wait_over()
    deletions_finish()
    page = at_desk(staff[0]).get(f"/desk/players/{magriel.pk}/").content.decode()
    assert "waits: credits have come in" in page
    page = at_desk(staff[0]).get("/desk/").content.decode()
    assert "Deletions that wait" in page
    assert "credits have come in" in page
    credits_spent(magriel, 2_000)
    deletions_finish()
    found = at_desk(staff[0]).get("/desk/players/", {"search": "magriel"}).content.decode()
    assert f"deleted-{magriel.pk}" in found


def test_an_adjustment_that_waits_comes_first(magriel: User, staff: tuple[User, User]) -> None:
    adjustment_make(
        user=magriel,
        amount_cents=50_000,
        reason="a tournament",
        actor=staff[0],
        client_key="first",
        verified_at=timezone.now(),
    )
    assert obstacle(magriel) == Obstacle.CASE
