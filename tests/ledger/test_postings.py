"""Postings: the pure rules, and that the database has the same ones."""

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import User
from ledger.errors import MalformedPosting, Unbalanced
from ledger.postings import (
    ACCOUNT_KINDS,
    KIND_RULES,
    MENDING_KINDS,
    Posting,
    PostingLine,
    lines_of,
    negated,
    wallet_key,
)
from ledger.selectors import (
    escrow_balance,
    house_totals,
    rake_balance,
    trial_balance,
    wallet_balance,
)
from ledger.services.books import escrow_resolve, stakes_escrow

STAKES = (
    PostingLine("escrow:match:7", 500),
    PostingLine("wallet:1", -250),
    PostingLine("wallet:2", -250),
)


def test_the_digest_never_changes() -> None:
    """Golden keys: stored rows keep their meaning for ever."""
    posting = Posting("match:7:open", "stake", "match:7", STAKES)
    assert posting.canonical() == (
        "pasch.posting.1\nstake\nmatch:7\nescrow:match:7 500\nwallet:1 -250\nwallet:2 -250"
    )
    assert posting.digest.hex() == (
        "f7b66a978f0749aa0c03d8cd253d4c4462b74cf82cb7a65187bbfae219b89efa"
    )


def test_the_order_of_lines_is_no_matter() -> None:
    turned = Posting("match:7:open", "stake", "match:7", STAKES[::-1])
    assert turned.digest == Posting("match:7:open", "stake", "match:7", STAKES).digest


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"lines": STAKES[:2]}, Unbalanced),
        ({"lines": STAKES[:1]}, MalformedPosting),
        ({"lines": ()}, MalformedPosting),
        (
            {"lines": (PostingLine("wallet:1", -250), PostingLine("wallet:1", 250))},
            MalformedPosting,
        ),
        (
            {"lines": (PostingLine("wallet:1", 0), PostingLine("escrow:match:7", 0))},
            MalformedPosting,
        ),
        (
            {"lines": (PostingLine("wallet:1", -2.5), PostingLine("escrow:match:7", 2.5))},
            MalformedPosting,
        ),
        (
            {"lines": (PostingLine("wallet:1", True), PostingLine("escrow:match:7", -1))},
            MalformedPosting,
        ),
        (
            {"lines": (PostingLine("wallet:1", -(10**16)), PostingLine("escrow:m", 10**16))},
            MalformedPosting,
        ),
        ({"lines": (PostingLine("wallet:1", -5), PostingLine("wallet:2", 5))}, MalformedPosting),
        (
            {"lines": (PostingLine("wallet:1", 5), PostingLine("escrow:match:7", -5))},
            MalformedPosting,
        ),
        (
            {"lines": (PostingLine("Wallet:1", -5), PostingLine("escrow:match:7", 5))},
            MalformedPosting,
        ),
        ({"kind": "gift"}, MalformedPosting),
        ({"key": "match 7"}, MalformedPosting),
        ({"key": ""}, MalformedPosting),
        ({"key": "m:" + "7" * 200}, MalformedPosting),
        ({"reference": "match:7\nvoid"}, MalformedPosting),
    ],
)
def test_what_is_no_posting_is_refused(change: dict[str, object], error: type[Exception]) -> None:
    fields = {"key": "match:7:open", "kind": "stake", "reference": "match:7", "lines": STAKES}
    with pytest.raises(error):
        Posting(**(fields | change))  # type: ignore[arg-type]


def test_no_kind_moves_credits_from_player_to_player_outside_of_mending() -> None:
    for kind, rule in KIND_RULES.items():
        moves_between_wallets = "wallet" in rule.debits and "wallet" in rule.credits
        assert not moves_between_wallets or kind in MENDING_KINDS | {"adjust"}


@pytest.mark.django_db
def test_the_database_knows_the_same_kinds_and_rules() -> None:
    with connection.cursor() as cursor:
        for kind in [*KIND_RULES, "gift"]:
            for account in [*ACCOUNT_KINDS, "moon"]:
                for amount in (-1, 1):
                    cursor.execute("SELECT ledger_kind_allows(%s, %s, %s)", [kind, account, amount])
                    (allowed,) = cursor.fetchone()
                    rule = KIND_RULES.get(kind)
                    side = (rule.credits if amount > 0 else rule.debits) if rule else frozenset()
                    assert bool(allowed) == (account in side), (kind, account, amount)


amounts = st.integers(1, 10**12)


@given(st.dictionaries(st.integers(1, 10**9), amounts, min_size=1, max_size=8))
def test_stakes_are_balanced_and_their_negative_undoes_them(stakes: dict[int, int]) -> None:
    taken = {wallet_key(user_id): -cents for user_id, cents in stakes.items()}
    posting = Posting(
        "m:1:open", "stake", "m:1", lines_of(taken | {"escrow:m:1": sum(stakes.values())})
    )
    both = [*posting.lines, *negated(posting.lines)]
    assert sum(line.amount_cents for line in posting.lines) == 0
    for key in {line.account_key for line in both}:
        assert sum(line.amount_cents for line in both if line.account_key == key) == 0


@pytest.mark.django_db
def test_the_database_computes_the_same_digest() -> None:
    """Accounts sort by code point on both sides, whatever the database's language."""
    taken = {f"wallet:{number}": -number for number in (1, 9, 10, 11, 100, 2)}
    lines = lines_of(taken | {"escrow:a": -sum(taken.values())})
    posting = Posting("m:a:open", "stake", "m:a", lines)
    for order in (lines, lines[::-1]):
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT ledger_digest(%s, %s, %s::text[], %s::bigint[])",
                [
                    posting.kind,
                    posting.reference,
                    [line.account_key for line in order],
                    [line.amount_cents for line in order],
                ],
            )
            (digest,) = cursor.fetchone()
        assert bytes(digest) == posting.digest


# --- worked examples ------------------------------------------------------------------------------
EXAMPLES = {
    # what is played: stake of each, the winner gets, the loser gets, rake (in cents)
    "prize5, stake 2.50": (250, 450, 0, 50),
    "prize3, stake 5.00, tie 4:4": (500, 450, 450, 100),
    "single 1 a point, limit 10, gammon with cube 1": (1000, 1180, 800, 20),
    "single 2 a point, limit 10, backgammon with cube 2": (1000, 1900, 0, 100),
    "stake 0.50 without cube (frozen 1.50), backgammon": (150, 285, 0, 15),
    "stake 0.50 with cube (frozen 5.00), gammon with cube 2": (500, 680, 300, 20),
}


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
