"""S15: playing for credits after a self-exclusion, with the same mailbox in another spelling."""

from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.db import Error, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Mailbox, MailboxSalt, User
from games.models import Match, Table
from games.services.challenges import challenge_accept, challenge_make
from games.services.lobby import quick_pair, tables_close_unpayable
from games.services.tables import table_join, table_open
from games.table.errors import TableError
from harness.logins import logged_in
from ledger.errors import PlayPaused
from ledger.models import PlayPause
from ledger.selectors import wallet_balance
from ledger.services.books import stakes_escrow
from ledger.services.limits import break_start, exclusion_start
from tests.accounts.conftest import PASSWORD

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

PRIZE = {"mode": "prize5", "stake_cents": 250}
HALF_A_YEAR = 182


@pytest.fixture
def tilo() -> User:
    """Another person, with a mailbox of their own."""
    return User.objects.create_user("tilo", "tilo@example.org")


def register(name: str, email: str) -> User:
    """An account registered on the page of the house."""
    form = {"username": name, "password1": PASSWORD, "email": email}
    assert Client().post(reverse("account_signup"), form).status_code == 302
    return User.objects.get(username=name)


def excluded(name: str, email: str, *, verified: bool = False, days: int | None = None) -> User:
    """A new account that has excluded itself."""
    user = register(name, email)
    if verified:
        verify(user)
    exclusion_start(user=user, days=days)
    return user


def verify(user: User) -> None:
    address = EmailAddress.objects.get(user=user)
    address.verified = True
    address.save()


def stake(user: User, other: User, reference: str = "") -> None:
    reference = reference or f"match:{user.pk}"
    with transaction.atomic():
        stakes_escrow(reference=reference, stakes={user.pk: 100, other.pk: 100})


# --- the same mailbox under another address -------------------------------------------------------

SAME = (
    ("hilde@example.org", "hilde+2@example.org"),
    ("hilde+a@example.org", "hilde+b@example.org"),
    ("hilde@example.org", "HILDE+Play@Example.ORG"),
    ("hilde@gmail.com", "h.i.l.d.e@gmail.com"),
    ("hilde@gmail.com", "hilde@googlemail.com"),
    ("hil.de+x@googlemail.com", "Hilde@gmail.com"),
    ("hilde@bücher.example", "hilde+1@xn--bcher-kva.example"),
    ("hilde@proton.me", "hil-de@protonmail.com"),
)
OTHER = (
    ("hilde@example.org", "hilde@example.com"),
    ("hilde@example.org", "h.ilde@example.org"),
    ("hilde@gmail.com", "hildes@gmail.com"),
    ("hilde@example.org", "hilde2@example.org"),
)


@pytest.mark.parametrize(("first", "second"), SAME)
def test_s15_the_exclusion_follows_the_mailbox(tilo: User, first: str, second: str) -> None:
    excluded("hilde", first)
    again = register("hilde2", second)
    with pytest.raises(PlayPaused) as refused:
        stake(again, tilo)
    assert (refused.value.user_id, refused.value.kind) == (again.pk, "exclusion")
    with pytest.raises(TableError) as early:
        table_open(user=again, **PRIZE)
    assert early.value.code == "play_paused"
    assert wallet_balance(again.pk) == wallet_balance(tilo.pk) == 10_000


@pytest.mark.parametrize(("first", "second"), OTHER)
def test_s15_another_mailbox_is_another_person(tilo: User, first: str, second: str) -> None:
    excluded("hilde", first)
    other = register("hilde2", second)
    stake(other, tilo)
    table_open(user=other, **PRIZE)


def test_s15_an_account_from_before_the_exclusion_is_bound_as_well(tilo: User) -> None:
    other = register("hilde2", "hilde+2@example.org")
    excluded("hilde", "hilde@example.org")
    with pytest.raises(PlayPaused):
        stake(other, tilo)


def test_s15_changing_the_address_frees_neither_account(tilo: User) -> None:
    first = excluded("hilde", "hilde@example.org")
    EmailAddress.objects.filter(user=first).delete()
    first.email = ""
    first.save()
    again = register("hilde2", "hilde+2@example.org")
    with pytest.raises(PlayPaused):
        stake(again, tilo)
    EmailAddress.objects.filter(user=again).delete()
    again.email = "someone@example.com"
    again.save()
    with pytest.raises(PlayPaused):
        stake(again, tilo)


