"""Sessions: what every game moves from bank to bank, and that no cent is ever lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.modes.kinds.session import banks_cents
from games.modes.prices import Prices
from games.modes.registry import mode_of
from games.modes.terms import Terms, Wishes
from games.prizes.payout import (
    UNCOUNTED,
    Banks,
    PrizeEnding,
    PrizeResult,
    Purse,
    PurseKind,
    banks_after,
    payout,
    rake_of,
    rated_winners,
)
from games.table.errors import BadTerms
from games.table.setup import terms_of


def terms(**wishes) -> Terms:
    return terms_of(Wishes(**{"mode": "session", **wishes}), Prices())


def purse(**wishes) -> Purse:
    agreed = terms(**wishes)
    return mode_of(agreed).purse(agreed)


HALF = {"stake_cents": 50, "bank_cents": 1000}

#: games (winner, points), both banks afterwards, all rakes; base stake 0.50, a game costs at most 5
WORKED = [
    ("nothing played", (), (1000, 1000), 0),
    ("a plain win", ((0, 1),), (1045, 950), 5),
    ("a gammon with cube 2, won back plain", ((0, 4), (1, 1)), (1130, 845), 25),
    ("more points than a game can cost", ((1, 64),), (500, 1450), 50),
    ("a drawn game moves nothing", ((None, 0), (1, 2)), (900, 1090), 10),
    ("a bank is never overdrawn", ((0, 64), (0, 64), (0, 64)), (1900, 0), 100),
]


@pytest.mark.parametrize(("name", "games", "cents", "rake"), WORKED, ids=[row[0] for row in WORKED])
def test_a_worked_session(name, games, cents, rake) -> None:
    assert banks_after(purse(**HALF), games) == Banks(cents, rake)
    paid = payout(purse(**HALF), PrizeResult(None, PrizeEnding.STOPPED, games=games))
    assert (paid.paid_cents, paid.rake_cents) == (cents, rake)


def test_the_rake_of_each_game_is_rounded_down() -> None:
    odd = Purse(PurseKind.SESSION, 1000, 7, 1000, 2, game_limit_cents=100)
    assert banks_after(odd, ((0, 1), (0, 1), (0, 1))) == Banks((1021, 979), 0)


def test_terms_of_a_session() -> None:
    agreed = terms(**HALF)
    assert (agreed.contest, agreed.stake_cents, agreed.rate_cents) == ("session", 1000, 50)
    assert (agreed.game_limit_cents, agreed.limit_points) == (500, 10)
    assert terms(**HALF, has_cube=False).game_limit_cents == 150
    assert terms(stake_cents=50, bank_cents=5000).game_limit_cents == 500
    assert terms(stake_cents=50).stake_cents == 1500


@pytest.mark.parametrize(
    "wishes",
    [
        {"stake_cents": 50, "bank_cents": 999},
        {"stake_cents": 50, "bank_cents": 5001},
        {"stake_cents": 9, "bank_cents": 900},
    ],
)
def test_a_bank_has_20_to_100_base_stakes(wishes) -> None:
    with pytest.raises(BadTerms):
        terms(**wishes)


@given(base_cents=st.integers(10, 500), points=st.integers(1, 64))
def test_the_smallest_bank_covers_another_game_after_a_lost_one(base_cents, points) -> None:
    """Whatever the first game costs, the session need not end after it."""
    agreed = terms(stake_cents=base_cents, bank_cents=banks_cents(base_cents)[0])
    left = banks_after(mode_of(agreed).purse(agreed), ((0, points),)).cents[1]
    assert left >= agreed.game_limit_cents


GAMES = st.lists(
    st.one_of(st.just((None, 0)), st.tuples(st.sampled_from([0, 1]), st.integers(1, 192))),
    max_size=40,
).map(tuple)
PURSES = st.builds(
    lambda rate, times, factor, rake: Purse(
        PurseKind.SESSION,
        times * rate,
        rate,
        rake,
        2,
        game_limit_cents=min(factor, times) * rate,
    ),
    st.integers(1, 10_000),
    st.integers(10, 100),
    st.integers(1, 20),
    st.integers(0, 4_900),
)


@given(PURSES, GAMES, st.sampled_from(list(PrizeEnding)))
def test_no_cent_is_lost_and_no_bank_is_overdrawn(purse, games, ending) -> None:
    paid = payout(purse, PrizeResult(None, ending, games=games))
    assert sum(paid.paid_cents) + paid.rake_cents == purse.pot_cents
    assert min(paid.paid_cents) >= 0
    if ending in UNCOUNTED:
        assert paid.paid_cents == (purse.stake_cents, purse.stake_cents)


@given(PURSES, GAMES)
def test_each_game_pays_like_a_game_by_the_point_with_its_limit(purse, games) -> None:
    before = Banks((purse.stake_cents, purse.stake_cents))
    for number, (winner, points) in enumerate(games, start=1):
        after = banks_after(purse, games[:number])
        won = min(points * purse.rate_cents, purse.game_limit_cents)
        if winner is not None:
            won = min(won, before.cents[1 - winner])
            rake = rake_of(won, purse.rake_bps)
            assert after.cents[winner] == before.cents[winner] + won - rake
            assert after.cents[1 - winner] == before.cents[1 - winner] - won
            assert after.rake_cents == before.rake_cents + rake
        else:
            assert after == before
        before = after


@given(GAMES, st.one_of(st.none(), st.integers(0, 10)))
def test_every_decided_game_is_rated_up_to_the_limit(games, limit) -> None:
    rated = Purse(PurseKind.SESSION, 1000, 50, 1000, 2, 500, rated_games=limit)
    decided = [winner for winner, _ in games if winner is not None]
    assert (
        list(rated_winners(rated, PrizeResult(0, PrizeEnding.STOPPED, games=games)))
        == decided[:limit]
    )
    for ending in UNCOUNTED:
        assert rated_winners(rated, PrizeResult(None, ending, games=games)) == ()
