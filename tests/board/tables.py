"""Tables at the moments the tests look at. hilde has seat 0, Marlene_K seat 1."""

from games.table import commands as cmd
from tests.board.house import House


def opened(seat: int | None = 0) -> House:
    """Nobody has sat down yet."""
    return House(seat=seat)


def seated(seat: int | None = 0, dice: tuple[tuple[int, ...], ...] = ((3, 1),)) -> House:
    """The match has begun; hilde, who starts, may roll."""
    house = House(seat=seat)
    house.dice = list(dice)
    house.sit()
    return house


def to_play(dice: tuple[int, ...] = (3, 1)) -> House:
    """hilde has rolled from the starting position."""
    house = seated(dice=(dice,))
    if house.state.phase == "roll":
        house.roll(0)
    return house


def may_double(seat: int | None = 1) -> House:
    """hilde has made her five point; Marlene_K may double or roll."""
    house = to_play((3, 1))
    house.seat = seat
    house.play(0, (8, 5, 3), (6, 5, 1))
    return house


def doubled(seat: int | None = 0) -> House:
    """Marlene_K has doubled; hilde must answer."""
    house = may_double(seat)
    house.do(cmd.Double(), 1)
    return house


def resignation_offered(seat: int | None = 0, level: int = 1) -> House:
    """Marlene_K offers to resign; hilde must answer."""
    house = may_double(seat)
    house.do(cmd.OfferResignation(level=level), 1)
    return house


def between_games(seat: int | None = 0) -> House:
    """hilde has dropped the double: 0 to 1."""
    house = doubled(seat)
    house.do(cmd.Drop(), 0)
    return house


def forfeited(seat: int | None = 1) -> House:
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


def stood_up(seat: int | None = 1) -> House:
    """hilde stood up before the first roll."""
    house = seated(seat)
    house.do(cmd.StandUp(), 0)
    return house


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
}
