"""The names that tables keep, when a player gets another one."""

import json
from typing import Final

from django.db import connection

from games.services.trials import LOCK_TIMEOUT

#: a table keeps the names of its players as they were when its last match began.
_NAMES: Final = """
    UPDATE games_table t SET people = (
        SELECT jsonb_agg(CASE WHEN p.person -> 'id' = %(id)s::jsonb
                              THEN p.person || jsonb_build_object('name', %(name)s::text)
                              ELSE p.person END ORDER BY p.seat)
        FROM jsonb_array_elements(t.people) WITH ORDINALITY p(person, seat))
    WHERE t.id IN (SELECT id FROM games_table WHERE opener_id = %(id)s::bigint
                   OR guest_id = %(id)s::bigint ORDER BY id FOR NO KEY UPDATE)
        AND jsonb_typeof(t.people) = 'array' AND t.people <> '[]'
"""


def seats_rename(user_id: int, name: str) -> None:
    """Put this name in place of the old one at all tables of a person, in the order of their ids.

    Inside the caller's transaction; a table that is locked for too long is an `OperationalError`.
    """
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")
        cursor.execute(_NAMES, {"id": json.dumps(user_id), "name": name})
