"""Ranks deep in the list are counted from marks, and are those of a whole count."""

from decimal import Decimal

import pytest
from django.contrib.auth import get_user_model
from django.db import connection

from ratings.models import RankMark, Rating
from ratings.ranks import MARK_PLACES, marks_make, ranks_of
from ratings.selectors import places_of, ranking, ranking_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
User = get_user_model()

PEOPLE = 3_600
#: as many share one rating, which a page and two marks lie within.
SHARED = range(900, 2_300)


@pytest.fixture
def crowd(db) -> None:
    """People of whom some share ratings, some have left and some were never rated."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO accounts_user (username, name_key, email, password, first_name, last_name,"
            " is_active, is_staff, is_superuser, is_bot, is_guest, language, theme, preferences,"
            " date_joined) SELECT 'player' || n, 'player' || n, '', '', '', '', n %% 50 <> 49,"
            " false, false, false, false, '', '', '{}', now() FROM generate_series(1, %s) n",
            [PEOPLE],
        )
        cursor.execute(
            "INSERT INTO ratings_rating (user_id, pool, games, experience, changes, elo)"
            " SELECT id, 'prize', CASE n %% 40 WHEN 0 THEN 0 ELSE 1 END, 0, 0,"
            " 5000 - CASE WHEN n BETWEEN %s AND %s THEN %s ELSE n END / 2.0"
            " FROM (SELECT id, substr(username, 7)::int AS n FROM accounts_user) people",
            [SHARED[0], SHARED[-1], SHARED[0]],
        )
        cursor.execute("ANALYZE ratings_rating, accounts_user")


def counted() -> dict[Decimal, int]:
    """The rank of every rating, by counting everybody above it."""
    listed = Rating.objects.filter(pool="prize", games__gt=0, user__is_active=True)
    elos = sorted(listed.values_list("elo", flat=True))
    return {elo: len(elos) - place for place, elo in enumerate(elos)}


def test_ranks_are_the_same_with_marks_and_without(crowd) -> None:
    wanted = counted()
    few = {elo: wanted[elo] for elo in sorted(wanted)[::60]}
    assert ranks_of("prize", few.keys()) == few
    made = marks_make()
    assert made == RankMark.objects.count() > 1
    assert ranks_of("prize", wanted.keys()) == wanted
    assert marks_make() == made


def test_pages_across_a_mark_and_shared_ratings_have_the_ranks_of_a_count(crowd) -> None:
    marks_make()
    wanted, asked, seen = counted(), {}, []
    while True:
        page = ranking("prize", asked=asked)
        seen += [(row.view.elo, row.rank) for row in page]
        if not page.below:
            break
        asked = {"after": page.below}
    assert len(seen) == Rating.objects.filter(games__gt=0, user__is_active=True).count()
    assert [rank for _elo, rank in seen] == [wanted[elo] for elo, _rank in seen]


def test_a_deep_rank_reads_no_more_than_a_mark_is_apart(crowd, django_assert_num_queries) -> None:
    marks_make()
    person = User.objects.get(username="player3550")
    with django_assert_num_queries(1) as queries:
        place = places_of(person.pk, ["prize"])["prize"]
    row = ranking_of(person.pk, "prize")
    assert row is not None
    assert place.rank == row.rank == counted()[row.view.elo] > 3 * MARK_PLACES
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")  # so few would be read as a whole
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {queries.captured_queries[0]['sql']}")
        plans, most = [cursor.fetchone()[0][0]["Plan"]], 0.0
    while plans:
        plan = plans.pop()
        plans += plan.get("Plans", [])
        if plan.get("Relation Name") == "ratings_rating":
            removed = plan.get("Rows Removed by Filter", 0)
            most = max(most, plan["Actual Loops"] * (plan["Actual Rows"] + removed))
    assert 0 < most <= MARK_PLACES


def test_who_came_since_the_marks_is_counted_between_two_of_them(crowd) -> None:
    marks_make()
    person = User.objects.get(username="player3550")
    before = places_of(person.pk, ["prize"])["prize"].rank
    elo = Rating.objects.get(user=person).elo
    newcomer = User.objects.create_user("newcomer")
    Rating.objects.create(user=newcomer, pool="prize", elo=elo + 1, games=1)
    assert places_of(person.pk, ["prize"])["prize"].rank == before + 1
