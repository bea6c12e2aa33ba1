"""The board after a move, and drawn boards, show the positions that the rules give."""

import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.template import Context, Template
from django.utils import translation
from msgspec import to_builtins

from backgammon.pictures import geometry
from backgammon.pictures.board import Arrow, Picture, moves_as_arrows, picture
from backgammon.pictures.geometry import Spot, point_x
from backgammon.pictures.marks import route
from backgammon.pictures.plays import compared_arrows, play_arrows
from backgammon.rules.moves import Move
from backgammon.rules.notation import match_play
from backgammon.rules.position import Position, Way
from backgammon.rules.variant import Variant
from backgammon.rules.variants import ALL, by_key
from games.table.view import board_view

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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


# --- pictures -------------------------------------------------------------------------------------
ROOT = Path(__file__).resolve().parents[2]
SCRIPT = (ROOT / "static" / "board" / "geometry.js").read_text()
PINNED = Position.parse("-13p 0 0 0 0 0 0 -1 0 0 0 0 2 0 0 0 0 0 2 0 1p 0 3 6 | bar 0 0 | off 0 0")


def counts(drawn: Picture) -> Counter[tuple[str, int]]:
    """How many checkers of each side are drawn on each point of the board."""
    found: Counter[tuple[str, int]] = Counter()
    for checker in drawn.checkers:
        row = range(13, 25) if float(checker.y) < geometry.Y_MID else range(1, 13)
        point = next(p for p in row if abs(point_x(p) - float(checker.x)) < 1)
        found[checker.side, point] += 1
    return found


def expected(position: Position) -> Counter[tuple[str, int]]:
    sides = (("me", position.own()), ("op", position.opposing()))
    return Counter({(s, p): n for s, on in sides for p, n in on.items() if p <= 24})


def test_the_numbers_are_those_of_the_script() -> None:
    wide = re.search(r"const WIDE = \{(.*?)\}", SCRIPT)
    assert wide is not None
    script = dict(re.findall(r"(\w+): ([\d.]+)", wide[1]))
    names = ("FRAME", "BAR", "CUBE_TRAY", "OFF_TRAY", "RAIL", "INNER", "LENGTH", "DIE")
    keys = ("frame", "bar", "cubeTray", "offTray", "rail", "inner", "length", "die")
    assert {k: getattr(geometry, n) for n, k in zip(names, keys, strict=True)} == {
        key: int(value) for key, value in script.items()
    }
    assert f"STACK_BEYOND = {geometry.STACK_BEYOND};" in SCRIPT
    assert f"r: {geometry.RADIUS}, die," in SCRIPT


@pytest.mark.parametrize("variant", ALL, ids=lambda variant: variant.key)
def test_the_start_of_every_variant_is_drawn_as_the_engine_has_it(variant: Variant) -> None:
    start = variant.start
    drawn = picture(start, variant.way)
    assert counts(drawn) == expected(start)
    assert (
        Counter(slab.side for slab in drawn.slabs)
        == Counter({"me": start.hand[0], "op": start.hand[1]}) - Counter()
    )


def test_a_part_of_a_board_has_what_is_seen_of_it_and_nothing_else() -> None:
    backgammon = by_key("backgammon")
    home = picture(backgammon.start, backgammon.way, dice=(3, 1), cube=1, part="home")
    assert counts(home) == Counter({("me", 6): 5, ("op", 1): 2})
    assert [label.text for label in home.labels] == list("123456")
    assert len(home.dice) == 2, "on the line between the rows"
    outer = picture(backgammon.start, backgammon.way, dice=(3, 1), part="far-outer")
    assert counts(outer) == Counter({("op", 17): 3, ("me", 13): 5})
    assert outer.dice == ()


def test_the_cube_lies_on_the_bar_until_somebody_owns_it() -> None:
    assert "if (!owner && !offeredTo) return { x: L.xBar + L.barWidth / 2, y: L.yMid" in SCRIPT
    middle, _size = geometry.cube_spot(None)
    assert middle == geometry.Spot(geometry.X_BAR + geometry.BAR / 2, geometry.Y_MID)
    for owner in ("me", "op"):
        spot, _size = geometry.cube_spot(owner)
        assert spot.x < geometry.X_LEFT


def test_the_other_player_sees_the_board_turned() -> None:
    turned = PINNED.turned(Way.AGAINST)
    assert counts(picture(PINNED, Way.AGAINST, turned=True)) == expected(turned)
    assert len(picture(PINNED, Way.AGAINST).pinned) == 2


def test_an_arrow_leads_from_the_top_checker_to_its_new_place() -> None:
    backgammon = by_key("backgammon")
    moves = (Move(8, 5, 3), Move(6, 5, 1))
    first, second = picture(backgammon.start, backgammon.way, arrows=moves_as_arrows(moves)).arrows
    start, end = geometry.stack_spot(8, 2, 3), geometry.stack_spot(5, 0, 1)
    assert first.line.startswith(f"M{start.x:g} {start.y:g}Q")
    assert first.head.startswith(f"M{end.x:g} {end.y:g}L")
    assert first.badge == "3"
    on_top = geometry.stack_spot(5, 1, 2)
    assert second.head.startswith(f"M{on_top.x:g} {on_top.y:g}L")


