"""The fast lane: commands that move neither credits nor ratings, decided without a transaction.

A web process keeps the tables it serves at hand. A command is decided there by the same machine
and the same dice as everywhere; what follows is a `TablePlan`, with the version that the table must
still have. `FastRows` reads tables and writes many plans in one statement, which leaves out those
whose table has changed. Whatever is not plain here takes the sure lane, `games.services.tables`:
with what was decided here (an error, a game's end), or undecided (a time limit that is near, dice
that are not open).
"""

from collections.abc import Callable, Sequence
from typing import Any, Final
from uuid import UUID

import msgspec
import psycopg
from django.conf import settings
from django.db import connections
from django.db.models import Field, JSONField
from psycopg.rows import dict_row

from games.models import GameDice, Table
from games.modes.registry import PRACTICE_KEYS
from games.modes.terms import shared
from games.services import plans as statements
from games.services.dice.fair import FAIR_DICE, FairDice
from games.services.dice_parts import part_take
from games.services.plans import (
    AtHand,
    HandedOn,
    TableDecision,
    TablePlan,
    lists_in_binary,
    plan_of,
    values_of,
)
from games.table import commands as cmd
from games.table import events as ev
from games.table.errors import TableError
from games.table.machine import due_ms
from games.table.state import RUNNING_PHASES, TableState, other
from games.wire import CommandFrame, DiceElement

#: every column but the state, which is read as a `TableState` and not as JSON.
_TABLE: Final = tuple(f for f in Table._meta.concrete_fields if f.name != "state")
_GAME: Final = tuple(GameDice._meta.concrete_fields)


def _selected(row: str, fields: Sequence["Field[Any, Any]"]) -> str:
    """The columns of a model's row, each under the name that `_model` looks for; JSON as text."""
    return ", ".join(
        f'{row}."{f.column}"{"::text" if isinstance(f, JSONField) else ""} AS "{row}.{f.attname}"'
        for f in fields
    )


_READ: Final = f"""
SELECT {_selected("seated", _TABLE)}, {_selected("game", _GAME)}, seated.state::text AS state,
       (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms,
       current_setting('transaction_read_only') = 'on' AS read_only
FROM games_table seated
LEFT JOIN games_gamedice game ON game.id = (seated.fair ->> 'game')::uuid
WHERE seated.id = ANY($1)
"""

_state_of: Final[Callable[[str], TableState]] = msgspec.json.Decoder(TableState).decode

#: psycopg's own default; with None it prepares nothing, whatever a statement asks for
PREPARE_THRESHOLD: Final = 5

#: a row by the names of its columns.
Row = dict[str, Any]

#: tables by id, and what the database's clock shows, in milliseconds since 1970.
Looked = tuple[dict[UUID, AtHand], int | None]


class FastRows:
    """A connection of its own for one statement after the other, in the event loop itself.

    In a thread each statement would wait for its turn several times, 5 ms each, while the loop
    computes. Raises `psycopg.Error`; the next statement then opens a new connection. So does one
    after a server that takes no changes: it was the primary, and another one is by now.
    """

    def __init__(self) -> None:
        self._connection: psycopg.AsyncConnection | None = None

    async def read(self, table_ids: Sequence[UUID]) -> Looked:
        """These tables as they are now, and the database's time (None if there are none)."""
        rows = await self._run(_READ, [list(table_ids)])
        if rows and rows[0]["read_only"]:  # its tables may be old ones
            await self.close()
            raise psycopg.OperationalError("The fast lane's server takes no changes.")
        now_ms = rows[-1]["now_ms"] if rows else None
        return {row["seated.id"]: _at_hand(row) for row in rows}, now_ms

    async def write(self, plans: Sequence[TablePlan]) -> tuple[set[UUID], int]:
        """Commit these plans, one a table; the tables whose plan was taken, and the time.

        A plan that opens dice needs a transaction and cannot be written here.
        """
        assert not any(plan.opened for plan in plans), "dice are opened in a transaction"
        (row,) = await self._run(statements.WRITE, values_of(plans))
        return set(row["written"]), row["now_ms"]

    async def close(self) -> None:
        """Give the connection back."""
        if self._connection is not None:
            await self._connection.close()
            self._connection = None

    async def _run(self, statement: str, values: list[Any]) -> list[Row]:
        """One statement, prepared once a connection: planning it takes longer than running it.

        A pooler of transactions does not pass prepared statements on: there it is planned anew.
        """
        if self._connection is None or self._connection.closed:
            self._connection = await _connected()
        cursor = psycopg.AsyncRawCursor(self._connection, row_factory=dict_row)
        try:
            await cursor.execute(
                statement, values, prepare=not settings.DATABASE_POOLED, binary=True
            )
            return await cursor.fetchall()
        except (psycopg.OperationalError, psycopg.errors.ReadOnlySqlTransaction):
            await self.close()
            raise