def test_s15_an_address_added_later_to_an_excluded_account_is_bound(tilo: User) -> None:
    first = excluded("hilde", "")
    EmailAddress.objects.create(user=first, email="hilde@example.org")
    with pytest.raises(PlayPaused):
        stake(register("hilde2", "hilde+2@example.org"), tilo)


def test_s15_a_third_account_is_not_bound_by_one_that_is_only_followed(tilo: User) -> None:
    """The exclusion applies to the mailboxes of the account that chose it, and to no others."""
    excluded("hilde", "hilde@example.org")
    again = register("hilde2", "hilde+2@example.org")
    EmailAddress.objects.create(user=again, email="else@example.org")
    stake(register("elsewhere", "else+1@example.org"), tilo)


def test_s15_an_exclusion_that_is_over_binds_nobody(tilo: User) -> None:
    first = register("hilde", "hilde@example.org")
    now = timezone.now()
    PlayPause.objects.create(
        user=first,
        kind="exclusion",
        starts_at=now - timedelta(days=HALF_A_YEAR),
        ends_at=now - timedelta(seconds=1),
    )
    stake(register("hilde2", "hilde+2@example.org"), tilo)


def test_s15_a_break_stays_with_its_account(tilo: User) -> None:
    break_start(user=register("hilde", "hilde@example.org"))
    stake(register("hilde2", "hilde+2@example.org"), tilo)


# --- a stranger who types an address excludes no one ---------------------------------------------


def test_s15_an_address_that_was_only_typed_shuts_out_nobody_who_had_proved_it(tilo: User) -> None:
    victim = register("victim", "victim@example.org")
    verify(victim)
    stranger = register("stranger", "stranger@example.org")
    EmailAddress.objects.create(user=stranger, email="victim+x@example.org")
    exclusion_start(user=stranger, days=None)
    stake(victim, tilo)


def test_s15_a_stranger_shuts_out_nobody_who_confirms_the_address(tilo: User) -> None:
    """Earlier and later accounts are excluded only until they confirm the address."""
    before = register("victim", "victim@example.org")
    excluded("stranger", "victim+x@example.org")
    after = register("victim2", "victim+y@example.org")
    for victim in (before, after):
        with pytest.raises(PlayPaused):
            stake(victim, tilo)  # no one has confirmed it: this could be the stranger
        verify(victim)
        stake(victim, tilo)
        table_open(user=victim, **PRIZE)


def test_s15_a_mailbox_that_the_excluded_person_proves_later_binds_from_then_on(
    tilo: User,
) -> None:
    first = excluded("hilde", "hilde@example.org")
    again = register("hilde2", "hilde+2@example.org")
    verify(again)
    stake(again, tilo)
    verify(first)
    with pytest.raises(PlayPaused):
        stake(again, tilo, reference="match:later")


@pytest.mark.parametrize("proves", [False, True])
def test_s15_a_proved_mailbox_binds_every_account_of_it(tilo: User, proves: bool) -> None:
    excluded("hilde", "hilde@example.org", verified=True)
    again = register("hilde2", "hilde+2@example.org")
    if proves:
        verify(again)
    with pytest.raises(PlayPaused):
        stake(again, tilo)


def test_s15_the_proof_of_one_mailbox_frees_no_other(tilo: User) -> None:
    """The second account confirmed another address; the one of the exclusion is only typed."""
    excluded("hilde", "hilde@example.org")
    again = register("hilde2", "elsewhere@example.org")
    verify(again)
    EmailAddress.objects.create(user=again, email="hilde+2@example.org")
    with pytest.raises(PlayPaused):
        stake(again, tilo)


def test_s15_a_mailbox_that_the_excluded_person_proved_binds_every_account(tilo: User) -> None:
    again = register("hilde2", "hilde+2@example.org")
    verify(again)
    excluded("hilde", "hilde@example.org", verified=True)
    with pytest.raises(PlayPaused):
        stake(again, tilo)


def test_s15_a_proof_stays_a_proof(tilo: User) -> None:
    """Taking a confirmation back would free every other account of the mailbox."""
    first = excluded("hilde", "hilde@example.org", verified=True)
    proofs = Mailbox.objects.filter(user=first, proved_at__isnull=False)
    for moment in (None, timezone.now()):
        with pytest.raises(Error, match="stay as they were written"), transaction.atomic():
            proofs.update(proved_at=moment)
    assert proofs.count() == 1


