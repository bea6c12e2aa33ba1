"""Only bots log in with tokens, and a token is shown only once."""

import logging
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.test import Client

from accounts.models import ApiToken, User
from accounts.tokens import (
    NoBot,
    NoScope,
    TooManyTokens,
    token_find,
    token_make,
    token_revoke,
    tokens_end,
)
from harness.logins import logged_in
from ledger.models import JournalEntry

pytestmark = pytest.mark.django_db


@pytest.fixture
def bot() -> User:
    return User.objects.create_user("robo", is_bot=True)


def test_a_token_names_its_bot_until_it_is_revoked(bot) -> None:
    token = token_make(bot)
    assert token_find(token).user == bot
    assert not ApiToken.objects.filter(digest__contains=token).exists()
    assert token_revoke(bot, ApiToken.objects.get().pk)
    assert token_find(token) is None
    assert token_find("pasch_nonsense") is None


def test_a_closed_account_has_no_way_in(bot) -> None:
    token = token_make(bot)
    User.objects.filter(pk=bot.pk).update(is_active=False)
    assert token_find(token) is None


def test_only_bots_have_tokens_and_not_too_many(bot) -> None:
    with pytest.raises(NoBot):
        token_make(User.objects.create_user("hilde"))
    for _ in range(10):
        token_make(bot)
    with pytest.raises(TooManyTokens):
        token_make(bot)


def test_nobody_revokes_a_strangers_token(bot) -> None:
    token = token_make(bot)
    other = User.objects.create_user("other", is_bot=True)
    assert not token_revoke(other, ApiToken.objects.get().pk)
    assert token_find(token).user == bot


def test_an_account_becomes_a_bots_and_its_token_is_shown_once() -> None:
    user = User.objects.create_user("hilde")
    client = logged_in(Client(headers={"accept-language": "en"}), user)
    client.post("/account/bot/")
    assert not User.objects.get(pk=user.pk).is_bot
    client.post("/account/bot/", {"confirm": "yes"})
    assert User.objects.get(pk=user.pk).is_bot
    client.post("/account/tokens/", {"name": "mine"})
    assert not ApiToken.objects.exists(), "no scope was chosen"
    page = client.post("/account/tokens/", {"name": "mine", "scopes": ["play", "read"]})
    token = page.context["new_token"]
    assert token in page.content.decode()
    assert page["Cache-Control"] == "no-store"
    again = client.get("/account/").content.decode()
    assert token not in again
    assert "mine" in again
    assert "read, play" in again
    assert "never used" in again
    client.post(f"/account/tokens/{ApiToken.objects.get().pk}/revoke/")
    assert token_find(token) is None


def test_the_journal_has_a_tokens_beginning_and_end_and_its_owner_reads_both(bot, caplog) -> None:
    with caplog.at_level(logging.INFO, "security"):
        for name in ("one", "two"):
            token_make(bot, name)
        token_revoke(bot, ApiToken.objects.get(name="one").pk)
        tokens_end(bot)
    entries = JournalEntry.objects.filter(subject=f"user:{bot.pk}").order_by("pk")
    told = [(entry.verb, entry.after["start"]) for entry in entries]
    first, second = (start for _verb, start in told[:2])
    assert told[2:] == [("token.end", first), ("token.end", second)]
    assert [line.message for line in caplog.records] == ["token made"] * 2 + ["token ended"] * 2
    page = logged_in(Client(), bot).get("/account/").content.decode()
    assert page.count(f"{first}…") == page.count(f"{second}…") == 2


def test_the_database_takes_no_token_that_the_journal_does_not_have(bot) -> None:
    @transaction.atomic
    def written() -> None:
        ApiToken.objects.create(user=bot, digest="d", scopes=["play"])
        connection.check_constraints()

    with pytest.raises(IntegrityError, match="not in the journal"):
        written()


def test_the_staff_are_no_bots() -> None:
    user = User.objects.create_user("chief", is_staff=True)
    client = Client()
    client.force_login(user)
    client.post("/account/bot/", {"confirm": "yes"})
    assert not User.objects.get(pk=user.pk).is_bot


def test_the_hour_of_the_last_use_is_noted_once(bot, django_assert_num_queries) -> None:
    token = token_make(bot)
    token_find(token)
    used_at = ApiToken.objects.get().used_at
    assert (used_at.minute, used_at.second) == (0, 0)
    with django_assert_num_queries(1):
        token_find(token)


@pytest.mark.parametrize("scopes", [(), ("read", "payouts"), ("",)])
def test_a_token_has_scopes_and_no_others(bot, scopes) -> None:
    with pytest.raises(NoScope):
        token_make(bot, scopes=scopes)
    with pytest.raises(IntegrityError):
        ApiToken.objects.create(user=bot, digest="d", scopes=list(scopes))


def test_the_command_makes_lists_and_revokes() -> None:
    out = StringIO()
    call_command("bot_token", "robo", stdout=out)
    assert token_find(out.getvalue().strip()).user.username == "robo"
    number = ApiToken.objects.get().pk
    listed = StringIO()
    call_command("bot_token", "robo", "--list", stdout=listed)
    assert str(number) in listed.getvalue()
    assert "read,play,tables" in listed.getvalue()
    reader = StringIO()
    call_command("bot_token", "robo", "--scopes", "read", stdout=reader)
    assert token_find(reader.getvalue().strip()).scopes == ["read"]
    with pytest.raises(CommandError, match="scopes"):
        call_command("bot_token", "robo", "--scopes", "payouts")
    call_command("bot_token", "robo", "--revoke", str(number), stdout=StringIO())
    assert token_find(out.getvalue().strip()) is None
    with pytest.raises(CommandError, match="no token"):
        call_command("bot_token", "robo", "--revoke", str(number))
    User.objects.create_user("hilde")
    with pytest.raises(CommandError, match="no bot"):
        call_command("bot_token", "hilde")


@pytest.mark.parametrize(("header", "status"), [("Bearer nonsense", 401), ("", 401)])
def test_the_interface_refuses_who_has_no_token(header, status) -> None:
    headers = {"Authorization": header} if header else {}
    assert Client(headers=headers).get("/api/v1/wallet/").status_code == status


def test_the_interface_knows_a_bot_by_its_token(bot) -> None:
    client = Client(headers={"Authorization": f"Bearer {token_make(bot, scopes=['wallet'])}"})
    assert client.get("/api/v1/wallet/").status_code == 200
