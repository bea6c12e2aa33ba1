"""Reading tables into the fast lane, and writing what it planned: one statement for many tables.

The statement is the whole transaction. It locks the rows it can get at once, takes only those
that still have the version their plan was made on, notes each command under its id, and writes
nothing of a plan whose table is locked, has changed or knows the command already.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final
from uuid import UUID

import msgspec
import psycopg
from django.db import connections
from psycopg.types.array import ListBinaryDumper
from psycopg.types.numeric import Int8BinaryDumper

from games.models import GameDice, Table
from games.services.fast_lane import AtHand, Plan
from games.table.state import TableState
from games.wire import encode

_READ: Final = """
SELECT t.id, t.opener_id, t.guest_id, t.mode, t.variant, t.stake_cents, t.phase, t.seq,
       t.state::text, t.people::text, t.fair::text, t.version,
       g.id, g.match_id, g.number, g.mode, g.terms, g.house_tip, g.house_secret, g.sides::text,
       g.next_roll, g.open_hash, (extract(epoch FROM clock_timestamp()) * 1000)::bigint
FROM games_table t LEFT JOIN games_gamedice g ON g.id = (t.fair ->> 'game')::uuid
WHERE t.id = ANY($1)
"""

_WRITE: Final = """
WITH plan AS (
    SELECT * FROM unnest(
        $1::uuid[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::bigint[],
        $7::text[], $8::text[], $9::timestamptz[], $10::timestamptz[]
    ) AS p(id, version, user_id, command_id, phase, seq, state, fair, changed_at, due_at)
), held AS MATERIALIZED (
    SELECT t.id FROM games_table t JOIN plan p ON t.id = p.id AND t.version = p.version
    ORDER BY t.id FOR NO KEY UPDATE OF t SKIP LOCKED
), noted AS (
    INSERT INTO games_commandrecord (table_id, user_id, command_id, seq, stored_at)
    SELECT p.id, p.user_id, p.command_id, p.seq, p.changed_at
    FROM plan p JOIN held USING (id) WHERE p.command_id IS NOT NULL
    ON CONFLICT DO NOTHING
    RETURNING table_id AS id
), taken AS MATERIALIZED (
    SELECT id FROM noted
    UNION ALL SELECT p.id FROM plan p JOIN held USING (id) WHERE p.command_id IS NULL
), kept AS (
    UPDATE games_table t
    SET phase = p.phase, seq = p.seq, state = p.state::jsonb, fair = p.fair::jsonb,
        changed_at = p.changed_at
    FROM plan p JOIN taken USING (id) WHERE t.id = p.id
    RETURNING t.id
), told AS (
    INSERT INTO games_tableevent (table_id, seq, type, payload, stored_at)
    SELECT e.id, e.seq, e.type, e.payload::jsonb, clock_timestamp()
    FROM unnest($11::uuid[], $12::bigint[], $13::text[], $14::text[])
        WITH ORDINALITY AS e(id, seq, type, payload, place) JOIN taken USING (id)
    ORDER BY e.place
), timed AS (
    INSERT INTO games_deadline (table_id, due_at)
    SELECT p.id, p.due_at FROM plan p JOIN taken USING (id)
    ON CONFLICT (table_id) DO UPDATE SET due_at = EXCLUDED.due_at
), thrown AS (
    UPDATE games_gamedice g SET sides = d.sides::jsonb, next_roll = d.next_roll
    FROM unnest($15::uuid[], $16::uuid[], $17::text[], $18::int[])
        AS d(id, game_id, sides, next_roll) JOIN taken USING (id)
    WHERE g.id = d.game_id
), rolled AS (
    INSERT INTO games_diceroll
        (game_id, n, kind, flags, house, white, black, dice, seq, rolled_at)
    SELECT r.game_id, r.n, r.kind, r.flags, r.house, r.white, r.black, r.dice::jsonb, r.seq,
           clock_timestamp()
    FROM unnest(
        $19::uuid[], $20::uuid[], $21::int[], $22::int[], $23::int[], $24::bytea[], $25::bytea[],
        $26::bytea[], $27::text[], $28::bigint[]
    ) AS r(id, game_id, n, kind, flags, house, white, black, dice, seq) JOIN taken USING (id)
)
SELECT kept.id, (extract(epoch FROM clock_timestamp()) * 1000)::bigint FROM kept
"""

_state_of: Final[Callable[[str], TableState]] = msgspec.json.Decoder(TableState).decode

#: reading and writing tell what the database's clock shows, in milliseconds since 1970.
Told = tuple[dict[UUID, AtHand], int | None]


class FastRows:
    """A connection of its own for one statement after the other, in the event loop itself.

    In a thread each statement would wait for its turn several times, 5 ms each, while the loop
    computes. Raises `psycopg.Error`; the next statement then opens a new connection.
    """

    def __init__(self) -> None:
        self._connection: psycopg.AsyncConnection | None = None

    async def read(self, table_ids: Sequence[UUID]) -> Told:
        """These tables as they are now, and the database's time (None if there are none)."""
        rows = await self._run(_READ, [list(table_ids)])
        return {row[0]: _at_hand(row) for row in rows}, (rows[-1][-1] if rows else None)

    async def write(self, plans: Sequence[Plan]) -> tuple[set[UUID], int | None]:
        """Commit these plans, one a table; the tables whose plan was taken, and the time."""
        rows = await self._run(_WRITE, _written(plans))
        return {row[0] for row in rows}, (rows[-1][-1] if rows else None)

    async def close(self) -> None:
        """Give the connection back."""
        if self._connection is not None:
            await self._connection.close()
            self._connection = None

    async def _run(self, statement: str, values: list[Any]) -> list[tuple[Any, ...]]:
        """One statement, prepared once a connection: planning it takes longer than running it."""
        if self._connection is None or self._connection.closed:
            self._connection = await _connected()
        cursor = psycopg.AsyncRawCursor(self._connection)
        try:
            await cursor.execute(statement, values, prepare=True, binary=True)
            return await cursor.fetchall()
        except psycopg.OperationalError:
            await self.close()
            raise


async def _connected() -> psycopg.AsyncConnection:
    """A connection as Django would open it, for the event loop."""
    database = connections["default"]
    told = {
        name: value
        for name, value in database.get_connection_params().items()
        if name not in ("context", "cursor_factory", "pool", "prepare_threshold")
    }
    made = await psycopg.AsyncConnection.connect(**told, autocommit=True)
    # lists go in binary: as text each string is searched for quotes, a third of a move's time; and
    # all numbers in one size, or each size would be a statement of its own
    made.adapters.register_dumper(list, ListBinaryDumper)
    made.adapters.register_dumper(int, Int8BinaryDumper)
    # or the long statement is planned anew each time, for longer than it runs
    await made.execute("SET plan_cache_mode = force_generic_plan")
    return made


def _written(plans: Sequence[Plan]) -> list[list[Any]]:
    """The plans as the columns of the statement."""
    return [
        *_columns(
            10,
            [
                (
                    p.table_id, p.version, p.user_id, p.command_id, p.phase, p.seq, p.state,
                    p.fair, p.changed_at, p.due_at,
                )
                for p in plans
            ],
        ),
        *_columns(
            4, [(p.table_id, e.seq, e.type, e.payload) for p in plans for e in p.events]
        ),
        *_columns(4, [_dice_row(p.table_id, p.dice) for p in plans if p.dice is not None]),
        *_columns(
            10,
            [
                (
                    p.table_id, p.dice.id, r.n, r.kind, r.flags, r.house, r.white, r.black,
                    encode(r.dice), r.seq,
                )
                for p in plans
                if p.dice is not None
                for r in p.rolls
            ],
        ),
    ]  # fmt: skip


def _columns(width: int, rows: list[tuple[Any, ...]]) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)] or [[] for _ in range(width)]


def _dice_row(table_id: UUID, game: GameDice) -> tuple[UUID, UUID, str, int]:
    return (table_id, game.id, encode(game.sides), game.next_roll)


def _at_hand(row: tuple[Any, ...]) -> AtHand:
    state = _state_of(row[8])
    table = Table(
        id=row[0], opener_id=row[1], guest_id=row[2], mode=row[3], variant=row[4],
        stake_cents=row[5], phase=row[6], seq=row[7], people=msgspec.json.decode(row[9]),
        fair=msgspec.json.decode(row[10] or "null"), version=row[11],
    )  # fmt: skip
    if row[12] is None:
        return AtHand(table, state, None)
    game = GameDice(
        id=row[12], table_id=row[0], match_id=row[13], number=row[14], mode=row[15], terms=row[16],
        house_tip=row[17], house_secret=row[18], sides=msgspec.json.decode(row[19]),
        next_roll=row[20], open_hash=row[21],
    )  # fmt: skip
    return AtHand(table, state, game)
