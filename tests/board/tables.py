"""Tables in the states that the tests need. hilde has seat 0, Marlene_K seat 1."""

from typing import Any

from games.table import commands as cmd
from tests.board.house import BoardHouse, terms_for


def opened(seat: int | None = 0) -> BoardHouse:
    """The opener waits for a guest."""
    return BoardHouse(seat=seat)


def seated(
    seat: int | None = 0, dice: tuple[tuple[int, ...], ...] = ((3, 1),), **wishes: Any
) -> BoardHouse:
    """The match has begun; hilde, who starts, may roll."""
    house = BoardHouse(seat=seat, terms=terms_for(**wishes) if wishes else None)
    house.dice = list(dice)
    house.sit()
    return house


def to_play(dice: tuple[int, ...] = (3, 1), **wishes: Any) -> BoardHouse:
    """hilde has rolled from the starting position."""
    house = seated(dice=(dice,), **wishes)
    if house.state.phase == "roll":
        house.roll(0)
    return house


def may_double(seat: int | None = 1, **wishes: Any) -> BoardHouse:
    """hilde has made her five point; Marlene_K may double or roll."""
    house = to_play((3, 1), **wishes)
    house.seat = seat
    house.play(0, (8, 5, 3), (6, 5, 1))
    return house


def doubled(seat: int | None = 0, **wishes: Any) -> BoardHouse:
    """Marlene_K has doubled; hilde must answer."""
    house = may_double(seat, **wishes)
    house.do(cmd.Double(), 1)
    return house


def resignation_offered(seat: int | None = 0, level: int = 1) -> BoardHouse:
    """Marlene_K offers to resign; hilde must answer."""
    house = may_double(seat)
    house.do(cmd.OfferResignation(level=level), 1)
    return house


def between_games(seat: int | None = 0) -> BoardHouse:
    """hilde has dropped the double: 0 to 1."""
    house = doubled(seat)
    house.do(cmd.Drop(), 0)
    return house


def forfeited(seat: int | None = 1) -> BoardHouse:
    """hilde has left the table, and the match is settled."""
    house = may_double(seat)
    house.do(cmd.Leave(), 0)
    house.do(
        cmd.Settle(
            paid_cents=(0, 450),
            rake_cents=50,
            elo_before=("1743.0000", "1812.0000"),
            elo_after=("1731.2574", "1823.7426"),
        )
    )
    return house


def stood_up(seat: int | None = 1) -> BoardHouse:
    """hilde stood up before the first roll."""
    house = seated(seat)
    house.do(cmd.StandUp(), 0)
    return house


def by_the_point(seat: int | None = 0) -> BoardHouse:
    """A game at 1 credit a point, at most 10; Marlene_K has doubled."""
    return doubled(seat, mode="single", rate_cents=100, limit_cents=1000)


def free_stakes(seat: int | None = 0) -> BoardHouse:
    """A game at half a credit a point, with beavers and raccoons; Marlene_K has doubled."""
    return doubled(seat, mode="stake", stake_cents=50, beavers=True, raccoons=True)


ALL = {
    "open": opened,
    "first roll": seated,
    "play": to_play,
    "may double": may_double,
    "doubled": doubled,
    "resignation": resignation_offered,
    "between games": between_games,
    "over": forfeited,
    "stood up": stood_up,
    "by the point": by_the_point,
    "free stakes": free_stakes,
}