@pytest.mark.parametrize("where", ["wallet_limits", "wallet_exclusion"])
@pytest.mark.parametrize("verified", [False, True])
def test_s15_the_pages_say_how_far_an_exclusion_reaches(where: str, verified: bool) -> None:
    hilde = register("hilde", "hilde@example.org")
    if verified:
        verify(hilde)
    client = logged_in(Client(headers={"accept-language": "en"}), hilde)
    text = client.get(reverse(where), {"length": "182"}).content.decode()
    assert ("Confirm your mail address first" in text) is not verified
    assert ("every account with your confirmed mail address" in text) is verified


def test_s15_a_player_who_is_kept_by_another_account_learns_how_it_ends(tilo: User) -> None:
    excluded("stranger", "victim+x@example.org")
    victim = register("victim", "victim@example.org")
    client = logged_in(Client(headers={"accept-language": "en"}), victim)
    advice = "Is it not yours? Confirm your mail address"
    assert advice in client.get(reverse("wallet_limits")).content.decode()
    stranger = User.objects.get(username="stranger")
    own = logged_in(Client(headers={"accept-language": "en"}), stranger)
    assert advice not in own.get(reverse("wallet_limits")).content.decode()


# --- no table with stakes at all ------------------------------------------------------------------


@pytest.mark.parametrize("begin", [break_start, lambda user: exclusion_start(user=user, days=None)])
def test_s15_nobody_on_a_break_opens_pairs_or_challenges_for_credits(
    tilo: User, begin: Any
) -> None:
    hilde = register("hilde", "")
    begin(user=hilde)
    for ask in (
        lambda: table_open(user=hilde, **PRIZE),
        lambda: table_open(user=hilde, mode="single", rate_cents=100, limit_cents=1000),
        lambda: quick_pair(user=hilde, **PRIZE),
        lambda: challenge_make(user=hilde, opponent_id=tilo.pk, **PRIZE),
    ):
        with pytest.raises(TableError) as refused:
            ask()
        assert refused.value.code == "play_paused"
    assert not Table.objects.exists()
    table_open(user=hilde, mode="normal")


def test_s15_the_pages_say_why(tilo: User) -> None:
    excluded("hilde", "hilde@example.org")
    again = register("hilde2", "hilde+2@example.org")
    client = logged_in(Client(headers={"accept-language": "en"}), again)
    wallet = client.get(reverse("wallet_limits")).content.decode()
    assert "self-exclusion" in wallet.lower() or "excluded yourself" in wallet.lower()
    answer = logged_in(Client(), again).post(
        "/api/v1/tables/open/", PRIZE, content_type="application/json"
    )
    assert (answer.status_code, answer.json()["code"]) == (409, "play_paused")


def test_s15_a_challenge_from_before_the_break_leads_to_no_match(tilo: User) -> None:
    hilde = register("hilde", "")
    made = challenge_make(user=hilde, opponent_id=tilo.pk, **PRIZE)
    break_start(user=hilde)
    with pytest.raises(TableError):
        challenge_accept(user=tilo, challenge_id=made.pk)
    assert not Match.objects.exists()


def test_s15_a_table_opened_before_the_break_is_closed_and_takes_nobody(tilo: User) -> None:
    hilde = register("hilde", "")
    table = table_open(user=hilde, **PRIZE)
    exclusion_start(user=hilde, days=None)
    with pytest.raises(TableError) as refused:
        table_join(user=tilo, table_id=table.pk)
    assert refused.value.fields["who"] == "opponent"
    assert tables_close_unpayable() == 1
    assert Table.objects.get().phase == "closed"


# --- mailboxes and the salt -----------------------------------------------------------------------


def test_s15_a_mailbox_that_was_named_stays_with_its_account(tilo: User) -> None:
    mailboxes = Mailbox.objects.filter(user=tilo)
    for change in (mailboxes.delete, lambda: mailboxes.update(key="other")):
        with pytest.raises(Error), transaction.atomic():
            change()
    assert mailboxes.count() == 1


def test_s15_the_salt_that_finds_mailboxes_stays(tilo: User) -> None:
    """With another salt every address would be a new mailbox, and every exclusion would end."""
    with pytest.raises(Error, match="stay as they were written"), transaction.atomic():
        MailboxSalt.objects.update(value=b"x" * 32)
    with pytest.raises(Error, match="stay as they were written"), transaction.atomic():
        MailboxSalt.objects.all().delete()