def database_place() -> dict[str, Any]:
    """Where and how Django would connect, by the names of libpq."""
    ours = ("context", "cursor_factory", "pool", "prepare_threshold")
    parameters = connections["default"].get_connection_params()
    return {name: value for name, value in parameters.items() if name not in ours}


async def _connected() -> psycopg.AsyncConnection:
    """A connection as Django would open it, for the event loop."""
    options = database_place()
    options["prepare_threshold"] = None if settings.DATABASE_POOLED else PREPARE_THRESHOLD
    made = await psycopg.AsyncConnection.connect(**options, autocommit=True)
    lists_in_binary(made.adapters)
    if not settings.DATABASE_POOLED:
        # or the long statement is planned anew each time, for longer than it runs
        await made.execute("SET plan_cache_mode = force_generic_plan")
    return made


def _at_hand(row: Row) -> AtHand:
    game = None if row["game.id"] is None else _model(GameDice, "game", _GAME, row)
    state = _state_of(row["state"])
    state = msgspec.structs.replace(state, terms=shared(state.terms))  # many caches compare them
    open_dice = game if game and game.open_hash else None
    return AtHand(_model(Table, "seated", _TABLE, row), state, open_dice)


def _model(made: type[Any], name: str, fields: Sequence["Field[Any, Any]"], row: Row) -> Any:
    """A model's row; what was not read cannot be read later, for there is no thread for it."""
    values = [
        msgspec.json.decode(value) if value and isinstance(field, JSONField) else value
        for field in fields
        for value in (row[f"{name}.{field.attname}"],)
    ]
    return made.from_db("default", [field.attname for field in fields], values)


#: so close to a time limit the database's own clock decides.
MARGIN_MS: Final = 250

COMMANDS: Final = (
    cmd.Roll, cmd.Play, cmd.Double, cmd.Take, cmd.Beaver, cmd.Raccoon, cmd.NameDouble,
    cmd.OfferResignation, cmd.RefuseResignation, cmd.Ready,
)  # fmt: skip

#: the events that may follow; any other concerns more than this table's own rows.
EVENTS: Final = frozenset({
    ev.DiceAskedFor, ev.DiceRolled, ev.RolledOff, ev.PlayMade, ev.DoubleOffered, ev.Beavered,
    ev.Raccooned, ev.DoubleTaken, ev.ResignationOffered, ev.ResignationRefused, ev.PlayerReady,
})  # fmt: skip


class NotAtHand(Exception):
    """Something is needed that only a transaction can give."""


def command_plan(
    at_hand: AtHand, now_ms: int, *, user_id: int, frame: CommandFrame
) -> TablePlan | HandedOn | None:
    """The plan of a player's command.

    Without one the sure lane carries it out: as it was decided here, or None. `at_hand` has been
    used up either way: its dice may have gone on.
    """
    seat = at_hand.state.seat_of(user_id)
    if seat is None or not isinstance(frame.command, COMMANDS) or frame.seq != at_hand.table.seq:
        return None
    if isinstance(frame.command, cmd.Ready) and (
        at_hand.state.ready[other(seat)] or at_hand.state.is_session
    ):
        return None  # the next game begins; the accounts are checked before one for credits
    if isinstance(frame.command, cmd.Roll) and at_hand.open_dice is None:
        return None
    return _plan(
        at_hand, now_ms, lambda decision: decision.give(frame.command, seat), user_id, frame.id
    )


def element_plan(
    at_hand: AtHand, now_ms: int, *, user_id: int, frame: DiceElement
) -> TablePlan | HandedOn | None:
    """The plan of a player's part in the pending roll: see `command_plan`."""
    seat = at_hand.state.seat_of(user_id)
    if seat is None:
        return None
    return _plan(at_hand, now_ms, lambda decision: part_take(decision, seat, frame), user_id, None)


def _plan(
    at_hand: AtHand,
    now_ms: int,
    give: Callable[[TableDecision], None],
    user_id: int,
    command_id: str | None,
) -> TablePlan | HandedOn | None:
    table, state = at_hand.table, at_hand.state
    # two people who play each other here, with the dice of the house
    if state.phase not in RUNNING_PHASES or state.terms.mode in PRACTICE_KEYS:
        return None
    due = due_ms(state)
    if due is None or now_ms >= due - MARGIN_MS or settings.DICE_SOURCE != FAIR_DICE:
        return None
    dice = FairDice(table, at_hand.open_dice, _not_at_hand)
    decision = TableDecision(table, state, now_ms, dice)
    try:
        give(decision)
    except TableError as error:
        return HandedOn(table.version, decision, error)
    except NotAtHand:
        return None
    if due_ms(decision.state) is None or not all(type(e) in EVENTS for e in decision.events):
        return HandedOn(table.version, decision)
    return plan_of(decision, user_id=user_id, command_id=command_id)


def _not_at_hand(table: Table, state: TableState) -> GameDice:
    raise NotAtHand
