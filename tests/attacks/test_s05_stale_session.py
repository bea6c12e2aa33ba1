"""S5: what a session left open and a token of before can do."""

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.db import Error, transaction
from django.test import Client
from django.urls import reverse

from accounts.models import ApiToken, OutgoingMail, User
from accounts.tokens import StillAtStakes, bot_become, token_make
from harness.logins import logged_in
from harness.wallets import credits_bought
from ledger.errors import UndoOver
from ledger.models import JournalEntry, PlayPause
from ledger.selectors_player import payable
from ledger.services.books import credits_issue
from ledger.services.bots import bot_declare, bot_undo, bot_undo_until
from ledger.services.limits import exclusion_start
from tests.accounts.conftest import PASSWORD
from tests.aging import guards_off

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture
def owner(db: None) -> User:
    """Make a person with credits that can be paid out."""
    user = User.objects.create_user("owner", "owner@example.org", PASSWORD)
    credits_bought(user, 5_000)
    return user


def test_s05_a_session_left_open_makes_no_bot(owner: User) -> None:
    client = logged_in(Client(), owner, proved_ago=None)
    answer = client.post(reverse("account_bot"), {"confirm": "yes"})
    assert "reauthenticate" in answer.url
    assert not User.objects.get(pk=owner.pk).is_bot


def test_s05_credits_that_could_be_paid_out_are_not_swallowed(owner: User) -> None:
    client = logged_in(Client(headers={"accept-language": "en"}), owner)
    page = client.post(reverse("account_bot"), {"confirm": "yes"}, follow=True)
    assert "Ask for a payout first" in page.content.decode()
    with pytest.raises(StillAtStakes):
        bot_become(owner)
    assert not User.objects.get(pk=owner.pk).is_bot


def test_s05_the_database_swallows_no_credits_either(owner: User) -> None:
    with pytest.raises(Error, match="paid out"), transaction.atomic():
        User.objects.filter(pk=owner.pk).update(is_bot=True)


def test_s05_what_a_session_left_open_did_is_taken_back_once_within_a_day() -> None:
    """With the second factor; the owner is told, and no credits have moved."""
    owner = User.objects.create_user("poor", "poor@example.org", PASSWORD)
    credits_issue(user=owner, amount_cents=900, key="gift", kind="grant", campaign="x", memo="x")
    before = payable(owner.pk)
    client = logged_in(Client(headers={"accept-language": "en"}), owner)
    client.post(reverse("account_bot"), {"confirm": "yes"})
    assert bot_undo_until(User.objects.get(pk=owner.pk)) is not None
    assert "You can undo this until" in OutgoingMail.objects.get(to=owner.email).body
    token_make(User.objects.get(pk=owner.pk))
    TOTP.activate(owner, generate_totp_secret())
    page = client.get(reverse("account")).content.decode()
    assert reverse("account_bot_undo") in page
    for address in ("account_bot_undo", "api_bot_undo"):  # the password does not do
        answer = client.post(reverse(address))
        assert "2fa/reauthenticate" in getattr(answer, "url", "") or answer.status_code == 403
    assert User.objects.get(pk=owner.pk).is_bot
    client = logged_in(Client(), owner, method="mfa")
    assert client.post(reverse("api_bot_undo")).json() == {"username": "poor", "is_bot": False}
    assert not ApiToken.objects.exists()
    assert payable(owner.pk) == before
    entries = JournalEntry.objects.filter(
        subject=f"user:{owner.pk}", verb__startswith="bot."
    ).order_by("id")
    assert [entry.verb for entry in entries] == ["bot.declare", "bot.undo"]
    assert entries[1].before["entry"] == entries[0].pk
    owner.refresh_from_db()
    bot_declare(owner)  # nobody goes back and forth
    with pytest.raises(UndoOver):
        bot_undo(owner)


def test_s05_nobody_takes_back_what_is_older_or_was_decided_by_others(owner: User) -> None:
    other = User.objects.create_user("program")
    bot_become(other)  # as the desk does
    assert bot_undo_until(other) is None
    mine = User.objects.create_user("mine")
    bot_declare(mine)
    with guards_off() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("UPDATE ledger_journalentry SET created_at = now() - interval '25 hours'")
    for bot in (other, mine):
        with pytest.raises(UndoOver):
            bot_undo(bot)


def test_s05_a_session_left_open_makes_no_token_and_excludes_nobody(owner: User) -> None:
    other = User.objects.create_user("program", password=PASSWORD)
    bot_become(other)
    client = logged_in(Client(), other, proved_ago=None)
    assert "reauthenticate" in client.post(reverse("token_new"), {"scopes": ["read"]}).url
    assert not ApiToken.objects.exists()
    client = logged_in(Client(), owner, proved_ago=None)
    form = {"length": "ever", "confirmed": "yes"}
    assert "reauthenticate" in client.post(reverse("wallet_exclusion"), form).url
    assert not PlayPause.objects.exists()
    exclusion_start(user=owner, days=None)  # by their own hand it holds at once
    assert PlayPause.objects.filter(user=owner).exists()


def test_s05_a_new_password_ends_the_tokens_of_before() -> None:
    program = User.objects.create_user("program", password=PASSWORD)
    bot_become(program)
    token_make(program)
    new = f"{PASSWORD} and more"
    form = {"oldpassword": PASSWORD, "password1": new}
    logged_in(Client(), program).post(reverse("account_change_password"), form)
    program.refresh_from_db()
    assert program.check_password(new)
    assert not ApiToken.objects.exists()
