"""The cost of the pages of a player in a web process: `python -m bench.pages [--matches 1000]`.

A player with so many finished matches, in several modes and variants and against several opponents,
is written into a house of its own; the matches that the house analyses have a full report. Each
page is then requested several times, by a visitor and by a player who is logged in, in German.
Printed are the least processor time of a request (without the database's own), the function calls,
which a busy machine does not change, the queries, and the bytes before they are compressed.
`--profile player` prints where the time of one page goes.

Rows are written without their events, so the pages of single matches cannot be opened here.
"""

import argparse
import cProfile
import gzip
import pstats
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from random import Random
from time import thread_time
from typing import TYPE_CHECKING, Any, Final

from harness.servers import house_opened

if TYPE_CHECKING:
    from accounts.models import User
    from games.models import Match


NAME: Final = "magriel"
OPPONENTS: Final = 12
DAYS: Final = 400
KINDS: Final = (
    ("prize5", "backgammon", "prize"),
    ("single", "backgammon", "prize"),
    ("normal", "backgammon", "normal"),
    ("match", "nackgammon", "nackgammon:normal"),
    ("match", "plakoto", "plakoto:normal"),
)
"""Mode, variant and pool of the matches, in turn."""

PAGES: Final = {
    "player": f"/player/{NAME}/",
    "player in a pool": f"/player/{NAME}/?pool=normal&span=3m",
    "matches": f"/player/{NAME}/matches/",
    "two players": f"/player/{NAME}/vs/hilde-0/",
    "progress": f"/player/{NAME}/progress/",
    "exercises": "/exercises/",
    "ranking": "/ranking/",
    "lobby": "/play/",
    "a paper": "/imprint/",
    "home": "/",
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--matches", type=int, default=1_000)
    parser.add_argument("--requests", type=int, default=20, help="of each page")
    parser.add_argument("--profile", choices=PAGES, help="show where the time of this page goes")
    chosen = parser.parse_args()
    with house_opened():
        _measure(chosen.matches, chosen.requests, chosen.profile)


def _measure(matches: int, requests: int, profiled: str | None) -> None:
    from django.test import Client

    person, opponents = _people()
    _play(person, opponents, matches)
    headers = {"host": "localhost", "accept-language": "de", "accept-encoding": "gzip"}
    visitor, reader = Client(headers=headers), Client(headers=headers)
    reader.force_login(opponents[0])
    if profiled:
        _profile(lambda: _page(reader, PAGES[profiled]), requests)
        return
    print(f"{'':28} {'CPU ms':>8} {'k calls':>8} {'queries':>8} {'bytes':>8}")
    for name, address in PAGES.items():
        for who, client in (("visitor", visitor), ("player", reader)):
            _row(f"{name}, {who}", lambda c=client, a=address: _page(c, a), requests)


def _row(name: str, page: Callable[[], int], requests: int) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    page()
    with CaptureQueriesContext(connection) as asked:
        size = page()
    queries, profile = len(asked), cProfile.Profile()
    profile.runcall(page)
    calls = pstats.Stats(profile).total_calls / 1_000  # type: ignore[attr-defined]  # untyped
    took_ms = min(_cpu_ms(page) for _number in range(requests))
    print(f"{name:28} {took_ms:>8.1f} {calls:>8.1f} {queries:>8} {size:>8}", flush=True)


def _cpu_ms(page: Callable[[], int]) -> float:
    began = thread_time()
    page()
    return 1_000 * (thread_time() - began)


def _page(client: Any, address: str) -> int:
    """Request a page; return its bytes."""
    answer = client.get(address)
    assert answer.status_code == 200, (address, answer.status_code)
    return len(gzip.decompress(answer.content))


def _profile(page: Callable[[], int], requests: int) -> None:
    page()
    profile = cProfile.Profile()
    for _number in range(requests):
        profile.runcall(page)
    for order in ("cumulative", "tottime"):
        pstats.Stats(profile).sort_stats(order).print_stats(60)


# --- a player who has played much -----------------------------------------------------------------


def _people() -> "tuple[User, list[User]]":
    from accounts.models import User

    names = [NAME, *(f"hilde-{number}" for number in range(OPPONENTS))]
    people = [User.objects.create_user(name, f"{name}@example.org") for name in names]
    return people[0], people[1:]


def _play(person: "User", opponents: "list[User]", count: int) -> None:
    from django.db import connection, transaction

    from games.models import Match, PlayerMatch, Table
    from ratings.models import Rating, RatingChange

    table = Table.objects.create(
        opener=person, mode="normal", variant="backgammon", stake_cents=0, phase="closed", seq=0,
        state={},
    )  # fmt: skip
    chance, now = Random(1), datetime.now(UTC)
    matches = [
        _match(table, number, person, opponents[number % OPPONENTS], chance, now - timedelta(
            days=DAYS * (count - number) / count
        ))
        for number in range(count)
    ]  # fmt: skip
    changes, ratings = _ratings(matches, person)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        Match.objects.bulk_create(matches)
        PlayerMatch.objects.bulk_create(
            _side(match, seat, chance) for match in matches for seat in (0, 1)
        )
        _analyse(matches, chance)
        RatingChange.objects.bulk_create(changes)
        Rating.objects.bulk_create(ratings)
        cursor.execute("SET LOCAL session_replication_role = origin")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _match(
    table: Any, number: int, person: "User", opponent: "User", chance: Random, ended_at: datetime
) -> "Match":
    from games.models import Match

    mode, variant, _pool = KINDS[number % len(KINDS)]
    winner = chance.randrange(2)
    return Match(
        table=table, number=number + 1, mode=mode, variant=variant, player_0=person,
        player_1=opponent, stake_cents=0, winner_seat=winner, ending="resigned",
        score=[3 * (winner == 0), 3 * (winner == 1)], started_at=ended_at, ended_at=ended_at,
    )  # fmt: skip


def _side(match: "Match", seat: int, chance: Random) -> Any:
    from games.models import PlayerMatch

    return PlayerMatch(
        match=match, seat=seat, player_id=match.players[seat], opponent_id=match.players[1 - seat],
        is_open=True, ended_at=match.ended_at, single_won=chance.randrange(3),
        gammon_lost=chance.randrange(2), doubled=chance.randrange(2),
    )  # fmt: skip


def _analyse(matches: "list[Match]", chance: Random) -> None:
    """A full report of each match, with its sums, and ten errors of each seat."""
    from analysis.exercises.themes import THEMES
    from analysis.models import DecisionRow, ErrorExercise, Report, ThemeSum
    from backgammon.engines.analysed import ANALYSED

    reports = Report.objects.bulk_create(
        Report(match=match, engine="bgsage", version="1", depth="full", figures=[{}, {}])
        for match in matches
        if match.variant in ANALYSED
    )
    places = [(report, seat, theme) for report in reports for seat in (0, 1) for theme in THEMES]
    ThemeSum.objects.bulk_create(
        ThemeSum(
            report=report, seat=seat, theme=theme, counted=10, lost=(lost := chance.random() / 4),
            counted_lost=lost, squares=lost * lost / 3, gift=chance.gauss(0, 0.03), in_points=False,
        )
        for report, seat, theme in places
    )  # fmt: skip
    rows = DecisionRow.objects.bulk_create(
        DecisionRow(
            report=report, game=1, number=number % (2 * len(THEMES)), seat=seat, kind="play",
            counted=True, loss=0.1, ply=2, line={"xgid": "", "options": []},
        )
        for number, (report, seat, _theme) in enumerate(places)
    )  # fmt: skip
    ErrorExercise.objects.bulk_create(
        ErrorExercise(decision=row, report=report, seat=seat, theme=theme, loss=0.1)
        for row, (report, seat, theme) in zip(rows, places, strict=True)
    )


def _ratings(matches: "list[Match]", person: "User") -> tuple[list[Any], list[Any]]:
    """The rating changes of these matches for both players, and the ratings they end in."""
    from ratings.models import Rating, RatingChange

    ratings: dict[tuple[int, str], Rating] = {}
    changes = []
    for number, match in enumerate(matches):
        pool = KINDS[number % len(KINDS)][2]
        for seat, (own, other) in enumerate((match.players, match.players[::-1])):
            won = match.winner_seat == seat
            row = ratings.setdefault((own, pool), Rating(user_id=own, pool=pool))
            delta = Decimal(8 if won else -8)
            row.changes, row.games, row.experience = row.changes + 1, row.games + 1, row.games + 1
            changes.append(RatingChange(
                reference=match.reference, kind="result", pool=pool, user_id=own,
                opponent_id=other, won=won, n=1, before=row.elo, after=row.elo + delta,
                experience_before=row.experience - 1, experience_after=row.experience,
                sequence=row.changes, created=match.ended_at,
            ))  # fmt: skip
            row.elo += delta
    return changes, list(ratings.values())


if __name__ == "__main__":
    main()