@pytest.mark.parametrize("way", Way)
def test_both_ways_lead_from_the_first_point_of_a_side_to_its_last(way: Way) -> None:
    for side, first, last in (("me", 24, 1), ("op", way.across(24), way.across(1))):
        mark = route(side, way)  # type: ignore[arg-type]
        numbers = [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", mark.line)]
        start = Spot(numbers[0], numbers[1])
        end = Spot(*map(float, re.findall(r"-?\d+(?:\.\d+)?", mark.head)[:2]))
        assert abs(start.x - point_x(first)) < geometry.UNIT
        assert (start.y < geometry.Y_MID) == (first > 12)
        assert abs(end.x - point_x(last)) < geometry.UNIT
        assert (end.y < geometry.Y_MID) == (last > 12)


def test_the_empty_board_is_few_shapes() -> None:
    """Each is copied into every board of the page."""
    paint = Template("{% load boards %}{% board_paint %}").render(Context())
    empty = paint[paint.index('id="bg-empty"') :]
    assert len(re.findall(r"<(?:path|rect|circle)", empty)) <= 32
    assert paint.count("a4 4 0 0 1 4 4") == 2 * geometry.SLOTS


def drawn_in(language: str, source: str, **values: object) -> str:
    with translation.override(language):
        return Template("{% load boards %}" + source).render(Context(values))


def test_the_tag_draws_without_styles_and_says_what_is_drawn() -> None:
    page = drawn_in(
        "de",
        '{% board_paint %}{% board_drawing board "plakoto" arrows=arrows dice=dice %}',
        board=PINNED,
        arrows=[Arrow(24, 20, "4"), (24, 23, "1", "second")],
        dice=(4, 1),
    )
    assert "style=" not in page
    assert 'aria-label="Hell: 6 auf 24, 3 auf 23' in page
    assert "Festgesetzt auf: 1, 21." in page
    assert page.count('<use href="#bg-man-op"') == 15
    assert not re.search(r'"\d+,\d', page), "coordinates are no German numbers"


def test_a_drawing_that_repeats_the_text_is_hidden_from_screen_readers() -> None:
    page = drawn_in("en", '{% board_drawing board part="home" alt="" %}', board=PINNED.text())
    assert 'aria-hidden="true"' in page
    assert 'viewBox="906 570 612 570"' in page


# --- plays ----------------------------------------------------------------------------------------
BACKGAMMON = by_key("backgammon")
#: own checkers far back, and one of the opponent's alone in their way
LONE = Position.parse("0 0 0 0 0 2 0 0 0 0 0 0 0 0 0 -1 0 0 0 0 0 0 0 3 | bar 0 0 | off 10 14")


def moves(position: Position, dice: tuple[int, int], text: str) -> tuple[Move, ...]:
    return match_play(position, BACKGAMMON.legal_plays(position, dice), text)


def test_the_steps_of_one_checker_are_one_arrow() -> None:
    made = moves(BACKGAMMON.start, (6, 5), "24/13")
    assert play_arrows(BACKGAMMON.start, made) == [Arrow(24, 13)]


def test_each_checker_of_a_double_has_an_arrow() -> None:
    made = moves(BACKGAMMON.start, (1, 1), "8/7(2) 6/5(2)")
    ways = sorted(arrow[:2] for arrow in play_arrows(BACKGAMMON.start, made))
    assert ways == [(6, 5), (6, 5), (8, 7), (8, 7)]


def test_a_hit_on_the_way_ends_an_arrow() -> None:
    assert play_arrows(LONE, moves(LONE, (6, 2), "24/16*")) == [Arrow(24, 16)]
    on = moves(LONE, (4, 4), "24/16*/8")
    assert play_arrows(LONE, on) == [Arrow(24, 16), Arrow(16, 8)]


def test_the_best_play_lies_over_the_one_that_was_made() -> None:
    start = BACKGAMMON.start
    best, made = moves(start, (3, 1), "8/5 6/5"), moves(start, (3, 1), "24/20")
    assert [arrow.kind for arrow in compared_arrows(start, best, made)] == [
        "played",
        "best",
        "best",
    ]
    assert [arrow.kind for arrow in compared_arrows(start, best, best)] == ["best", "best"]
    assert [arrow.kind for arrow in compared_arrows(start, best, None)] == ["best", "best"]


def test_a_drawing_shows_both_plays() -> None:
    start = BACKGAMMON.start
    best, made = moves(start, (3, 1), "8/5 6/5"), moves(start, (3, 1), "24/20")
    arrows = compared_arrows(start, best, made)
    template = Template("{% load boards %}{% board_drawing board arrows=arrows %}")
    drawn = template.render(Context({"board": start, "arrows": arrows}))
    assert re.findall(r'class="bg-arrow bg-(\w+)"', drawn) == ["played", "best", "best"]
