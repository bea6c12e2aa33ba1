"""Attempts at packs, the form of the events and rolls of tables that were closed long ago."""

# ruff: noqa: E501 (a change stands in one line where it can)

from typing import Final

_MADE: Final = (
    "FROM games_table t, games_pack_of(t.id) made WHERE t.phase = 'closed' AND made.events <> ''"
)
_FORGED: Final = (
    "INSERT INTO games_eventpack SELECT t.id, made.first_id, made.last_id,"
    f" replace(made.events, 'voided', 'resigned') {_MADE}"
)
_ROLLS: Final = (
    "FROM games_gamedice g JOIN games_eventpack e USING (table_id), games_roll_pack_of(g.id) made"
)
_FORGED_ROLLS: Final = (
    "INSERT INTO games_rollpack SELECT g.id, made.first_id, made.last_id, made.last_at, made.rolls,"
    f" made.house, made.black, made.white {_ROLLS}"
)

UNGUARDED: Final[dict[str, str | tuple[str, ...]]] = {
    "winner in a pack": (
        "UPDATE games_eventpack SET events = replace(replace(events, '\"winner\": 0', '\"winner\": 1'),"
        " '[450, 0]', '[0, 450]')"
    ),
    "winner in a pack, row and state": (
        "UPDATE games_eventpack SET events = replace(events, '\"winner\": 0', '\"winner\": 1')",
        "UPDATE games_match SET winner_seat = 1 - winner_seat"
        " WHERE table_id IN (SELECT table_id FROM games_eventpack)",
        "UPDATE games_table SET state = jsonb_set(state, '{{match,result,winner}}', '1')"
        " WHERE id IN (SELECT table_id FROM games_eventpack)",
    ),
    "time in a pack": "UPDATE games_eventpack SET events = jsonb_set(events::jsonb, '{{3,1}}', '1')::text",
    "last event of a pack": (
        "UPDATE games_eventpack SET events = (events::jsonb - -1)::text,"
        " last_id = (events::jsonb -> -2 ->> 0)::bigint"
    ),
    "ids of a pack": "UPDATE games_eventpack SET first_id = last_id + 9, last_id = last_id + 9",
    "table of a pack": (
        "UPDATE games_eventpack SET table_id = (SELECT table_id FROM games_match"
        " WHERE ended_at IS NULL LIMIT 1)"
    ),
    "a pack deleted": "DELETE FROM games_eventpack",
    "a pack in front of rows": (
        "INSERT INTO games_eventpack SELECT t.id, made.* FROM games_table t, games_pack_of(t.id) made"
        " WHERE t.phase = 'over' LIMIT 1"
    ),
    "a pack of other events": (_FORGED, "DELETE FROM games_tableevent WHERE table_id IN (SELECT table_id FROM games_eventpack)"),
    # another roll than the one that fell by chance
    "dice in a pack of rolls": (
        "UPDATE games_rollpack SET rolls = jsonb_set(rolls::jsonb, '{{1,5}}',"
        " CASE rolls::jsonb #> '{{1,5}}' WHEN '[6, 6]' THEN '[5, 5]' ELSE '[6, 6]'::jsonb END)::text"
    ),
    "time in a pack of rolls": "UPDATE games_rollpack SET rolls = jsonb_set(rolls::jsonb, '{{1,1}}', '1')::text",
    "last part in a pack of rolls": "UPDATE games_rollpack SET white = sha256(white)",
    "last roll of a pack": "UPDATE games_rollpack SET rolls = (rolls::jsonb - -1)::text",
    "last moment of a pack of rolls": "UPDATE games_rollpack SET last_at = last_at - interval '1 day'",
    "events of a pack of rolls": "UPDATE games_rollpack SET rolls = jsonb_set(rolls::jsonb, '{{1,2}}', '1')::text",
    "ids of a pack of rolls": "UPDATE games_rollpack SET first_id = last_id + 9, last_id = last_id + 9",
    "game of a pack of rolls": (
        "UPDATE games_rollpack SET game_id = (SELECT id FROM games_gamedice"
        " WHERE id NOT IN (SELECT game_id FROM games_rollpack) LIMIT 1)"
    ),
    "a pack of rolls deleted": "DELETE FROM games_rollpack",
    "a pack of rolls in front of rows": f"INSERT INTO games_rollpack SELECT g.id, made.* {_ROLLS} LIMIT 1",
    "a pack of other rolls": (_FORGED_ROLLS, "DELETE FROM games_diceroll WHERE game_id IN (SELECT game_id FROM games_rollpack)"),
}  # fmt: skip

GUARDED: Final[dict[str, str | tuple[str, ...]]] = {
    "events deleted, triggers on": "DELETE FROM games_tableevent",
    "a pack changed, triggers on": "UPDATE games_eventpack SET events = replace(events, '0', '1')",
    "a pack deleted, triggers on": "DELETE FROM games_eventpack",
    "a pack of other events, triggers on": _FORGED,
    "a pack and its rows, triggers on": (
        f"INSERT INTO games_eventpack SELECT t.id, made.* {_MADE}"
    ),
    "packed events written again": (
        "INSERT INTO games_tableevent (table_id, seq, type, payload, stored_at)"
        " SELECT table_id, 1, 'x', '{{}}', now() FROM games_eventpack"
    ),
    "rolls deleted, triggers on, packed or not": "DELETE FROM games_diceroll",
    "a pack of rolls changed, triggers on": "UPDATE games_rollpack SET white = black",
    "a pack of rolls deleted, triggers on": "DELETE FROM games_rollpack",
    "a pack of other rolls, triggers on": _FORGED_ROLLS,
    "a pack of rolls and its rows, triggers on": f"INSERT INTO games_rollpack SELECT g.id, made.* {_ROLLS}",
    "a roll written behind its pack": (
        "INSERT INTO games_diceroll (game_id, n, kind, flags, house, white, black, dice, seq, rolled_at)"
        " SELECT game_id, 0, 2, 0, house, white, black, '[6, 6]', 9, now() FROM games_rollpack",
        "SET CONSTRAINTS ALL IMMEDIATE",
    ),
    "the guard of packed rolls dropped": "DROP TRIGGER games_roll_goes_packed ON games_diceroll",
    "the guard of deleted events dropped": "DROP TRIGGER games_event_goes_packed ON games_tableevent",
}  # fmt: skip

APPLICATION: Final[dict[str, str | tuple[str, ...]]] = {
    "an event deleted": "DELETE FROM games_tableevent WHERE id = (SELECT max(id) FROM games_tableevent)",
    "a pack": "INSERT INTO games_eventpack SELECT id, 1, 2, '[]' FROM games_table",
    "a pack of other events": _FORGED,
    "a pack of rolls": _FORGED_ROLLS,
    "a roll for a pack": "UPDATE games_diceroll SET dice = '[6, 6]'",
    "rolls of a running game packed": (
        "SELECT games_rolls_pack(g.id) FROM games_gamedice g JOIN games_table t ON t.id = g.table_id"
        " WHERE t.phase <> 'closed'"
    ),
    "a running table packed": (
        "SELECT games_table_pack(table_id, now()) FROM games_match WHERE ended_at IS NULL"
    ),
}  # fmt: skip
