"""The replay confirms honest ratings, names every tampered row, and can rebuild the ratings."""

import json
from decimal import Decimal
from io import StringIO
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import connection

from ratings.errors import LogInconsistent
from ratings.models import Rating, RatingChange
from ratings.replay import check, rebuild
from ratings.selectors import rating_of
from ratings.services import rating_settle, rating_void

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(people):
    """Twelve matches, the third of them voided at the end."""
    references = [f"match:{uuid4()}" for _ in range(12)]
    for number, reference in enumerate(references):
        rating_settle(
            reference=reference,
            pool="prize" if number % 3 else "normal",
            winner_id=people[number % 4].pk,
            loser_id=people[(number + 1 + number % 3) % 4].pk,
            n=(1, 2, 4, 5)[number % 4],
        )
    rating_void(reference=references[2])
    return references


@pytest.fixture
def tamper():
    """Change the log without its triggers, as a superuser of the database can."""

    def run(statement: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("ALTER TABLE ratings_ratingchange DISABLE TRIGGER USER")
            cursor.execute(statement)
            cursor.execute("ALTER TABLE ratings_ratingchange ENABLE TRIGGER USER")

    return run


def command(*args: str) -> tuple[int, str]:
    out = StringIO()
    try:
        call_command("ratings_replay", *args, stdout=out)
    except SystemExit as stop:
        return int(stop.code), out.getvalue()
    return 0, out.getvalue()


def test_honest_season_replays(season) -> None:
    assert check() == []
    status, text = command("--check")
    assert status == 0
    assert "No difference" in text


def test_moved_rating_is_named_and_rebuilt(season, people) -> None:
    honest = rating_of(people[1].pk, "prize")
    Rating.objects.filter(user=people[1], pool="prize").update(elo=Decimal(2000))
    status, text = command("--check", "--json")
    answer = json.loads(text)
    assert status == 1
    assert [one["row"] for one in answer["differences"]] == [
        f"rating of user {people[1].pk} in prize"
    ]
    status, text = command()
    assert status == 0
    assert "1 differences mended" in text
    assert rating_of(people[1].pk, "prize") == honest
    assert check() == []


def test_lost_rating_is_named_and_rebuilt(season, people) -> None:
    honest = rating_of(people[0].pk, "prize")
    Rating.objects.filter(user=people[0], pool="prize").delete()
    assert [one.stored for one in check()] == ["missing"]
    rebuild()
    assert rating_of(people[0].pk, "prize") == honest


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ratings_ratingchange SET after = after + 0.0001 WHERE id = {}",
        "UPDATE ratings_ratingchange SET before = before - 0.0001 WHERE id = {}",
        "UPDATE ratings_ratingchange SET sequence = 99 WHERE id = {}",
        "UPDATE ratings_ratingchange SET pool = 'other' WHERE id = {}",
        "UPDATE ratings_ratingchange SET reference = 'match:other' WHERE id = {}",
        "DELETE FROM ratings_ratingchange WHERE id = {}",
    ],
)
def test_tampered_log_is_named_and_never_believed(season, tamper, statement: str) -> None:
    victim = RatingChange.objects.filter(reference=season[4], won=True).get()
    tamper(statement.format(victim.pk))
    assert check()
    before = list(Rating.objects.order_by("pk").values())
    with pytest.raises(LogInconsistent):
        rebuild()
    status, _ = command()
    assert status == 1
    assert list(Rating.objects.order_by("pk").values()) == before


def test_forger_who_moves_log_and_rating_alike_is_found_by_the_formula(season, tamper) -> None:
    last = RatingChange.objects.filter(won=True, kind="result").latest("id")
    tamper(f"UPDATE ratings_ratingchange SET after = after + 10 WHERE id = {last.pk}")
    rating = Rating.objects.get(user=last.user_id, pool=last.pool)
    rating.elo += 10
    rating.save()
    rows = [one.row for one in check()]
    assert rows[0].startswith(f"change {last.pk} ")
    assert f"rating of user {last.user_id} in {last.pool}" in rows
