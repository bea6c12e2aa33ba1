"""The payouts of every mode and of sessions as in their tables, and that no cent is ever lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backgammon.rules.variants import by_key
from games.modes.kinds.session import banks_cents
from games.modes.prices import Prices
from games.modes.registry import mode_of
from games.modes.terms import Terms, Wishes
from games.prizes import (
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
    return terms_of(Wishes(**wishes), Prices())


def purse(**wishes) -> Purse:
    agreed = terms(**wishes)
    return mode_of(agreed).purse(agreed)


BOARD = PrizeEnding.BORNE_OFF

WORKED = [
    # mode and stake, winner, points, winner gets, loser gets, rake
    ("prize5, stake 2.50", {"mode": "prize5", "stake_cents": 250}, 0, 0, 450, 0, 50),
    ("prize5, stake 5.00", {"mode": "prize5", "stake_cents": 500}, 0, 0, 900, 0, 100),
    ("prize3, stake 2.50", {"mode": "prize3", "stake_cents": 250}, 0, 0, 450, 0, 50),
    ("prize3, stake 2.50, tie", {"mode": "prize3", "stake_cents": 250}, None, 0, 225, 225, 50),
    ("prize3, stake 5.00, tie 4:4", {"mode": "prize3", "stake_cents": 500}, None, 0, 450, 450, 100),
    (
        "single 1 ℂ, limit 10, gammon with cube 1 (2 points)",
        {"mode": "single", "rate_cents": 100, "limit_cents": 1000}, 0, 2, 1180, 800, 20,
    ),
    (
        "single 2 ℂ, limit 10, backgammon with cube 2 (6 points = 12, limited to 10)",
        {"mode": "single", "rate_cents": 200, "limit_cents": 1000}, 0, 6, 1900, 0, 100,
    ),
    (
        "single 1 ℂ, limit 20, plain win with cube 4",
        {"mode": "single", "rate_cents": 100, "limit_cents": 2000}, 0, 4, 2360, 1600, 40,
    ),
    (
        "single 2 ℂ, limit 20, plain win",
        {"mode": "single", "rate_cents": 200, "limit_cents": 2000}, 0, 1, 2180, 1800, 20,
    ),
    (
        "stake 0.50 without cube (frozen 1.50), backgammon",
        {"mode": "stake", "stake_cents": 50, "has_cube": False}, 0, 3, 285, 0, 15,
    ),
    (
        "stake 0.50 with cube (frozen 5.00), gammon with cube 2 (4 points)",
        {"mode": "stake", "stake_cents": 50}, 0, 4, 680, 300, 20,
    ),
    ("a drawn game for free stakes", {"mode": "stake", "stake_cents": 50}, None, 0, 500, 500, 0),
    ("normal", {"mode": "normal"}, 0, 3, 0, 0, 0),
]  # fmt: skip


@pytest.mark.parametrize("case", WORKED, ids=[case[0] for case in WORKED])
@pytest.mark.parametrize("seat", [0, 1])
def test_worked_examples(case, seat):
    _, wishes, winner, points, winner_gets, loser_gets, rake = case
    won_by = None if winner is None else seat
    paid = payout(purse(**wishes), PrizeResult(won_by, BOARD, points))
    assert (paid.paid_cents[seat], paid.paid_cents[1 - seat]) == (winner_gets, loser_gets)
    assert paid.rake_cents == rake


@pytest.mark.parametrize(
    ("mode", "wishes", "n"),
    [
        ("normal", {}, 1),
        ("prize3", {"stake_cents": 250}, 4),
        ("prize5", {"stake_cents": 250}, 5),
        ("single", {"rate_cents": 100, "limit_cents": 1000}, 2),
        ("stake", {"stake_cents": 100}, 2),
        ("practice", {}, 0),
    ],
)
def test_for_how_many_points_the_ratings_count(mode, wishes, n):
    agreed = purse(mode=mode, **wishes)
    assert payout(agreed, PrizeResult(0, BOARD, 1)).rated_points == n
    assert payout(agreed, PrizeResult(None, BOARD)).rated_points == 0
    assert payout(agreed, PrizeResult(None, PrizeEnding.VOIDED)).rated_points == 0


purses = st.builds(
    Purse,
    kind=st.sampled_from([PurseKind.POT, PurseKind.PER_POINT]),
    stake_cents=st.integers(1, 10**9),
    rate_cents=st.integers(1, 10**6),
    rake_bps=st.integers(0, 5_000),
    rated_points=st.just(2),
)
results = st.builds(
    PrizeResult,
    winner=st.sampled_from([None, 0, 1]),
    ending=st.sampled_from(list(PrizeEnding)),
    points=st.integers(0, 3 * 4096),
)


@given(purses, results)
def test_payouts_and_rake_are_both_stakes_and_nobody_loses_more_than_his(purse, result):
    paid = payout(purse, result)
    assert sum(paid.paid_cents) + paid.rake_cents == purse.pot_cents
    assert min(*paid.paid_cents, paid.rake_cents) >= 0


@given(purses, results)
def test_what_does_not_count_gives_every_stake_back(purse, result):
    if result.ending in (PrizeEnding.VOIDED, PrizeEnding.STOOD_UP):
        assert payout(purse, result).paid_cents == (purse.stake_cents, purse.stake_cents)


@pytest.mark.parametrize(
    "wishes",
    [
        {"mode": "chess"},
        {"mode": "prize3", "stake_cents": 300},
        {"mode": "prize5", "stake_cents": 250, "jacoby": True},
        {"mode": "prize5", "stake_cents": 250, "variant": "plakoto"},
        {"mode": "prize5", "stake_cents": 250, "beavers": True},
        {"mode": "single", "rate_cents": 150, "limit_cents": 1000},
        {"mode": "single", "rate_cents": 100, "limit_cents": 1500},
        {"mode": "single", "rate_cents": 100, "limit_cents": 1000, "variant": "fevga"},
        {"mode": "stake", "stake_cents": 5},
        {"mode": "stake", "stake_cents": 10_001},
        {"mode": "stake", "stake_cents": -50},
        {"mode": "normal", "raccoons": True},
        {"mode": "normal", "auto_doubles_max": 1, "start_rule": "opener_alternates"},
        {"mode": "normal", "auto_doubles_max": -1, "start_rule": "roll_off_use"},
        {"mode": "normal", "auto_doubles_max": 1, "start_rule": "winner_starts"},
        {"mode": "normal", "start_rule": "whoever"},
        {"mode": "normal", "variant": "chess"},
        {"mode": "practice", "variant": "chess", "has_cube": False},
        {"mode": "normal", "clock": "endless"},
        {"mode": "normal", "holland": True},
    ],
    ids=str,
)
def test_the_house_refuses_terms_it_does_not_offer(wishes):
    with pytest.raises(BadTerms):
        terms(**wishes)


@pytest.mark.parametrize(
    ("wishes", "field"),
    [
        ({"mode": "chess"}, "mode"),
        ({"mode": "normal", "stake_cents": 250}, "stake_cents"),
        ({"mode": "prize5", "stake_cents": 300}, "stake_cents"),
        ({"mode": "prize5", "stake_cents": 250, "rate_cents": 100}, "rate_cents"),
        ({"mode": "prize5", "stake_cents": 250, "has_cube": False}, "has_cube"),
        ({"mode": "prize5", "stake_cents": 250, "crawford": False}, "crawford"),
        ({"mode": "prize5", "stake_cents": 250, "target_points": 7}, "target_points"),
        ({"mode": "prize3", "stake_cents": 250, "has_cube": True}, "has_cube"),
        ({"mode": "prize3", "stake_cents": 250, "start_rule": "roll_off_use"}, "start_rule"),
        ({"mode": "single", "rate_cents": 100, "limit_cents": 1000, "jacoby": True}, "jacoby"),
        ({"mode": "normal", "variant": "plakoto", "has_cube": True}, "has_cube"),
        ({"mode": "normal", "variant": "plakoto", "max_stack": 5}, "max_stack"),
        ({"mode": "normal", "variant": "tabula", "start_rule": "roll_off_use"}, "start_rule"),
        ({"mode": "normal", "has_cube": False, "jacoby": True}, "jacoby"),
        ({"mode": "normal", "max_stack": 4}, "max_stack"),
        ({"mode": "normal", "cube_cap": 100}, "cube_cap"),
        ({"mode": "normal", "extra_roll": False}, "extra_roll"),
        ({"mode": "normal", "raccoons": True}, "raccoons"),
        ({"mode": "normal", "clock": "endless"}, "clock"),
        ({"mode": "practice", "bank_cents": 100}, "bank_cents"),
    ],
    ids=str,
)
def test_a_refusal_names_the_wish_that_cannot_be_granted(wishes, field):
    with pytest.raises(BadTerms) as refused:
        terms(**wishes)
    assert refused.value.fields == {"field": field}


def test_a_wish_that_the_mode_grants_anyway_is_no_fault():
    assert terms(mode="prize5", stake_cents=250, has_cube=True, target_points=5) == terms(
        mode="prize5", stake_cents=250
    )
    assert terms(mode="normal", variant="plakoto", has_cube=False, max_stack=0) == terms(
        mode="normal", variant="plakoto"
    )


def test_hypergammon_has_jacobys_rule_by_itself_where_there_is_a_cube():
    assert terms(mode="normal", variant="hypergammon").jacoby
    assert not terms(mode="normal", variant="hypergammon", has_cube=False).jacoby
    assert not terms(mode="normal", variant="hypergammon", jacoby=False).jacoby
    assert not terms(mode="normal").jacoby


@pytest.mark.parametrize("variant", ["backgammon", "tabula", "plakoto", "acey_deucey"])
def test_without_a_wish_a_game_begins_as_its_variant_has_it(variant):
    usual = by_key(variant).next_start_rule.value
    for mode, wishes in (("stake", {"stake_cents": 50}), ("match", {})):
        assert terms(mode=mode, variant=variant, **wishes).start_rule == usual
    assert terms(mode="normal", variant=variant).start_rule == "opener_alternates"
    assert terms(mode="practice", variant=variant).start_rule == "opener_alternates"
    assert terms(mode="prize5", stake_cents=250).start_rule == "opener_alternates"


# --- sessions -------------------------------------------------------------------------------------
def session_terms(**wishes) -> Terms:
    return terms_of(Wishes(**{"mode": "session", **wishes}), Prices())


def session_purse(**wishes) -> Purse:
    agreed = session_terms(**wishes)
    return mode_of(agreed).purse(agreed)


HALF = {"stake_cents": 50, "bank_cents": 1000}

#: games (winner, points), both banks afterwards, all rakes; base stake 0.50, a game costs at most 5
WORKED_SESSIONS = [
    ("nothing played", (), (1000, 1000), 0),
    ("a plain win", ((0, 1),), (1045, 950), 5),
    ("a gammon with cube 2, won back plain", ((0, 4), (1, 1)), (1130, 845), 25),
    ("more points than a game can cost", ((1, 64),), (500, 1450), 50),
    ("a drawn game moves nothing", ((None, 0), (1, 2)), (900, 1090), 10),
    ("a bank is never overdrawn", ((0, 64), (0, 64), (0, 64)), (1900, 0), 100),
]


@pytest.mark.parametrize(
    ("name", "games", "cents", "rake"), WORKED_SESSIONS, ids=[row[0] for row in WORKED_SESSIONS]
)
def test_a_worked_session(name, games, cents, rake) -> None:
    assert banks_after(session_purse(**HALF), games) == Banks(cents, rake)
    paid = payout(session_purse(**HALF), PrizeResult(None, PrizeEnding.STOPPED, games=games))
    assert (paid.paid_cents, paid.rake_cents) == (cents, rake)


def test_the_rake_of_each_game_is_rounded_down() -> None:
    odd = Purse(PurseKind.SESSION, 1000, 7, 1000, 2, game_limit_cents=100)
    assert banks_after(odd, ((0, 1), (0, 1), (0, 1))) == Banks((1021, 979), 0)


def test_terms_of_a_session() -> None:
    agreed = session_terms(**HALF)
    assert (agreed.contest, agreed.stake_cents, agreed.rate_cents) == ("session", 1000, 50)
    assert (agreed.game_limit_cents, agreed.limit_points) == (500, 10)
    assert session_terms(**HALF, has_cube=False).game_limit_cents == 150
    assert session_terms(stake_cents=50, bank_cents=5000).game_limit_cents == 500
    assert session_terms(stake_cents=50).stake_cents == 1500


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
        session_terms(**wishes)


@given(base_cents=st.integers(10, 500), points=st.integers(1, 64))
def test_the_smallest_bank_covers_another_game_after_a_lost_one(base_cents, points) -> None:
    """Whatever the first game costs, the session need not end after it."""
    agreed = session_terms(stake_cents=base_cents, bank_cents=banks_cents(base_cents)[0])
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
def test_no_cent_is_lost_and_no_bank_is_overdrawn(session_purse, games, ending) -> None:
    paid = payout(session_purse, PrizeResult(None, ending, games=games))
    assert sum(paid.paid_cents) + paid.rake_cents == session_purse.pot_cents
    assert min(paid.paid_cents) >= 0
    if ending in UNCOUNTED:
        assert paid.paid_cents == (session_purse.stake_cents, session_purse.stake_cents)


@given(PURSES, GAMES)
def test_each_game_pays_like_a_game_by_the_point_with_its_limit(session_purse, games) -> None:
    before = Banks((session_purse.stake_cents, session_purse.stake_cents))
    for number, (winner, points) in enumerate(games, start=1):
        after = banks_after(session_purse, games[:number])
        won = min(points * session_purse.rate_cents, session_purse.game_limit_cents)
        if winner is not None:
            won = min(won, before.cents[1 - winner])
            rake = rake_of(won, session_purse.rake_bps)
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
