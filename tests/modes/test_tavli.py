"""tavli: Portes, Plakoto and Fevga in turn, first to 3, 5 or 7 points."""

from itertools import cycle

import pytest

from games.modes.registry import by_key
from games.prizes.payout import PrizeEnding, PrizeResult, payout
from games.settlement import rating_pool
from games.table import commands as cmd
from games.table import events as ev
from games.table.errors import BadTerms
from games.table.evolve import evolve, replay
from games.table.gameplay import next_game
from games.table.state import variant_of
from games.table.view import table_view
from harness.rig import Rig, terms_for
from tests.modes.test_match import play_out
from tests.table.test_modes import go_on, resign

CYCLE = ("portes", "plakoto", "fevga")


@pytest.mark.parametrize(("stake", "prize", "rake"), [(250, 450, 50), (2000, 3600, 400)])
def test_the_winner_receives_both_stakes_less_the_rake(stake, prize, rake):
    terms = terms_for(mode="tavli", stake_cents=stake, target_points=7)
    paid = payout(by_key("tavli").purse(terms), PrizeResult(0, PrizeEnding.BORNE_OFF, 0))
    assert (paid.paid_cents, paid.rake_cents, paid.rated_points) == ((prize, 0), rake, 7)


def test_it_has_rating_pools_of_its_own():
    terms = terms_for(mode="tavli")
    assert terms.game_key == "tavli"
    assert rating_pool(variant=terms.game_key, stake_cents=0) == "tavli:normal"
    assert rating_pool(variant=terms.game_key, stake_cents=250) == "tavli:prize"


def test_the_variants_change_from_game_to_game_and_the_winner_starts():
    table = Rig(cycle(((3, 1), (4, 2))), terms_for(mode="tavli", target_points=5)).sit()
    assert (table.state.phase, table.state.start_rule.value) == ("roll_off", "roll_off_reroll")
    winners = (1, 0, 0, 1)
    for number, winner in enumerate(winners):
        assert table_view(table.state).variant == CYCLE[number % 3]
        assert table.state.game.position == table.state.variant.start
        if number:
            assert table.state.start_rule.value == "winner_starts"
            assert table.on_roll == winners[number - 1]
        else:
            table.give(cmd.Roll(), 0)
        resign(table, 1 - winner)
        assert table.state.variant.key == CYCLE[number % 3], "the board shows the last game"
        go_on(table)
    assert table.state.match.score == (2, 2)
    assert replay(table.events) == table.state


def test_a_drawn_game_gives_no_points_and_its_beginner_begins_the_next():
    table = Rig(cycle(((3, 1), (4, 2))), terms_for(mode="tavli", target_points=3)).sit()
    table.give(cmd.Roll(), 0)
    begun = table.state.game.starter
    drawn = ev.GameEnded(
        at_ms=0, winner=None, points=0, level=0, cube=1, ending="borne_off", score=(0, 0)
    )
    started = next_game(evolve(table.state, drawn), 0)
    assert (started.game, started.starter) == (2, begun)
    assert variant_of(table.state.terms, started.game).key == "plakoto"


@pytest.mark.parametrize("seed", range(3))
def test_it_is_played_to_its_end(seed):
    table = play_out(terms_for(mode="tavli", target_points=3), f"tavli {seed}")
    assert max(table.state.match.score) >= 3
    assert replay(table.events) == table.state


@pytest.mark.parametrize(
    ("wishes", "field"),
    [
        ({"target_points": 4}, "target_points"),
        ({"variant": "portes"}, "variant"),
        ({"has_cube": True}, "has_cube"),
        ({"stake_cents": 1}, "stake_cents"),
        ({"no_hit_and_run": True}, "no_hit_and_run"),
    ],
    ids=str,
)
def test_it_refuses_what_it_does_not_offer(wishes, field):
    with pytest.raises(BadTerms) as refused:
        terms_for(mode="tavli", **wishes)
    assert refused.value.fields == {"field": field}
