"""The endings of every mode, with their figures, as tables.

Amounts are cents, seat 0 opened the table. Some endings cannot happen and have no row: a match to
five points never ends by a dropped double (a player who wins with the cube as it is may not
double), and neither three games nor free stakes without a cube have one to drop. The house bot is
never absent, its matches are not adjudicated and it leaves no table, so practice has fewer rows.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from accounts.models import User
from games.services.attendance import attendance_note
from games.services.tables import table_wake
from games.table import commands as cmd
from games.table.errors import MatchOver, TableError
from games.table.machine import due_ms
from games.table.state import ABSENCE_MS
from harness.decisions import adjudicate_shown, administrator, void_shown
from harness.sitters import Sitters
from kit.database import database_now_ms

NORMAL = {"mode": "normal"}
PRACTICE = {"mode": "practice"}
PRIZE3 = {"mode": "prize3", "stake_cents": 250}
PRIZE3_500 = {"mode": "prize3", "stake_cents": 500}
PRIZE5 = {"mode": "prize5", "stake_cents": 250}
PRIZE5_500 = {"mode": "prize5", "stake_cents": 500}
SINGLE_1_10 = {"mode": "single", "rate_cents": 100, "limit_cents": 1000}
SINGLE_1_20 = {"mode": "single", "rate_cents": 100, "limit_cents": 2000}
SINGLE_2_10 = {"mode": "single", "rate_cents": 200, "limit_cents": 1000}
SINGLE_2_20 = {"mode": "single", "rate_cents": 200, "limit_cents": 2000}
STAKE = {"mode": "stake", "stake_cents": 50, "has_cube": False}
STAKE_CUBE = {"mode": "stake", "stake_cents": 50}
EVERY_MODE = {
    "normal": NORMAL,
    "practice": PRACTICE,
    "prize3": PRIZE3,
    "prize5": PRIZE5,
    "single": SINGLE_1_10,
    "stake": STAKE,
    "stake with cube": STAKE_CUBE,
}

SETTLED = ("match_ended", "match_settled")

Act = Callable[[Sitters], Any]


@dataclass(frozen=True)
class Row:
    """One ending in one mode: how it is reached, and all its consequences.

    `paid` has the cents that the winner and the loser get from the escrow (without a winner: seat 0
    and seat 1), `n` the points that the ratings count, `events` the events that both clients get.
    """

    name: str
    wishes: dict[str, Any]
    act: Act
    ending: str
    winner: int | None
    paid: tuple[int, int] = (0, 0)
    rake: int = 0
    n: int = 0
    events: tuple[str, ...] = SETTLED
    lead_up: tuple[Act, ...] = (Sitters.begin,)


# --- the ways to an ending ------------------------------------------------------------------------
def near_end(level: int, *, doubled: bool = False) -> tuple[Act, ...]:
    """Play until one play before the starter of the first game wins it at a level."""
    return (lambda table: table.until_last_play(level, doubled=doubled),)


def won(winner: int, points: int, **then: int) -> Act:
    """A game of a longer match is over; the next has begun."""
    return lambda table: table.game_won(winner, points, **then)


def may_resign(seat: int) -> Act:
    return lambda table: table.until_resignation(seat)


def may_double(seat: int) -> Act:
    return lambda table: table.until_double(seat)


def last_play(table: Sitters) -> None:
    table.give(table.state.decider, table.last_play)


def leave(seat: int) -> Act:
    return lambda table: table.give(seat, cmd.Leave())


def resign(seat: int, level: int) -> Act:
    """Offer a resignation and let the other accept; the highest level needs no answer."""

    def act(table: Sitters) -> None:
        table.give(seat, cmd.OfferResignation(level=level))
        if table.state.phase == "resignation_offered":
            table.give(1 - seat, cmd.AcceptResignation())

    return act


def resign_after_a_refusal(seat: int) -> Act:
    """One point is refused, then two are offered and accepted."""

    def act(table: Sitters) -> None:
        table.give(seat, cmd.OfferResignation(level=1))
        table.give(1 - seat, cmd.RefuseResignation())
        with pytest.raises(TableError):
            table.give(seat, cmd.OfferResignation(level=1))
        resign(seat, 2)(table)

    return act


def double_and_drop(seat: int) -> Act:
    def act(table: Sitters) -> None:
        table.give(seat, cmd.Double())
        table.give(1 - seat, cmd.Drop())

    return act


def time_runs_out(table: Sitters) -> None:
    due = due_ms(table.state)
    assert not table_wake(table.pk, now_ms=due - 1)
    assert table_wake(table.pk, now_ms=due)


def claim(table: Sitters) -> None:
    """The player on turn is absent for two minutes; the other claims the win."""
    seat = table.state.decider
    assert attendance_note(table_id=table.pk, seat=seat, present=False)
    now_ms = database_now_ms()
    with pytest.raises(TableError):
        table.give(1 - seat, cmd.Claim(), now_ms=now_ms + ABSENCE_MS // 2)
    table.give(1 - seat, cmd.Claim(), now_ms=now_ms + ABSENCE_MS)


def both_leave(first: int) -> Act:
    """The first one committed loses; the second gets an error because it is over."""

    def act(table: Sitters) -> None:
        table.give(first, cmd.Leave())
        with pytest.raises(MatchOver):
            table.give(1 - first, cmd.Leave())

    return act


def ida(table: Sitters) -> User:
    """An administrator without decisions so far."""
    return administrator(f"ida-{str(table.pk)[:8]}")


def void(table: Sitters) -> None:
    void_shown(table.match.pk, ida(table))


def adjudicate(winner: int) -> Act:
    return lambda table: adjudicate_shown(table.match.pk, ida(table), winner)


BORNE_OFF = ("play_made", "game_ended", *SETTLED)
DROPPED = ("double_offered", "double_dropped", "game_ended", *SETTLED)
RESIGNED = ("resignation_offered", "resignation_accepted", "game_ended", *SETTLED)
REFUSED = ("resignation_offered", "resignation_refused", *RESIGNED)
LEFT = ("player_left", *SETTLED)
TIME_OVER = ("time_ran_out", *SETTLED)
ABSENT = ("player_absent", "win_claimed", *SETTLED)
STOOD_UP = ("player_stood_up", "match_voided", "table_closed")
VOIDED = ("match_voided", "table_closed")


def board(name, wishes, lead_up, *figures) -> Row:
    return Row(name, wishes, last_play, "borne_off", 0, *figures, BORNE_OFF, lead_up)


THIRD_GAME = (won(0, 2), won(1, 1, next_level=1), *near_end(1))
THREE_TO_ONE = (won(0, 3), won(1, 1, next_level=2), *near_end(2))
#: what the winner of a match that is lost as a whole gets: credits of winner and loser, rake, n
WHOLE: dict[str, tuple[tuple[int, int], int, int]] = {
    "normal": ((0, 0), 0, 1),
    "practice": ((0, 0), 0, 0),
    "prize3": ((450, 0), 50, 4),
    "prize5": ((450, 0), 50, 5),
    "single": ((1270, 700), 30, 2),
    "stake": ((285, 0), 15, 2),
    "stake with cube": ((635, 350), 15, 2),
}
BETWEEN_PEOPLE = {name: figures for name, figures in WHOLE.items() if name != "practice"}
ENDINGS: dict[str, list[Row]] = {
    "the last checker is borne off": [
        board("normal", NORMAL, near_end(2), (0, 0), 0, 1),
        board("practice", PRACTICE, near_end(1), (0, 0), 0, 0),
        board("prize3, 3:1 in three games", PRIZE3, THIRD_GAME, (450, 0), 50, 4),
        board("prize5, 5:1 by a gammon", PRIZE5_500, THREE_TO_ONE, (900, 0), 100, 5),
        board("single 1, limit 10, gammon", SINGLE_1_10, near_end(2), (1180, 800), 20, 2),
        board("single 1, limit 20, backgammon", SINGLE_1_20, near_end(3), (2270, 1700), 30, 2),
        board(
            "single 2, limit 10, backgammon with cube 2: 12, limited to 10",
            SINGLE_2_10, near_end(3, doubled=True), (1900, 0), 100, 2,
        ),
        board("single 2, limit 20, plain", SINGLE_2_20, near_end(1), (2180, 1800), 20, 2),
        board("stake 0.50 without cube, backgammon", STAKE, near_end(3), (285, 0), 15, 2),
        board(
            "stake 0.50 with cube, gammon with cube 2",
            STAKE_CUBE, near_end(2, doubled=True), (680, 300), 20, 2,
        ),
    ],
    "a double is refused": [
        Row(name, wishes, double_and_drop(seat), "double_dropped", seat, paid, rake, n, DROPPED, up)
        for name, wishes, seat, up, paid, rake, n in [
            ("normal", NORMAL, 1, (may_double(1),), (0, 0), 0, 1),
            ("practice", PRACTICE, 1, (may_double(1),), (0, 0), 0, 0),
            ("single 1, limit 10", SINGLE_1_10, 1, (may_double(1),), (1090, 900), 10, 2),
            (
                "single 2, limit 20, at two before the double",
                SINGLE_2_20, 0, (Sitters.double_taken, may_double(0)), (2360, 1600), 40, 2,
            ),
            ("stake 0.50 with cube", STAKE_CUBE, 1, (may_double(1),), (545, 450), 5, 2),
        ]
    ],
    "a resignation is accepted": [
        Row(name, wishes, resign(1, level), "resigned", 0, paid, rake, n, RESIGNED,
            (*up, may_resign(1)))
        for name, wishes, level, up, paid, rake, n in [
            ("normal", NORMAL, 1, (), (0, 0), 0, 1),
            ("practice", PRACTICE, 3, (), (0, 0), 0, 0),
            ("prize3 in three games", PRIZE3, 1, (won(0, 2), won(1, 1)), (450, 0), 50, 4),
            ("prize3, 4:0 is not to be caught", PRIZE3_500, 1, (won(0, 3),), (900, 0), 100, 4),
            ("prize5, 5:0", PRIZE5, 2, (won(0, 3),), (450, 0), 50, 5),
            ("single 1, limit 10, plain", SINGLE_1_10, 1, (), (1090, 900), 10, 2),
            ("single 1, limit 20, gammon", SINGLE_1_20, 2, (), (2180, 1800), 20, 2),
            ("single 2, limit 10, backgammon", SINGLE_2_10, 3, (), (1540, 400), 60, 2),
            ("single 2, limit 20, gammon", SINGLE_2_20, 2, (), (2360, 1600), 40, 2),
            ("stake 0.50 without cube, gammon", STAKE, 2, (), (240, 50), 10, 2),
            ("stake 0.50, cube 2", STAKE_CUBE, 1, (Sitters.double_taken,), (590, 400), 10, 2),
        ]
    ],
    "a resignation is refused, and the game goes on": [
        Row(name, wishes, resign_after_a_refusal(1), "resigned", 0, paid, rake, n, REFUSED,
            (*up, may_resign(1)))
        for name, wishes, up, paid, rake, n in [
            ("normal", NORMAL, (), (0, 0), 0, 1),
            ("prize3", PRIZE3, (won(0, 2),), (450, 0), 50, 4),
            ("prize5", PRIZE5, (won(0, 3),), (450, 0), 50, 5),
            ("single", SINGLE_1_10, (), (1180, 800), 20, 2),
            ("stake", STAKE, (), (240, 50), 10, 2),
        ]
    ],
    "the table is left": [
        Row(name, wishes, leave(leaver), "left", 1 - leaver, paid, rake, n, LEFT, up)
        for name, wishes, leaver, up, paid, rake, n in [
            ("normal", NORMAL, 0, (Sitters.begin,), (0, 0), 0, 1),
            ("practice", PRACTICE, 0, (Sitters.begin,), (0, 0), 0, 0),
            ("prize3, whole although he leads", PRIZE3, 0, (won(0, 2),), (450, 0), 50, 4),
            ("prize5, whole", PRIZE5, 1, (Sitters.begin,), (450, 0), 50, 5),
            ("single 1, limit 10", SINGLE_1_10, 0, (Sitters.begin,), (1270, 700), 30, 2),
            ("single, no backgammon any more", SINGLE_1_10, 1, near_end(2), (1180, 800), 20, 2),
            ("single, after bearing off", SINGLE_1_10, 1, near_end(1), (1090, 900), 10, 2),
            ("single 1, limit 20", SINGLE_1_20, 1, (Sitters.begin,), (2270, 1700), 30, 2),
            ("single 2, limit 10", SINGLE_2_10, 1, (Sitters.begin,), (1540, 400), 60, 2),
            ("single 2, limit 20", SINGLE_2_20, 0, (Sitters.begin,), (2540, 1400), 60, 2),
            ("stake 0.50 without cube", STAKE, 0, (Sitters.begin,), (285, 0), 15, 2),
            ("stake 0.50, cube 2", STAKE_CUBE, 0, (Sitters.double_taken,), (770, 200), 30, 2),
        ]
    ],
    "the time runs out": [
        Row(name, EVERY_MODE[name], time_runs_out, "time_over", 1, *figures, TIME_OVER)
        for name, figures in WHOLE.items()
    ],
    "absence is claimed": [
        Row(name, EVERY_MODE[name], claim, "absent", 1, *figures, ABSENT)
        for name, figures in BETWEEN_PEOPLE.items()
    ],
    "both leave": [
        Row(name, EVERY_MODE[name], both_leave(number % 2), "left", 1 - number % 2, *figures, LEFT)
        for number, (name, figures) in enumerate(BETWEEN_PEOPLE.items())
    ],
    "somebody stands up before the first roll": [
        Row(name, EVERY_MODE[name], act, "stood_up", None, (cents, cents), 0, 0, STOOD_UP, ())
        for name, act, cents in [
            ("normal", lambda table: table.give(1, cmd.StandUp()), 0),
            ("practice", lambda table: table.give(0, cmd.StandUp()), 0),
            ("prize3", lambda table: table.give(0, cmd.StandUp()), 250),
            ("prize5", leave(1), 250),
            ("single", lambda table: table.give(1, cmd.StandUp()), 1000),
            ("stake", lambda table: table.give(0, cmd.StandUp()), 150),
            ("stake with cube", lambda table: table.give(1, cmd.StandUp()), 500),
        ]
    ],
    "administrators void it while it runs": [
        Row(name, EVERY_MODE[name], void, "voided", None, (cents, cents), 0, 0, VOIDED)
        for name, cents in [
            ("normal", 0),
            ("prize3", 250),
            ("prize5", 250),
            ("single", 1000),
            ("stake", 150),
            ("stake with cube", 500),
        ]
    ],
    "administrators decide it": [
        Row(name, EVERY_MODE[name], adjudicate(1), "adjudicated", 1, *figures, SETTLED)
        for name, figures in BETWEEN_PEOPLE.items()
    ],
    "nobody wins": [
        Row("prize3, tie 2:2", PRIZE3, resign(0, 1), "resigned", None, (225, 225), 50, 0,
            RESIGNED, (won(0, 2), won(1, 1), may_resign(0))),
        Row("prize3, stake 5.00, tie 3:3", PRIZE3_500, resign(0, 1), "resigned", None,
            (450, 450), 100, 0, RESIGNED, (won(0, 3), won(1, 2), may_resign(0))),
        *(
            Row(f"{name}: a draw in {variant}", {**wishes, "variant": variant}, last_play,
                "borne_off", None, (cents, cents), 0, 0, BORNE_OFF,
                (lambda table, game=(variant, seed): table.until_drawn(*game),))
            for name, wishes, cents in [("normal", NORMAL, 0), ("stake", STAKE, 150)]
            for variant, seed in [("plakoto", 277), ("tapa", 9)]
        ),
    ],
}  # fmt: skip
