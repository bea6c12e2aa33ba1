"""Ratings change once per match, can be reverted, and are what their log replays to."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from decimal import Decimal
from io import StringIO
from uuid import uuid4

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import DatabaseError, connection, connections, transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backgammon.tests.amounts import amount
from harness.waiting import WAIT_SECONDS
from ledger.audit import run
from ratings.elo import START_ELO
from ratings.errors import LogInconsistent, RatingConflict, RatingError
from ratings.models import Rating, RatingChange
from ratings.replay import check, rebuild
from ratings.selectors import history, pair_counts, rating_of, ratings_of
from ratings.services import rating_settle, rating_void
from tests.racing import tries

pytestmark = pytest.mark.django_db


@pytest.fixture
def site(request):
    """Django's settings, under another name than Hypothesis' `settings`."""
    return request.getfixturevalue("settings")


def reference() -> str:
    return f"match:{uuid4()}"


def settle(winner, loser, n=5, pool="prize", ref=None):
    return rating_settle(
        reference=ref or reference(), pool=pool, winner_id=winner.pk, loser_id=loser.pk, n=n
    )


def test_everybody_starts_at_1500_without_a_row(people) -> None:
    view = rating_of(people[0].pk, "prize")
    assert (view.elo, view.experience, view.games, view.strength) == (START_ELO, 0, 0, 3)
    assert not Rating.objects.exists()


def test_prize5_between_newcomers_moves_22_points(people) -> None:
    won, lost = settle(people[0], people[1], n=5)
    assert (won.before, won.after) == (Decimal("1500.0000"), Decimal("1522.3607"))
    assert (lost.before, lost.after) == (Decimal("1500.0000"), Decimal("1477.6393"))
    assert (won.user_id, won.opponent_id, won.won) == (people[0].pk, people[1].pk, True)
    assert (lost.user_id, lost.opponent_id, lost.won) == (people[1].pk, people[0].pk, False)
    views = ratings_of([person.pk for person in people], "prize")
    assert [views[person.pk].whole for person in people] == [1522, 1478, 1500, 1500]
    assert [views[person.pk].experience for person in people] == [5, 5, 0, 0]


def test_pools_do_not_touch_each_other(people) -> None:
    settle(people[0], people[1], pool="prize")
    settle(people[1], people[0], n=1, pool="normal")
    assert rating_of(people[0].pk, "prize").whole == 1522
    assert rating_of(people[0].pk, "normal").whole == 1490
    assert rating_of(people[0].pk, "tapa:normal").whole == 1500


def test_same_reference_moves_nothing_twice_and_answers_the_same(people) -> None:
    ref = reference()
    first = settle(people[0], people[1], ref=ref)
    assert settle(people[0], people[1], ref=ref) == first
    assert RatingChange.objects.count() == 2
    assert rating_of(people[0].pk, "prize").games == 1


@pytest.mark.parametrize(
    ("winner", "loser", "other"),
    [(1, 0, {}), (0, 2, {}), (0, 1, {"n": 4}), (0, 1, {"pool": "normal"})],
)
def test_same_reference_with_other_facts_is_refused(people, winner, loser, other) -> None:
    ref = reference()
    settle(people[0], people[1], ref=ref)
    with pytest.raises(RatingConflict):
        settle(people[winner], people[loser], ref=ref, **other)
    assert RatingChange.objects.count() == 2


def test_nobody_is_rated_against_himself(people) -> None:
    with pytest.raises(RatingError):
        settle(people[0], people[0])


def test_failing_caller_takes_the_rating_along(people) -> None:
    with transaction.atomic():
        settle(people[0], people[1])
        transaction.set_rollback(True)
    assert rating_of(people[0].pk, "prize").games == 0


def test_void_takes_the_difference_back_and_leaves_later_matches(people) -> None:
    ref = reference()
    won, lost = settle(people[0], people[1], ref=ref)
    later, _ = settle(people[0], people[2])
    taken = rating_void(reference=ref)
    assert [row.delta for row in taken] == [-won.delta, -lost.delta]
    assert rating_of(people[0].pk, "prize").elo == START_ELO + later.delta
    assert rating_of(people[0].pk, "prize").experience == 5
    assert rating_of(people[0].pk, "prize").games == 1
    assert rating_of(people[1].pk, "prize").elo == START_ELO
    assert rating_of(people[1].pk, "prize").experience == 0


def test_void_happens_once(people) -> None:
    ref = reference()
    settle(people[0], people[1], ref=ref)
    first = rating_void(reference=ref)
    assert rating_void(reference=ref) == first
    assert RatingChange.objects.count() == 4


def test_void_of_an_unrated_match_is_nothing(people) -> None:
    assert rating_void(reference=reference()) == ()


def test_history_is_newest_first_with_opponents(people, django_assert_num_queries) -> None:
    settle(people[0], people[1])
    settle(people[2], people[0])
    with django_assert_num_queries(1):
        told = [(row.opponent.username, row.won) for row in history(people[0].pk, "prize")]
    assert told == [("tilo", False), ("hilde", True)]


def test_matches_of_a_pair_count_for_a_day_in_all_pools_together(people) -> None:
    one, other, third = (person.pk for person in people[:3])
    settle(people[0], people[1])
    settle(people[0], people[2])
    ref = reference()
    settle(people[1], people[0], n=1, pool="normal", ref=ref)
    assert pair_counts(one, [other, third]) == {other: 2, third: 1}
    assert pair_counts(other, [one, third]) == {one: 2, third: 0}
    later = timezone.now() + timedelta(hours=24, seconds=5)
    assert pair_counts(one, [other], now=later) == {other: 0}
    rating_void(reference=ref)
    assert pair_counts(one, [other]) == {other: 1}


@settings(max_examples=amount(8, long=50), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(1, 3), st.sampled_from([1, 2, 4, 5])), max_size=20
    ),
    st.data(),
)
def test_any_run_of_matches_and_voids_replays(people, matches, data) -> None:
    with transaction.atomic():
        references = []
        for winner, step, n in matches:
            won, _ = settle(people[winner], people[(winner + step) % 4], n=n)
            references.append(won.reference)
            if data.draw(st.booleans()):
                rating_void(reference=data.draw(st.sampled_from(references)))
        assert check() == []
        transaction.set_rollback(True)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ratings_ratingchange SET after = after + 1",
        "UPDATE ratings_ratingchange SET n = 1",
        "DELETE FROM ratings_ratingchange",
    ],
)
def test_database_refuses_to_rewrite_the_log(people, statement: str) -> None:
    settle(people[0], people[1])
    with pytest.raises(DatabaseError, match="stay as they were written"), transaction.atomic():
        connection.cursor().execute(statement)


def test_audit_of_the_house_asks_the_ratings_too(people) -> None:
    settle(people[0], people[1])
    Rating.objects.filter(user=people[0]).update(experience=99)
    found = {result.code: result.findings for result in run().results}
    assert [one.row for one in found["R1"]] == [f"rating of user {people[0].pk} in prize"]


def test_database_refuses_to_empty_the_log(people) -> None:
    settle(people[0], people[1])
    cursor = connection.cursor()
    cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    cursor.execute("SET LOCAL ledger.allow_truncate = 'no'")
    with pytest.raises(DatabaseError, match="stay as they were written"), transaction.atomic():
        cursor.execute("TRUNCATE ratings_ratingchange")


# --- at once --------------------------------------------------------------------------------------
CONNECTIONS = 8
TRIES = tries(4, long=20)


@pytest.fixture
def cast():
    make = get_user_model().objects.create_user
    return [make(f"player{number}").pk for number in range(4)]


def at_once(calls):
    """Run the calls on connections of their own, released by one barrier."""
    barrier = threading.Barrier(len(calls))

    def run(call):
        try:
            barrier.wait(timeout=WAIT_SECONDS)
            return call()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def settle_together(winner: int, loser: int, reference: str):
    return rating_settle(reference=reference, pool="prize", winner_id=winner, loser_id=loser, n=5)


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_one_match_settled_eight_times_at_once_counts_once(cast) -> None:
    for _ in range(TRIES):
        reference = f"match:{uuid4()}"
        told = at_once([lambda r=reference: settle_together(cast[0], cast[1], r)] * CONNECTIONS)
        assert len({won.pk for won, _ in told}) == 1
    assert rating_of(cast[0], "prize").games == TRIES
    assert check() == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_crossing_matches_lose_no_change_and_never_deadlock(cast) -> None:
    pairs = [(a, b) for a in cast for b in cast if a != b][:CONNECTIONS]
    for _ in range(TRIES):
        at_once([lambda a=a, b=b: settle_together(a, b, f"match:{uuid4()}") for a, b in pairs])
    assert RatingChange.objects.count() == TRIES * 2 * CONNECTIONS
    assert check() == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_void_at_once_happens_once(cast) -> None:
    for _ in range(TRIES):
        reference = f"match:{uuid4()}"
        settle_together(cast[0], cast[1], reference)
        at_once([lambda r=reference: rating_void(reference=r)] * CONNECTIONS)
    view = rating_of(cast[0], "prize")
    assert (view.whole, view.experience, view.games) == (1500, 0, 0)
    assert check() == []


# --- the replay -----------------------------------------------------------------------------------
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
