"""The worked examples of the house rules, booked and read back: stakes in, payouts and rake out."""

import pytest

from accounts.models import User
from ledger.selectors import (
    escrow_balance,
    house_totals,
    rake_balance,
    trial_balance,
    wallet_balance,
)
from ledger.services.books import escrow_resolve, stakes_escrow

EXAMPLES = {
    # what is played: stake of each, the winner gets, the loser gets, rake (in cents)
    "prize5, stake 2.50": (250, 450, 0, 50),
    "prize3, stake 5.00, tie 4:4": (500, 450, 450, 100),
    "single 1 a point, limit 10, gammon with cube 1": (1000, 1180, 800, 20),
    "single 2 a point, limit 10, backgammon with cube 2": (1000, 1900, 0, 100),
    "stake 0.50 without cube (frozen 1.50), backgammon": (150, 285, 0, 15),
    "stake 0.50 with cube (frozen 5.00), gammon with cube 2": (500, 680, 300, 20),
}


@pytest.mark.django_db
@pytest.mark.parametrize("example", EXAMPLES)
def test_the_worked_examples_of_the_house_rules(example: str, magriel: User, hilde: User) -> None:
    stake, winner_gets, loser_gets, rake = EXAMPLES[example]
    reference = "match:of-an-example"

    stakes_escrow(reference=reference, stakes={magriel.pk: stake, hilde.pk: stake})

    assert escrow_balance(reference) == 2 * stake
    assert wallet_balance(magriel.pk) == wallet_balance(hilde.pk) == 10_000 - stake

    escrow_resolve(
        reference=reference,
        payouts={magriel.pk: winner_gets, hilde.pk: loser_gets},
        rake_cents=rake,
        kind="tie" if winner_gets == loser_gets else "result",
    )

    assert escrow_balance(reference) == 0
    assert wallet_balance(magriel.pk) == 10_000 - stake + winner_gets
    assert wallet_balance(hilde.pk) == 10_000 - stake + loser_gets
    assert rake_balance() == rake
    assert sum(line.balance_cents for line in trial_balance()) == 0
    totals = house_totals()
    assert totals.issued_cents == 20_000
    assert totals.difference_cents == 0
