"""Stakes that are booked one by one, and taken back before their escrow is decided."""

from collections.abc import Callable

import pytest
from django.db import Error, connection, transaction

from accounts.models import User
from harness.wallets import credits_spent
from ledger.audit import run
from ledger.errors import BooksGuarded, EscrowMismatch, InsufficientCredits, LimitReached
from ledger.selectors import account_balance, owns_credits, wallet_balance
from ledger.selectors_player import payable
from ledger.services.books import escrow_resolve, stake_one, stake_withdraw
from ledger.services.database import refusals_told
from ledger.services.limits import limit_set

POOL = "pool:1"
ESCROW = f"escrow:{POOL}"
pytestmark = pytest.mark.django_db

Maker = Callable[..., User]


def stake(user: User, number: int, cents: int = 500) -> None:
    stake_one(reference=POOL, number=number, user_id=user.pk, cents=cents)


def back(user: User, number: int, cents: int = 500) -> None:
    stake_withdraw(reference=POOL, number=number, user_id=user.pk, cents=cents)


def test_one_stake_comes_back_and_the_others_stay(magriel: User, hilde: User) -> None:
    stake(magriel, 1)
    stake(hilde, 2)
    back(magriel, 1)
    back(magriel, 1)  # a second time moves nothing
    assert (wallet_balance(magriel.pk), wallet_balance(hilde.pk)) == (10_000, 9_500)
    assert account_balance(ESCROW) == 500
    assert run().finding_count == 0
    escrow_resolve(reference=POOL, payouts={hilde.pk: 450}, rake_cents=50, kind="result")
    assert account_balance(ESCROW) == 0
    assert run().finding_count == 0


def test_an_escrow_that_everybody_left_is_empty_and_undecided(magriel: User) -> None:
    stake(magriel, 1)
    back(magriel, 1)
    assert account_balance(ESCROW) == 0
    assert run().finding_count == 0


def test_no_more_comes_back_than_lies_there(magriel: User, hilde: User) -> None:
    stake(magriel, 1)
    with pytest.raises(EscrowMismatch), transaction.atomic():
        back(hilde, 2, 501)
    assert account_balance(ESCROW) == 500


def test_nothing_comes_back_after_the_decision(magriel: User, hilde: User) -> None:
    stake(magriel, 1)
    stake(hilde, 2)
    escrow_resolve(reference=POOL, payouts={hilde.pk: 900}, rake_cents=100, kind="result")
    with pytest.raises(EscrowMismatch), transaction.atomic():
        back(magriel, 1)
    assert wallet_balance(magriel.pk) == 9_500


def test_who_lacks_credits_stakes_nothing(person: Maker) -> None:
    with pytest.raises(InsufficientCredits), transaction.atomic():
        stake(person("kofi", 100), 1)
    assert account_balance(ESCROW) == 0


@pytest.mark.parametrize("measure", ["loss", "stake"])
def test_a_stake_that_came_back_counts_for_no_limit(magriel: User, measure: str) -> None:
    limit_set(user=magriel, measure=measure, period="day", amount_cents=500)
    stake(magriel, 1)
    with pytest.raises(LimitReached), transaction.atomic():
        stake(magriel, 2)
    back(magriel, 1)
    stake(magriel, 2)


def test_nobody_becomes_a_bot_with_a_stake_in_a_pool(magriel: User, hilde: User) -> None:
    stake(magriel, 1)
    stake(hilde, 2)
    magriel.is_bot = True
    with pytest.raises(Error, match="a stake lies in escrow"), transaction.atomic():
        magriel.save()
    assert owns_credits(magriel.pk)
    back(magriel, 1)
    with pytest.raises(Error, match="could never have paid out"), transaction.atomic():
        magriel.save()
    credits_spent(magriel, 10_000)
    magriel.save()


def test_stakes_of_a_pool_unlock_no_present(person: Maker) -> None:
    newcomer, others = person("new", 2_000, welcome=True), [person(f"o{n}") for n in range(5)]
    stake(newcomer, 1)
    for number, other in enumerate(others, start=2):
        stake(other, number)
    escrow_resolve(reference=POOL, payouts={others[0].pk: 2_700}, rake_cents=300, kind="result")
    assert payable(newcomer.pk).locked_cents == 2_000


def test_several_winners_share_what_was_lost_of_a_present(person: Maker) -> None:
    newcomer, one, two = person("new", 500, welcome=True), person("one"), person("two")
    for number, user in enumerate((newcomer, one, two), start=1):
        stake(user, number)
    payouts = {one.pk: 850, two.pk: 550}
    escrow_resolve(reference=POOL, payouts=payouts, rake_cents=100, kind="result")
    # 350 and 50 were won, of which 400 are the newcomer's present
    assert payable(one.pk).locked_cents == 350
    assert payable(two.pk).locked_cents == 50
    assert run().finding_count == 0


def withdrawn_at_once(reference: str, user: User) -> None:
    """Stake and withdraw, with everything that is checked at the end of a transaction."""
    with refusals_told():
        stake_one(reference=reference, number=1, user_id=user.pk, cents=1)
        stake_withdraw(reference=reference, number=1, user_id=user.pk, cents=1)
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def test_a_match_gives_no_stake_back_alone(magriel: User) -> None:
    reference = "match:00000000-0000-4000-8000-000000000000"
    with pytest.raises(BooksGuarded), transaction.atomic():
        withdrawn_at_once(reference, magriel)
