"""The board after a move shows the position that the rules give, in every variant."""

import random
from typing import Any

import pytest
from msgspec import to_builtins

from backgammon.rules.position import Position, Way
from backgammon.rules.variants import by_key
from games.table.view import board_view

pytestmark = pytest.mark.slow

VARIANTS = (
    "backgammon",
    "plakoto",
    "tapa",
    "fevga",
    "long_nardi",
    "acey_deucey",
    "russian",
    "tabula",
)
PLAYS_EACH = 60


def walks(key: str, seed: int) -> list[dict[str, Any]]:
    """Random plays with the positions before and after, both from the mover's side."""
    chance = random.Random(seed)
    variant = by_key(key)
    position, found = variant.start, []
    first = [True, True]
    while len(found) < PLAYS_EACH:
        dice = tuple(chance.randint(1, 6) for _ in range(3 if key == "tabula" else 2))
        plays = variant.legal_plays(position, dice, first_turn=first[0])
        first = [first[1], False]
        if plays.graph.nodes[0]:
            moves, after = plays.pick(chance.randrange)
            found.append(
                {
                    "before": to_builtins(board_view(position)),
                    "after": to_builtins(board_view(after)),
                    "moves": [[move.source, move.target] for move in moves],
                }
            )
            position = after
        if variant.outcome(position) is not None:
            position, first = variant.start, [True, True]
        else:
            position = position.turned(variant.way)
    return found


DIFFERENT = """async ([walks, way, pins]) => {
  const { moved, positionFor } = await import('/static/board/position.js');
  const text = p => JSON.stringify([p.me, p.op, p.hand, [...p.pinned].sort()]);
  return walks.filter(({before, after, moves}) => {
    const start = positionFor(before, way, 0);
    const end = moves.reduce((at, [from, to]) => moved(at, from, to, pins), start);
    return text(end) !== text(positionFor(after, way, 0));
  });
}"""


@pytest.mark.parametrize("key", VARIANTS)
def test_a_drawn_play_ends_where_the_rules_end_it(script: Any, key: str) -> None:
    pins = by_key(key).movement.pins
    found = script.evaluate(DIFFERENT, [walks(key, 7), by_key(key).way.value, pins])
    assert found == []


OVERLAPS = """async ([walks, way, pins]) => {
  const { Pieces } = await import('/static/board/pieces.js');
  const { layoutFor } = await import('/static/board/geometry.js');
  const { moved, positionFor } = await import('/static/board/position.js');
  const layer = document.createElementNS('http://www.w3.org/2000/svg', 'g');
  const pieces = new Pieces(layer), L = layoutFor(1200, 900, 1);
  const wrong = [];
  for (const { before, moves } of walks) {
    let position = positionFor(before, way, 0);
    pieces.show(L, position, way, 0);
    for (const [from, to] of moves) {
      position = moved(position, from, to, pins);
      pieces.show(L, position, way, 0);
      const drawn = [...layer.children];
      for (const one of pieces.all) {
        const above = pieces.all.filter(two => two.side === one.side && two.place === one.place);
        for (const two of above.filter(two => two.index > one.index)) {
          if (drawn.indexOf(one.drawn) > drawn.indexOf(two.drawn)) wrong.push(one.place);
        }
      }
    }
  }
  return wrong;
}"""


@pytest.mark.parametrize("key", ["backgammon", "plakoto", "gul_bara"])
def test_a_higher_checker_of_a_stack_is_drawn_above_a_lower_one(script: Any, key: str) -> None:
    pins = by_key(key).movement.pins
    assert script.evaluate(OVERLAPS, [walks(key, 7), by_key(key).way.value, pins]) == []


SEEN = """async ([boards, way]) => {
  const { positionFor, pips } = await import('/static/board/position.js');
  const shown = (board, seat) => {
    const p = positionFor(board, way, seat);
    return [p.me, p.op, p.hand, [...p.pinned].sort(), pips(p, way)];
  };
  return boards.map(([mine, turned]) => [shown(mine, 1), shown(turned, 0)]);
}"""


@pytest.mark.parametrize("key", VARIANTS)
def test_seat_one_sees_the_board_turned_round(script: Any, key: str) -> None:
    way = by_key(key).way
    positions = [Position(**_fields(walk["after"])) for walk in walks(key, 11)]
    boards = [
        [to_builtins(board_view(each)) for each in (position, position.turned(way))]
        for position in positions
    ]
    for (seen, turned), position in zip(
        script.evaluate(SEEN, [boards, way.value]), positions, strict=True
    ):
        assert seen == turned
        theirs, mine = position.pips(way)
        assert seen[4] == {"me": mine, "op": theirs}


def _fields(board: dict[str, Any]) -> dict[str, Any]:
    return {
        "points": tuple(board["points"]),
        "bar": tuple(board["bar"]),
        "off": tuple(board["off"]),
        "hand": tuple(board["hand"]),
        "pinned": frozenset(board["pinned"]),
    }


@pytest.mark.parametrize("way", list(Way))
def test_numbers_change_sides_as_the_rules_say(script: Any, way: Way) -> None:
    shown = script.evaluate(
        """async way => {
          const { across } = await import('/static/board/position.js');
          return Array.from({length: 26}, (_, p) => across(way, p));
        }""",
        way.value,
    )
    assert shown[1:25] == [way.across(point) for point in range(1, 25)]
    assert (shown[0], shown[25]) == (0, 25)
