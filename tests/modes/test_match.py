"""match, tavli and tabla: first to so many points, free or for a stake."""

from itertools import cycle
from random import Random

import pytest

from backgammon.rules.variants import KEYS
from games.modes.registry import by_key
from games.modes.terms import CLOCKS
from games.prizes import PrizeEnding, PrizeResult, payout
from games.settlement import rating_pool
from games.table import commands as cmd
from games.table import events as ev
from games.table.errors import BadTerms
from games.table.evolve import evolve, replay
from games.table.gameplay import next_game
from games.table.state import variant_of
from games.table.verdict import possible_verdicts, verdict_of
from games.table.view import table_view
from harness.rig import Rig, terms_for
from tests.table.test_modes import resign

CYCLE = ("portes", "plakoto", "fevga")
OPENS = {"start_rule": "opener_alternates"}


STAKED = [("match", stake, points) for stake in (250, 500, 1000, 2000) for points in (1, 5, 25)]
STAKED += [("tavli", 250, 7), ("tavli", 2000, 7), ("tabla", 0, 7), ("tabla", 1000, 7)]


@pytest.mark.parametrize(("mode", "stake", "points"), STAKED)
def test_the_winner_receives_both_stakes_less_the_rake(mode, stake, points):
    terms = terms_for(mode=mode, stake_cents=stake, target_points=points)
    paid = payout(by_key(mode).purse(terms), PrizeResult(1, PrizeEnding.BORNE_OFF, 0))
    assert (paid.paid_cents, paid.rake_cents) == ((0, 2 * stake * 9 // 10), stake // 5)
    assert paid.rated_points == points
    void = payout(by_key(mode).purse(terms), PrizeResult(None, PrizeEnding.VOIDED))
    assert (void.paid_cents, void.rake_cents, void.rated_points) == ((stake, stake), 0, 0)


def test_a_free_match_moves_ratings_alone_by_its_length():
    paid = payout(
        by_key("match").purse(terms_for(mode="match", target_points=11)), PrizeResult(0, "left")
    )
    assert (paid.paid_cents, paid.rake_cents, paid.rated_points) == ((0, 0), 0, 11)


def test_its_clock_grows_with_its_length():
    for clock, (delay_ms, per_point_ms) in CLOCKS.items():
        terms = terms_for(mode="match", target_points=7, clock=clock)
        assert (terms.delay_ms, terms.reserve_ms) == (delay_ms, 7 * per_point_ms)


def test_seven_points_are_played_with_one_crawford_game_unless_it_is_switched_off():
    for crawford in (True, False):
        terms = terms_for(mode="match", target_points=7, crawford=crawford, **OPENS)
        table = Rig(cycle(((3, 1), (4, 2))), terms).sit()
        for score in ((0, 3), (0, 6)):
            resign(table, 0, level=3)
            assert table.state.match.score == score
            table.go_on()
        assert table.state.game.crawford is crawford
        *_, ended = resign(table, 0)
        assert (ended.winner, ended.score, table.state.phase) == (1, (0, 7), "over")


def test_a_match_without_the_cube_has_none_and_no_crawford_game():
    terms = terms_for(mode="match", target_points=3, has_cube=False, **OPENS)
    assert (terms.has_cube, terms.crawford, terms.holland) == (False, False, False)


@pytest.mark.parametrize("variant", KEYS)
def test_a_match_is_played_to_its_end_in_every_variant(variant):
    table = play_out(terms_for(mode="match", target_points=2, variant=variant), variant)
    match = table.state.match
    assert max(match.score) >= 2
    assert match.result.winner == match.score.index(max(match.score))
    assert replay(table.events) == table.state


def play_out(terms, seed) -> Rig:
    """Play a table to its end by random plays; every verdict of its last game is possible."""
    random, rolls = Random(seed), Random(f"{seed} rolls")
    table = Rig(cycle([()]), terms)

    class Dice:
        def __next__(self):
            state = table.state
            count = 2 if state.game.starter is None else state.variant.dice_count
            return tuple(rolls.randint(1, 6) for _ in range(count))

    table.dice = Dice()
    table.sit()
    for _ in range(20_000):
        match table.state.phase:
            case "over":
                return table
            case "between_games":
                table.go_on()
            case "name_double":
                table.give(cmd.NameDouble(number=random.randint(1, 6)), table.on_roll)
            case "play":
                table.play_random(random)
            case _:
                table.give(cmd.Roll(), table.on_roll)
        if table.state.seq % 97 == 0:
            table_view(table.state)
    raise AssertionError("the match does not end")


@pytest.mark.parametrize(
    ("mode", "points", "seed"), [*(("tavli", 3, seed) for seed in range(3)), ("tabla", 5, 0)]
)
def test_games_in_turn_are_played_to_their_end(mode, points, seed):
    table = play_out(terms_for(mode=mode, target_points=points), f"{mode} {seed}")
    assert max(table.state.match.score) >= points
    assert replay(table.events) == table.state


@pytest.mark.parametrize("variant", ["backgammon", "acey_deucey", "plakoto", "misere"])
def test_its_verdicts_are_the_scores_it_can_still_have(variant):
    terms = terms_for(mode="match", target_points=4, variant=variant, **OPENS)
    table = Rig(cycle([(3, 1)] if variant != "tabula" else [(3, 1, 2)]), terms).sit()
    verdicts = possible_verdicts(table.state)
    assert [verdict.score for verdict in verdicts] == [
        *((4, points) for points in range(4)),
        *((points, 4) for points in range(4)),
    ]
    assert verdict_of(table.state, 1, (2, 4), 0, 0).winner == 1


# --- tavli and tabla ------------------------------------------------------------------------------
def test_tavli_has_rating_pools_of_its_own():
    terms = terms_for(mode="tavli")
    assert terms.game_key == "tavli"
    assert rating_pool(variant=terms.game_key, stake_cents=0) == "tavli:normal"
    assert rating_pool(variant=terms.game_key, stake_cents=250) == "tavli:prize"


def test_the_variants_of_tavli_change_from_game_to_game_and_the_winner_starts():
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
        table.go_on()
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


def test_the_games_of_tabla_follow_each_other_and_backgammon_can_count_three():
    terms = terms_for(mode="tabla")
    played = [variant_of(terms, number) for number in range(1, 5)]
    assert [variant.key for variant in played] == ["backgammon", "gul_bara", "tapa", "backgammon"]
    assert [max(variant.levels) for variant in played] == [3, 2, 2, 3]


@pytest.mark.parametrize(
    ("mode", "wishes", "field"),
    [
        ("match", {"target_points": 0}, "target_points"),
        ("match", {"target_points": 26}, "target_points"),
        ("match", {"stake_cents": 300}, "stake_cents"),
        ("match", {"jacoby": True}, "jacoby"),
        ("match", {"beavers": True}, "beavers"),
        ("match", {"cube_cap": 8}, "cube_cap"),
        ("match", {"holland": True, "crawford": False}, "holland"),
        ("match", {"variant": "fevga", "has_cube": True}, "has_cube"),
        ("match", {"variant": "fevga", "crawford": True}, "crawford"),
        ("match", {"variant": "tapa", "max_stack": 5}, "max_stack"),
        ("tavli", {"target_points": 4}, "target_points"),
        ("tavli", {"variant": "portes"}, "variant"),
        ("tavli", {"has_cube": True}, "has_cube"),
        ("tavli", {"stake_cents": 1}, "stake_cents"),
        ("tavli", {"no_hit_and_run": True}, "no_hit_and_run"),
        ("tabla", {"target_points": 3}, "target_points"),
        ("tabla", {"jacoby": True}, "jacoby"),
        ("tabla", {"variant": "tapa"}, "variant"),
    ],
    ids=str,
)
def test_it_refuses_what_it_does_not_offer(mode, wishes, field):
    with pytest.raises(BadTerms) as refused:
        terms_for(mode=mode, **wishes)
    assert refused.value.fields == {"field": field}
