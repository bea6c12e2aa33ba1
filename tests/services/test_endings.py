"""Every ending in every mode in which it can happen: events, credits, Elo and both clients' views.

The rows are in `endings.py`. Each is played through the services at a table of its own. In a long
run each table has two WebSocket clients; in the daily run one table of each ending has them, and
at the others a listener receives the messages published to such clients.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from decimal import Decimal
from typing import Any

import pytest

from backgammon.tests.amounts import LONG
from games import settlement
from games.models import Outage
from games.services.outages import WEB, outages_credit
from games.services.tables import table_wake
from games.table import commands as cmd
from games.table.errors import TableError
from games.table.machine import due_ms
from games.table.state import GRACE_MS
from harness.sitters import Sitters
from kit.database import database_now_ms, moment
from ledger.audit import run
from ledger.selectors import escrow_balance, rake_balance
from tests.services.endings import (
    DROPPED,
    ENDINGS,
    EVERY_MODE,
    PRIZE3,
    PRIZE5,
    STAKE,
    Row,
    double_and_drop,
    void,
)

pytestmark = pytest.mark.django_db(transaction=True)

#: the change of rating for a win over an equal opponent, by the points that the match counts for.
ELO = {0: "0", 1: "10", 2: "14.1421", 4: "20", 5: "22.3607"}


@pytest.fixture(autouse=True)
def _scripted(dice: Callable[..., None]) -> None:
    dice((3, 1), (4, 2))


@pytest.fixture
def played(live: str, subtests: Any) -> Iterator[Callable[..., None]]:
    """`played(row)` plays a row at a table of its own and checks all its promises."""

    def play(row: Row, *, clients: bool) -> None:
        with subtests.test(row.name), ExitStack() as stack:
            sitters = Sitters(**row.wishes)
            for act in row.lead_up:
                act(sitters)
            listen(sitters, live, stack, clients=clients)
            rake_before = rake_balance()
            row.act(sitters)
            assert tuple(event["type"] for event in sitters.heard()) == row.events
            check(row, sitters)
            assert rake_balance() - rake_before == row.rake

    yield play
    assert [result for result in run().results if result.findings] == []


def listen(sitters: Sitters, live: str, stack: ExitStack, *, clients: bool) -> None:
    """Both players with their clients, in a long run always; else with a listener."""
    if clients or LONG:
        sitters.listen(live, stack)
    else:
        sitters.overhear(stack)


def check(row: Row, sitters: Sitters) -> None:
    """Credits, ratings, the stored match and the last view agree with the row."""
    seats = (0, 1) if row.winner != 1 else (1, 0)
    match = sitters.match
    assert (match.ending, match.winner_seat) == (row.ending, row.winner)
    by_seat = tuple(row.paid[seat] for seat in seats)
    wallets = zip(sitters.before, by_seat, strict=True)
    assert sitters.balances() == tuple(before + cents for before, cents in wallets)
    assert (tuple(match.paid_cents), match.rake_cents) == (by_seat, row.rake)
    assert escrow_balance(match.reference) == 0
    elos = [1500 + Decimal(ELO[row.n]) * sign for sign in (1, -1)]
    pool = settlement.rating_pool(variant=match.variant, stake_cents=match.stake_cents)
    views = settlement.standings([user.pk for user in sitters.players], pool)
    assert [views[user.pk].elo for user in sitters.players] == [elos[seat] for seat in seats]
    assert [views[user.pk].experience for user in sitters.players] == [row.n, row.n]
    told = sitters.voices[0].heard[-1]["view"]["result"]
    if row.ending in ("stood_up", "voided"):
        return
    assert (told["match"]["winner"], told["match"]["ending"]) == (row.winner, row.ending)
    assert (told["match"]["paid_cents"], told["match"]["rake_cents"]) == (list(by_seat), row.rake)
    assert [Decimal(elo) for elo in told["match"]["elo_after"]] == [elos[seat] for seat in seats]


@pytest.mark.slow
@pytest.mark.parametrize("ending", ENDINGS)
def test_every_ending_in_every_mode_it_concerns(ending, played):
    """Clients listen to the first mode of the first ending, to the second of the second, …"""
    rows = ENDINGS[ending]
    heard_by_clients = list(ENDINGS).index(ending) % len(rows)
    for number, row in enumerate(rows):
        played(row, clients=number == heard_by_clients)


# --- what does not end a match --------------------------------------------------------------------
@pytest.mark.parametrize("name", EVERY_MODE)
def test_an_outage_stops_the_clock_and_nobody_loses_by_it(name, live):
    with ExitStack() as stack:
        table = Sitters(**EVERY_MODE[name])
        table.begin()
        listen(table, live, stack, clients=name == "prize5")
        due, now_ms = due_ms(table.state), database_now_ms()
        Outage.objects.create(role=WEB, began_at=moment(now_ms), ended_at=moment(now_ms + 45_000))
        assert not table_wake(table.pk, now_ms=due)
        assert outages_credit() == 1
        assert [event["type"] for event in table.heard()] == ["outage_credited"]
        assert due_ms(table.state) == due + 45_000 + GRACE_MS
        assert not table_wake(table.pk, now_ms=due + 45_000)
        assert table.match.ending == ""
        assert table.balances() == table.before


def test_a_drop_to_five_points_ends_its_game_alone(live):
    with ExitStack() as stack:
        table = Sitters(**PRIZE5)
        table.until_double(1)
        table.listen(live, stack)
        double_and_drop(1)(table)
        assert tuple(event["type"] for event in table.heard()) == DROPPED[:3]
        assert (table.state.phase, table.state.match.score) == ("between_games", (0, 1))
        assert table.balances() == table.before


@pytest.mark.parametrize("wishes", [PRIZE3, STAKE], ids=["prize3", "stake"])
def test_without_a_cube_nobody_doubles(wishes):
    table = Sitters(**wishes)
    table.begin()
    for seat in (0, 1):
        with pytest.raises(TableError):
            table.give(seat, cmd.Double())


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in EVERY_MODE if name != "practice"])
def test_voiding_a_settled_match_takes_credits_rake_and_elo_back(name, live):
    with ExitStack() as stack:
        table = Sitters(**EVERY_MODE[name])
        table.begin()
        rake_before = rake_balance()
        table.give(0, cmd.Leave())
        listen(table, live, stack, clients=name == "single")
        void(table)
        assert [event["type"] for event in table.heard()] == ["match_voided"]
        cents = table.match.stake_cents
        check(Row(name, {}, void, "voided", None, (cents, cents)), table)
        assert rake_balance() == rake_before
    assert [result for result in run().results if result.findings] == []
