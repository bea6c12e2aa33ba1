"""A person deletes their account: what is asked, what goes, what stays, and who may not."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import Error, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.adapter import AccountAdapter
from accounts.deletions import DELETION_WAIT, AccountDeletion, DeletionOutcome
from accounts.models import OutgoingMail, User
from games.chouette.commands import StandUpNow
from games.chouette.services.opening import circle_open
from games.chouette.services.playing import chouette_command
from games.models import Challenge, ChatMessage, Favourite, LearntStep, Match, Mute, Table
from games.services.challenges import challenge_make
from games.services.chat import message_say
from games.services.chat_reports import message_report
from games.services.tables import table_join, table_open
from games.table import commands as cmd
from harness.logins import logged_in
from harness.sitting import Sitting
from harness.tournaments import knockout
from harness.wallets import (
    all_cleared,
    credits_bought,
    credits_spent,
    mailbox_proved,
    payout_asked,
    payout_paid,
)
from ledger.models import JournalEntry, Payout
from ledger.selectors import house_totals, wallet_balance
from ledger.services.adjustments import adjustment_make
from ledger.services.limits import player_freeze
from ledger.services.payouts import payout_approve
from pasch.deletion import (
    Obstacle,
    deletions_finish,
)
from pasch.personal_data import erased, kept
from tests.accounts.conftest import PASSWORD
from tests.accounts.deleting import (
    ask,
    delete,
    findings,
    hilde,
    magriel,
    obstacle,
    staff,
    wait_over,
)
from tournaments.services.entering import tournament_enter, tournament_withdraw

__all__ = ["hilde", "magriel", "staff"]

pytestmark = pytest.mark.django_db(transaction=True)
PATH = "/account/delete/"


# --- the decision for every foreign key -----------------------------------------------------------


def test_every_foreign_key_to_a_person_is_erased_or_kept_for_a_reason() -> None:
    found = {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models(include_auto_created=True)
        for field in model._meta.get_fields()
        if getattr(field, "concrete", False) and field.related_model is User
    }
    gone = {f"{model._meta.label}.{field}" for model, field in erased()}
    assert found - gone - set(kept()) == set()
    assert (gone | set(kept())) - found == set()
    assert gone & set(kept()) == set()
    assert all(kept().values())


# --- the request, the waiting time, the end -------------------------------------------------------


@pytest.mark.slow
def test_the_page_closes_the_account_and_a_login_offers_to_keep_it(magriel: User) -> None:
    client = logged_in(Client(), magriel)
    page = client.get(PATH).content.decode()
    assert reverse("account_export") in page
    answer = client.post(PATH, {"confirm": "yes"}, follow=True)
    assert "Your account is closed" in answer.content.decode()
    assert client.get("/account/").status_code == 302
    assert client.get("/player/magriel/").status_code == 404
    deletion = AccountDeletion.objects.get()
    assert abs(deletion.due_at - timezone.now() - DELETION_WAIT) < timedelta(minutes=1)

    stranger = Client()
    login = {"login": "magriel", "password": PASSWORD}
    answer = stranger.post(reverse("account_login"), login)
    assert answer.url.startswith("/account/keep/")
    assert "_auth_user_id" not in stranger.session
    answer = stranger.post(answer.url, follow=True)
    assert "open again" in answer.content.decode()
    assert "_auth_user_id" not in stranger.session
    assert User.objects.get(pk=magriel.pk).is_active
    stranger.post(reverse("account_login"), login)
    assert "_auth_user_id" in stranger.session
    assert [mail.subject for mail in OutgoingMail.objects.order_by("pk")] == [
        "Your account will be deleted",
        "Your account is kept",
    ]
    verbs = list(JournalEntry.objects.order_by("pk").values_list("verb", flat=True))
    assert verbs == ["account.deletion_asked", "account.deletion_kept"]


def test_the_link_in_the_mail_keeps_the_account_once(magriel: User) -> None:
    logged_in(Client(), magriel).post(PATH, {"confirm": "yes"})
    body = OutgoingMail.objects.get().body
    (link,) = [line for line in body.splitlines() if line.startswith("http")]
    assert "Keep my account" in Client().get(link).content.decode()
    assert not User.objects.get(pk=magriel.pk).is_active  # reading changes nothing
    Client().post(link)
    assert User.objects.get(pk=magriel.pk).is_active
    ask(magriel)
    Client().post(link)  # it is of the first request
    assert not User.objects.get(pk=magriel.pk).is_active
    assert Client().get("/account/keep/forged/").status_code == 404


def test_nothing_is_deleted_before_its_time(magriel: User) -> None:
    ask(magriel)
    assert deletions_finish() == 0
    assert User.objects.get(pk=magriel.pk).username == "magriel"
    with pytest.raises(Error), transaction.atomic():
        AccountDeletion.objects.update(outcome=DeletionOutcome.DONE, ended_at=timezone.now())
    for change in ({"due_at": timezone.now()}, {"given_up_cents": 10**6}):
        with pytest.raises(Error), transaction.atomic():
            AccountDeletion.objects.update(**change)
    with pytest.raises(Error), transaction.atomic():
        AccountDeletion.objects.all().delete()


@pytest.mark.slow
def test_a_person_with_a_past_goes_and_the_books_stay(
    hilde: User, staff: tuple[User, User], dice: Callable[..., None], settings: Any
) -> None:
    """Matches, a payout, presents and chat; the audit finds nothing afterwards."""
    settings.LEDGER_WELCOME_CENTS = 300
    magriel = User.objects.create_user("magriel", "Magriel@example.org", PASSWORD)
    settings.LEDGER_WELCOME_CENTS = 0
    mailbox_proved(magriel)
    credits_bought(magriel, 2_000)
    dice((3, 1), (6, 5), (4, 2))
    table = table_open(user=magriel, mode="prize5", stake_cents=250)
    table_join(user=hilde, table_id=table.pk)
    sitting = Sitting(Table.objects.get(pk=table.pk), (magriel, hilde))
    for _ in range(3):
        sitting.turn()
    message_say(table_id=table.pk, user_id=magriel.pk, client_id="a", phrase="hello")
    sitting.give(1, cmd.Leave())
    all_cleared(Match.objects.get().reference)
    payout = payout_asked(magriel, 2_150)
    payout_approve(payout_id=payout.pk, actor=staff[0], verified_at=timezone.now())
    payout_paid(payout, staff[1])
    Favourite.objects.create(owner=magriel, name="quick", wishes={"mode": "normal"})
    LearntStep.objects.create(person=magriel, lesson="board", step="points", solved=True)
    Mute.objects.create(owner=magriel, muted=hilde)
    Mute.objects.create(owner=hilde, muted=magriel)
    TOTP.activate(magriel, generate_totp_secret())
    challenge_make(user=magriel, opponent_id=hilde.pk, mode="normal")
    left, totals = wallet_balance(magriel.pk), house_totals()
    assert left > 0

    deleted = delete(magriel, left)

    name = f"deleted-{magriel.pk}"
    assert (deleted.username, deleted.email, deleted.is_active) == (name, "", False)
    assert deleted.last_login is None
    assert deleted.preferences == {}
    assert not deleted.has_usable_password()
    for model in (EmailAddress, Authenticator, UserSession):
        assert not model.objects.filter(user=magriel).exists()
    for model in (Favourite, LearntStep, Mute, Challenge, ChatMessage):
        assert not model.objects.exists()
    assert [each["name"] for each in Table.objects.get(pk=table.pk).people] == [name, "hilde"]
    assert Match.objects.get().winner_seat == 0
    assert wallet_balance(magriel.pk) == left
    assert house_totals() == totals
    assert Payout.objects.get().state == "paid"
    assert "agriel@" not in " ".join(
        OutgoingMail.objects.filter(sent_at__isnull=False).values_list("to", flat=True)
    )
    assert findings() == []

    client = Client()
    for address in ("magriel", name):
        assert client.get(f"/player/{address}/").status_code == 404
    for address in ("/ranking/", "/player/hilde/", f"/match/{Match.objects.get().pk}/"):
        page = client.get(address).content.decode()
        assert "magriel" not in page.lower()
        assert f"/player/{name}/" not in page
    with pytest.raises(ValidationError):
        AccountAdapter().clean_username("Magriel")
    with pytest.raises(ValidationError):
        AccountAdapter().clean_username(name)


def test_the_last_mail_is_sent_and_then_forgets_its_address(magriel: User) -> None:
    delete(magriel)
    mail = OutgoingMail.objects.get(subject="Your account is deleted")
    assert mail.to == "magriel@example.org"
    OutgoingMail.objects.update(sent_at=timezone.now(), body="")
    deletions_finish()
    assert set(OutgoingMail.objects.values_list("to", flat=True)) == {"-"}


def test_an_end_that_broke_off_is_made_again(magriel: User, monkeypatch: Any) -> None:
    ask(magriel)
    wait_over()

    def breaks(_person: User) -> None:
        raise RuntimeError("the process ends here")

    with monkeypatch.context() as broken:
        broken.setattr("accounts.personal_data.name_set", lambda *_args, **_more: breaks(magriel))
        with pytest.raises(RuntimeError):
            deletions_finish()
    assert EmailAddress.objects.filter(user=magriel).exists()
    assert deletions_finish() == 1
    assert deletions_finish() == 0
    assert not EmailAddress.objects.filter(user=magriel).exists()


def test_credits_that_come_back_during_the_wait_hold_the_end(magriel: User) -> None:
    ask(magriel)
    credits_bought(magriel, 2_000)
    wait_over()
    assert deletions_finish() == 0
    assert deletions_finish() == 0
    deletion = AccountDeletion.objects.get()
    assert (deletion.outcome, deletion.held_by) == ("", "credits")
    held = OutgoingMail.objects.filter(subject="Your account is not deleted yet")
    assert held.count() == 1
    credits_spent(magriel, 2_000)
    assert deletions_finish() == 1


# --- what stands in the way -----------------------------------------------------------------------


def test_credits_that_can_be_paid_out_are_paid_out_first(magriel: User) -> None:
    credits_bought(magriel, 100)
    assert obstacle(magriel, 100) == Obstacle.CREDITS
    page = logged_in(Client(), magriel).get(PATH).content.decode()
    assert "Ask for a payout first" in page
    assert 'name="confirm"' not in page


def test_credits_below_a_payout_are_given_up_knowingly(magriel: User) -> None:
    credits_bought(magriel, 99)
    assert obstacle(magriel) == Obstacle.GIVE_UP
    client = logged_in(Client(), magriel)
    for form in ({"confirm": "yes"}, {"confirm": "yes", "give_up": "98"}, {"give_up": "99"}):
        assert client.post(PATH, form).status_code == 409
    assert User.objects.get(pk=magriel.pk).is_active
    assert client.post(PATH, {"confirm": "yes", "give_up": "99"}).status_code == 302
    assert AccountDeletion.objects.get().given_up_cents == 99


def test_locked_credits_stay_until_the_house_books_them_out(
    settings: Any, staff: tuple[User, User]
) -> None:
    settings.LEDGER_WELCOME_CENTS = 500
    person = User.objects.create_user("magriel")
    delete(person, 500)
    assert wallet_balance(person.pk) == 500
    assert findings() == []
    adjustment_make(
        user=person,
        amount_cents=-500,
        reason="given up with the account",
        actor=staff[0],
        client_key="first",
        verified_at=timezone.now(),
    )
    assert wallet_balance(person.pk) == 0
    assert findings() == []


def test_an_open_payout_ends_first(magriel: User) -> None:
    credits_bought(magriel, 500)
    payout_asked(magriel, 500)
    assert obstacle(magriel) == Obstacle.PAYOUT


def test_a_seat_at_a_chouette_and_an_entry_with_a_fee_end_first(magriel: User) -> None:
    credits_bought(magriel, 250)
    circle = circle_open(user=magriel)
    assert obstacle(magriel) == "chouette"
    chouette_command(user=magriel, circle_id=circle.pk, command=StandUpNow())
    tournament = knockout(4, 250)
    tournament_enter(user=magriel, tournament_id=tournament.pk)
    assert obstacle(magriel) == "tournament"
    tournament_withdraw(user=magriel, tournament_id=tournament.pk)


def test_a_running_match_ends_first_and_practice_does_not_count(magriel: User, hilde: User) -> None:
    table = table_open(user=hilde, mode="normal")
    table_join(user=magriel, table_id=table.pk)
    assert obstacle(magriel) == "match"


def test_a_frozen_wallet_waits_for_its_case(magriel: User, staff: tuple[User, User]) -> None:
    player_freeze(user=magriel, actor=staff[0], reason="two accounts")
    assert obstacle(magriel) == Obstacle.FROZEN


def test_an_open_report_about_the_person_holds_the_end(magriel: User, hilde: User) -> None:
    table = table_open(user=hilde, mode="normal")
    said = message_say(table_id=table.pk, user_id=magriel.pk, client_id="a", phrase="hello")
    message_report(table_id=table.pk, user_id=hilde.pk, message_id=said.pk, reason="insult")
    ask(magriel)
    wait_over()
    assert deletions_finish() == 0
    assert AccountDeletion.objects.get().held_by == "case"


def test_a_freeze_during_the_wait_holds_the_end(magriel: User, staff: tuple[User, User]) -> None:
    ask(magriel)
    player_freeze(user=magriel, actor=staff[0], reason="two accounts")
    wait_over()
    assert deletions_finish() == 0
    assert AccountDeletion.objects.get().held_by == "frozen"


def test_the_staff_gives_its_role_back_first(staff: tuple[User, User]) -> None:
    assert obstacle(staff[0]) == Obstacle.STAFF


def test_open_tables_and_challenges_end_with_the_request(magriel: User, hilde: User) -> None:
    table = table_open(user=magriel, mode="normal")
    challenge_make(user=hilde, opponent_id=magriel.pk, mode="normal")
    ask(magriel)
    assert Table.objects.get(pk=table.pk).phase == "closed"
    assert Challenge.objects.get().state == "declined"


# --- the page on a phone --------------------------------------------------------------------------


@pytest.mark.slow
def test_the_page_on_a_phone_in_german(player: Any) -> None:
    page = player("magriel", locale="de-DE", viewport={"width": 390, "height": 844})
    page.goto("/settings/")
    page.get_by_role("link", name="Konto löschen").click()
    page.wait_for_url("**/account/delete/")
    credits = page.get_by_label(re.compile("Ich verzichte auf"))
    button = page.get_by_role("button", name="Konto löschen")
    button.click()
    assert page.url.endswith("/account/delete/"), "the browser asks for the ticks"
    credits.check()
    page.get_by_label("Ich möchte, dass dieses Konto gelöscht wird").check()
    button.click()
    page.wait_for_url("**/account/keep/**")
    assert page.locator("h1").inner_text() == "Dein Konto ist geschlossen"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Mein Konto behalten").click()
    page.wait_for_url("**/accounts/login/")
    assert "wieder offen" in page.locator("main, body").first.inner_text()
    assert page.problems == []
