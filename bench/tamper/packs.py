"""Attempts at packs, the form of the events of tables that were closed long ago."""

# ruff: noqa: E501 (a change stands in one line where it can)

from typing import Final

_MADE: Final = (
    "FROM games_table t, games_pack_of(t.id) made WHERE t.phase = 'closed' AND made.events <> ''"
)
_FORGED: Final = (
    "INSERT INTO games_eventpack SELECT t.id, made.first_id, made.last_id,"
    f" replace(made.events, 'voided', 'resigned') {_MADE}"
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
    "the guard of deleted events dropped": "DROP TRIGGER games_event_goes_packed ON games_tableevent",
}  # fmt: skip

APPLICATION: Final[dict[str, str | tuple[str, ...]]] = {
    "an event deleted": "DELETE FROM games_tableevent WHERE id = (SELECT max(id) FROM games_tableevent)",
    "a pack": "INSERT INTO games_eventpack SELECT id, 1, 2, '[]' FROM games_table",
    "a pack of other events": _FORGED,
    "a running table packed": (
        "SELECT games_table_pack(table_id, now()) FROM games_match WHERE ended_at IS NULL"
    ),
}  # fmt: skip
