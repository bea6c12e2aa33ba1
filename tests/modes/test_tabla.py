"""tabla: backgammon without the cube, Gul Bara and Tapa in turn, first to 5 or 7 points."""

import pytest

from games.modes.registry import by_key
from games.prizes.payout import PrizeEnding, PrizeResult, payout
from games.table.errors import BadTerms
from games.table.evolve import replay
from games.table.state import variant_of
from harness.rig import terms_for
from tests.modes.test_match import play_out


@pytest.mark.parametrize(("stake", "prize", "rake"), [(0, 0, 0), (1000, 1800, 200)])
def test_the_winner_receives_both_stakes_less_the_rake(stake, prize, rake):
    terms = terms_for(mode="tabla", stake_cents=stake, target_points=7)
    paid = payout(by_key("tabla").purse(terms), PrizeResult(1, PrizeEnding.BORNE_OFF, 0))
    assert (paid.paid_cents, paid.rake_cents, paid.rated_points) == ((0, prize), rake, 7)


def test_its_games_follow_each_other_and_backgammon_can_count_three():
    terms = terms_for(mode="tabla")
    played = [variant_of(terms, number) for number in range(1, 5)]
    assert [variant.key for variant in played] == ["backgammon", "gul_bara", "tapa", "backgammon"]
    assert [max(variant.levels) for variant in played] == [3, 2, 2, 3]


def test_it_is_played_to_its_end():
    table = play_out(terms_for(mode="tabla", target_points=5), "tabla")
    assert max(table.state.match.score) >= 5
    assert replay(table.events) == table.state


@pytest.mark.parametrize("wishes", [{"target_points": 3}, {"jacoby": True}, {"variant": "tapa"}])
def test_it_refuses_what_it_does_not_offer(wishes):
    with pytest.raises(BadTerms):
        terms_for(mode="tabla", **wishes)
