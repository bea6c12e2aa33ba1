"""A match that begins from a position: what is refused, how it begins, and that it stays whole."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from backgammon.formats.registry import ALL, parse_match
from backgammon.rules.position import Position
from backgammon.rules.variants import by_key
from games.bots.plays import situation_of
from games.modes.kinds.practice import MODE
from games.modes.terms import Terms
from games.records import record_of
from games.table import commands as cmd
from games.table import events as ev
from games.table.errors import BadSetup
from games.table.evolve import replay
from games.table.machine import decide
from games.table.replay import steps
from games.table.rights import rights
from games.table.setup import Setup
from games.table.state import TableState
from games.table.turn import legal_plays
from games.table.view import table_view
from games.wire import event_from_payload, event_payload
from harness.rig import HILDE, MAGRIEL, Rig, terms_for
from harness.simulator.oracle import check_event

#: seat 0 has four checkers at home, seat 1 three; the other checkers are off.
BEAR_OFF = "1 1 1 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 -1 -2 0 0 | bar 0 0 | off 11 12 | hand 0 0"
START = by_key("backgammon").start.text()
MATCH = "00000000-0000-4000-8000-000000000001"


def practice(length: int = 0, **wishes: Any) -> Terms:
    terms = terms_for(mode="practice", clock="slow", **wishes)
    return MODE.at_score(terms, length) if length else terms


def seated(setup: Setup, terms: Terms, dice: Iterator[tuple[int, int]] | None = None) -> Rig:
    rig = Rig(dice or fair(1), terms)
    rig.give(cmd.Sit(player=HILDE, match=MATCH, setup=setup))
    return rig


def fair(seed: int) -> Iterator[tuple[int, int]]:
    chance = Random(seed)
    while True:
        yield chance.randint(1, 6), chance.randint(1, 6)


def test_the_first_game_begins_from_the_position_with_its_cube_and_score() -> None:
    setup = Setup(position=BEAR_OFF, on_roll=1, cube_value=2, cube_owner=1, score=(2, 1))
    rig = seated(setup, practice(5))
    assert [type(event).__name__ for event in rig.events[2:]] == [
        "MatchStarted",
        "PositionSet",
        "GameStarted",
    ]
    view = table_view(rig.state)
    assert view.board.points == Position.parse(BEAR_OFF).points
    assert (view.on_roll, view.decider, view.score, view.set_up) == (1, 1, (2, 1), True)
    assert (view.cube.value, view.cube.owner) == (2, 1)
    assert "double" in rights(rig.state, 1).actions
    game = rig.state.game
    assert game is not None
    assert situation_of(rig.state, game).away == (4, 3)


def test_gammons_count_under_jacoby_once_the_cube_was_turned() -> None:
    for owner, expected in ((None, False), (0, True)):
        setup = Setup(
            position=START, on_roll=0, cube_value=2 if owner == 0 else 1, cube_owner=owner
        )
        game = seated(setup, practice(jacoby=True)).state.game
        assert game is not None
        assert game.double_taken is expected


@pytest.mark.parametrize(
    ("score", "crawford", "next_is_crawford"),
    [((4, 0), True, False), ((4, 0), False, False), ((3, 0), False, True)],
)
def test_crawfords_game_comes_once(
    score: tuple[int, int], crawford: bool, next_is_crawford: bool
) -> None:
    setup = Setup(position=BEAR_OFF, on_roll=1, score=score, crawford=crawford)
    rig = seated(setup, practice(5), iter([(6, 6), (6, 6), (6, 6), (6, 6), (1, 2)]))
    assert rig.state.game is not None
    assert rig.state.game.crawford is crawford
    loser = 0 if score == (4, 0) else 1
    rig.give(cmd.Roll(), rig.state.decider)
    ended = ev.GameEnded(
        at_ms=rig.now_ms,
        winner=1 - loser,
        points=1,
        level=1,
        cube=1,
        ending="resigned",
        score=(score[0] + loser, score[1] + 1 - loser),
    )
    state = replay([ended], rig.state)
    ready = decide(replay([ev.PlayerReady(at_ms=rig.now_ms, seat=0)], state), cmd.Ready(), 1, 1)
    (started,) = [event for event in ready if isinstance(event, ev.GameStarted)]
    assert started.crawford is next_is_crawford


CLOSED = "2 2 2 2 2 2 0 0 0 0 0 0 0 0 0 0 0 0 -2 -2 -2 -2 -2 -2 | bar 3 3 | off 0 0 | hand 0 0"
WON = "1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 | bar 0 0 | off 14 15 | hand 0 0"
SHORT = BEAR_OFF.replace("off 11 12", "off 10 12")


@pytest.mark.parametrize(
    ("change", "length", "field"),
    [
        ({"position": CLOSED}, 0, "position"),
        ({"position": WON}, 0, "position"),
        ({"position": SHORT}, 0, "position"),
        ({"position": "nothing"}, 0, "position"),
        ({"on_roll": 2}, 0, "on_roll"),
        ({"score": (1, 0)}, 0, "score"),
        ({"score": (5, 0)}, 5, "score"),
        ({"score": (-1, 0)}, 5, "score"),
        ({"score": (3, 0), "crawford": True}, 5, "crawford"),
        ({"score": (4, 0), "crawford": True, "cube_value": 2, "cube_owner": 0}, 5, "cube_value"),
        ({"cube_value": 3}, 0, "cube_value"),
        ({"cube_value": 0}, 0, "cube_value"),
        ({"cube_value": 2}, 5, "cube_owner"),
        ({"cube_owner": 1}, 5, "cube_owner"),
        ({"cube_value": 2, "cube_owner": 7}, 0, "cube_owner"),
        ({"cube_value": 2, "cube_owner": 1}, 1, "cube_value"),
    ],
)
def test_what_is_wrong_is_named_and_changes_nothing(
    change: dict[str, Any], length: int, field: str
) -> None:
    rig = Rig(fair(1), practice(length))
    setup = msgspec.structs.replace(Setup(position=BEAR_OFF, on_roll=0), **change)
    with pytest.raises(BadSetup) as refused:
        decide(rig.state, cmd.Sit(player=HILDE, match=MATCH, setup=setup), rig.now_ms)
    assert refused.value.fields["field"] == field


def test_only_practice_begins_elsewhere() -> None:
    rig = Rig(fair(1))
    setup = Setup(position=BEAR_OFF, on_roll=0)
    with pytest.raises(BadSetup) as refused:
        decide(rig.state, cmd.Sit(player=HILDE, match=MATCH, setup=setup), rig.now_ms)
    assert refused.value.fields["field"] == "mode"


def played(setup: Setup, terms: Terms, seed: int) -> Rig:
    """A whole match from a position by random plays, every event checked by the oracle."""
    chance = Random(seed)
    rig = seated(setup, terms, fair(seed))
    while rig.state.phase not in ("over", "closed"):
        seat, game = rig.state.decider, rig.state.game
        if seat is None:
            rig.give(cmd.Ready(), 0)
            rig.give(cmd.Ready(), 1)
        elif rig.state.phase == "play":
            assert game is not None
            assert game.dice is not None
            moves, _ = legal_plays(rig.state, game, game.dice).pick(chance.randrange)
            rig.give(cmd.Play(moves=tuple((m.source, m.target, m.die) for m in moves)), seat)
        elif rig.state.phase == "double_offered":
            rig.give(cmd.Take(), seat)
        else:
            doubles = "double" in rights(rig.state, seat).actions and chance.random() < 0.2
            rig.give(cmd.Double() if doubles else cmd.Roll(), seat)
    return rig


CASES: list[tuple[Setup, Callable[[], Terms]]] = [
    (Setup(position=BEAR_OFF, on_roll=0), practice),
    (Setup(position=BEAR_OFF, on_roll=1, cube_value=2, cube_owner=0), practice),
    (
        Setup(position=START, on_roll=1, cube_value=2, cube_owner=1, score=(1, 0)),
        lambda: practice(3),
    ),
    (Setup(position=BEAR_OFF, on_roll=1, score=(2, 1), crawford=True), lambda: practice(3)),
]


@pytest.mark.parametrize("case", range(len(CASES)))
@pytest.mark.parametrize("seed", range(3))
def test_whole_matches_keep_every_promise_and_survive_every_file(case: int, seed: int) -> None:
    setup, terms = CASES[case][0], CASES[case][1]()
    rig = played(setup, terms, seed)
    state = TableState()
    for event in rig.events:
        after = replay([event_from_payload(event_payload(event))], state)
        check_event(state, event, after)
        state = after
    assert state == rig.state
    shown = steps(rig.events[2:], terms=terms, seats=(MAGRIEL, HILDE))
    assert tuple(shown[0]["view"]["board"]["points"]) == Position.parse(setup.position).points
    assert shown[0]["view"]["score"] == list(setup.score)
    record = record_of(rig.events, terms=terms, players=("magriel", "hilde"))
    assert record.games[0].start == Position.parse(setup.position)
    for file_format in ALL:
        read = parse_match(file_format.format(record))
        first = read.games[0]
        assert (first.start, first.score) == (record.games[0].start, setup.score)
        assert (first.cube_value, first.cube_owner) == (setup.cube_value, setup.cube_owner)
        assert read.score == record.score


def test_a_rematch_begins_from_the_same_position() -> None:
    setup = Setup(position=BEAR_OFF, on_roll=1, score=(1, 0))
    rig = played(setup, practice(3), 5)
    rig.give(cmd.GiveRematch(match=MATCH.replace("1", "2")), 0)
    again = rig.give(cmd.GiveRematch(match=MATCH.replace("1", "2")), 1)
    assert [type(event).__name__ for event in again] == [
        "RematchOffered",
        "MatchStarted",
        "PositionSet",
        "GameStarted",
    ]
    assert rig.state.match is not None
    assert (rig.state.match.score, rig.state.match.setup) == ((1, 0), setup)
