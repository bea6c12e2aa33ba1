"""Pages of long lists are found by an index, and no row is shown twice or left out."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.models import Match, PlayerMatch, Table
from games.services.archive import ARCHIVE, halves_of
from games.services.figures import SIDES, sides_of
from kit.paging import COUNTED_MAX, END, Order

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

ROWS = 10
PLAYED = 1_500


@pytest.fixture
def played(magriel: User, hilde: User, tilo: User) -> User:
    """Somebody with many matches in both seats, some of which ended at the same moment."""
    table = Table.objects.create(
        opener=tilo, mode="normal", variant="backgammon", stake_cents=0, phase="closed", seq=0,
        state={},
    )  # fmt: skip
    began = timezone.now() - timedelta(days=900)
    matches = [
        Match(
            id=uuid4(), table=table, number=number + 1, mode="normal", variant="backgammon",
            player_0=magriel if number % 3 else hilde, player_1=hilde if number % 3 else magriel,
            stake_cents=0, winner_seat=number % 2, ending="resigned", started_at=began,
            ended_at=began + timedelta(hours=number // 2),
        )
        for number in range(PLAYED)
    ]  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        Match.objects.bulk_create(matches)
        PlayerMatch.objects.bulk_create(
            PlayerMatch(
                match=match, seat=seat, player_id=match.players[seat], is_open=True,
                opponent_id=match.players[1 - seat], ended_at=match.ended_at,
            )
            for match in matches
            for seat in (0, 1)
        )  # fmt: skip
        cursor.execute("SET LOCAL session_replication_role = origin")
        cursor.execute("ANALYZE games_match")
        cursor.execute("ANALYZE games_playermatch")
    return magriel


Lists = Callable[[int], tuple[Order, tuple[Any, ...]]]


def archive(user_id: int) -> tuple[Order, tuple[Any, ...]]:
    return ARCHIVE, halves_of(user_id)


def of_player(user_id: int) -> tuple[Order, tuple[Any, ...]]:
    return SIDES, (sides_of(user_id, reader_id=None),)


@pytest.fixture(params=[archive, of_player])
def lists(request: pytest.FixtureRequest) -> Lists:
    made: Lists = request.param
    return made


def test_pages_down_and_up_show_every_row_once(played: User, lists: Lists) -> None:
    order, found = lists(played.pk)
    down, asked, pages = [], {}, 0
    while True:
        page = order.page(asked, 200, *found)
        down += [row.pk for row in page]
        pages += 1
        if not page.below:
            break
        asked = {"after": page.below}
    assert (len(down), len(set(down)), pages) == (PLAYED, PLAYED, 8)
    up, asked = [], {"until": END}
    while True:
        page = order.page(asked, 200, *found)
        up += [row.pk for row in reversed(page.rows)]
        if not page.above:
            break
        asked = {"until": page.above}
    assert up == down[::-1]


def read_rows(queries: list[dict[str, str]]) -> int:
    """The rows that the database reads for these queries, as it says itself."""
    read = 0
    with connection.cursor() as cursor:
        for way in ("seqscan", "hashjoin", "mergejoin"):  # so few would be read as a whole
            cursor.execute(f"SET LOCAL enable_{way} = off")
        for query in queries:
            cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {query['sql']}")
            plans = [cursor.fetchone()[0][0]["Plan"]]
            while plans:
                plan = plans.pop()
                plans += plan.get("Plans", [])
                read += plan["Actual Loops"] * (
                    plan["Actual Rows"] + plan.get("Rows Removed by Filter", 0)
                )
    return int(read)


def test_a_deep_page_reads_as_few_rows_as_the_first(played: User, lists: Lists) -> None:
    order, found = lists(played.pk)
    last = order.last(ROWS, *found)
    deep = order.page({"until": last.above}, ROWS, *found).above
    for asked in ({}, {"after": deep}, {"until": deep}, {"until": END}):
        with CaptureQueriesContext(connection) as queries:
            page = order.page(asked, ROWS, *found)
        assert len(page) == ROWS
        assert len(queries) == len(found)
        # a page, one row more, and the two people of each: in both halves, and in joins on the way
        assert read_rows(queries.captured_queries) <= 24 * (ROWS + 1)


def test_a_number_counts_up_to_a_limit_and_then_stays(played: User) -> None:
    halves = halves_of(played.pk)
    second = ARCHIVE.page({"page": "2"}, ROWS, *halves)
    after = ARCHIVE.page({"after": ARCHIVE.page({}, ROWS, *halves).below}, ROWS, *halves)
    assert second == after
    limit = ARCHIVE.page({"page": str(COUNTED_MAX)}, ROWS, *halves)
    assert ARCHIVE.page({"page": "299"}, ROWS, *halves) == limit
    assert ARCHIVE.page({"page": "9"}, 200, *halves) == ARCHIVE.last(200, *halves)
    assert ARCHIVE.page({"page": "-1"}, ROWS, *halves) == ARCHIVE.page({}, ROWS, *halves)


@pytest.mark.parametrize(
    "place", ["x", "~", "20260101T000000.000000~", "20260101T000000.000000~" + "g" * 32, "\x00~1"]
)
def test_what_is_no_place_shows_the_first_page(played: User, place: str) -> None:
    halves = halves_of(played.pk)
    first = ARCHIVE.page({}, ROWS, *halves)
    assert ARCHIVE.page({"after": place}, ROWS, *halves) == first
    assert ARCHIVE.page({"until": place}, ROWS, *halves) == first


def test_behind_the_end_is_the_last_page_and_before_the_beginning_the_first(played: User) -> None:
    halves = halves_of(played.pk)
    last, first = ARCHIVE.last(ROWS, *halves), ARCHIVE.page({}, ROWS, *halves)
    assert ARCHIVE.page({"after": ARCHIVE.mark(last.rows[-1])}, ROWS, *halves) == last
    assert ARCHIVE.page({"until": ARCHIVE.mark(first.rows[0])}, ROWS, *halves) == first
