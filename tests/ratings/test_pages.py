"""The ranking list and the player pages, as the server renders them."""

import re
from datetime import date, timedelta
from decimal import Decimal
from uuid import uuid4

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from ratings.chart import FRAME, line
from ratings.models import RankMark, Rating
from ratings.ranks import MARK_PLACES, marks_make, ranks_of
from ratings.selectors import PAGE_ROWS, RatingPlace, places_of, ranking, ranking_of, record
from ratings.services import rating_settle, rating_void

pytestmark = pytest.mark.django_db

User = get_user_model()


def settle(winner, loser, n=5, pool="prize"):
    reference = f"match:{uuid4()}"
    rating_settle(reference=reference, pool=pool, winner_id=winner.pk, loser_id=loser.pk, n=n)
    return reference


@pytest.fixture
def crowd(db):
    """A hundred and twenty players with ratings of their own."""
    users = User.objects.bulk_create([User(username=f"player{n:03d}") for n in range(120)])
    Rating.objects.bulk_create(
        [
            Rating(user=user, pool="prize", elo=1800 - 5 * number, games=1)
            for number, user in enumerate(users)
        ]
    )
    return users


def names(page) -> list[str]:
    return [row.username for row in page]


def test_list_is_ordered_by_rating_and_equals_share_a_rank(people) -> None:
    settle(people[0], people[1])
    settle(people[2], people[3])
    page = ranking("prize")
    assert [(row.rank, row.username) for row in page] == [
        (1, "tilo"),
        (1, "magriel"),
        (3, "barbara"),
        (3, "hilde"),
    ]


def test_change_counts_only_the_last_seven_days(people) -> None:
    settle(people[0], people[1])
    later = timezone.now() + timedelta(days=7, seconds=5)
    assert [round(row.change) for row in ranking("prize")] == [22, -22]
    assert [row.change for row in ranking("prize", now=later)] == [0, 0]


def test_voided_only_match_leaves_the_list(people) -> None:
    rating_void(reference=settle(people[0], people[1]))
    assert names(ranking("prize")) == []
    assert ranking_of(people[0].pk, "prize") is None


def test_closed_accounts_are_not_listed_and_leave_no_gap(people) -> None:
    settle(people[0], people[1])
    people[0].is_active = False
    people[0].save()
    assert [(row.rank, row.username) for row in ranking("prize")] == [(1, "hilde")]


def test_search_keeps_the_rank(crowd) -> None:
    found = ranking("prize", search="R07")
    assert names(found) == [f"player{n:03d}" for n in range(70, 80)]
    assert [row.rank for row in found] == list(range(71, 81))


def test_pages_follow_each_other_and_a_wrong_number_answers_the_nearest(crowd) -> None:
    second = ranking("prize", asked={"page": "2"})
    assert names(second)[0] == f"player{PAGE_ROWS:03d}"
    assert second.rows[0].rank == PAGE_ROWS + 1
    first = ranking("prize")
    assert (first.above, names(ranking("prize", asked={"after": first.below}))) == (
        "", names(second),
    )  # fmt: skip
    assert names(ranking("prize", asked={"until": second.above})) == names(first)
    last = ranking("prize", asked={"until": "end"})
    assert ([row.rank for row in last], last.below) == (list(range(71, 121)), "")
    assert names(ranking("prize", asked={"page": "99"})) == names(last)
    assert names(ranking("prize", asked={"page": "x", "after": "x"})) == names(first)


def test_a_player_can_be_put_into_the_middle(crowd) -> None:
    row = ranking_of(crowd[60].pk, "prize")
    assert row is not None
    page = ranking("prize", asked={"around": row.place})
    assert [each.rank for each in page] == list(range(36, 86))
    top = ranking_of(crowd[3].pk, "prize")
    assert top is not None
    assert names(ranking("prize", asked={"around": top.place})) == names(ranking("prize"))


def test_a_page_costs_the_same_few_queries_however_long_the_list(
    crowd, django_assert_num_queries
) -> None:
    with django_assert_num_queries(3):
        ranking("prize", asked={"page": "2"})


def test_places_are_those_of_the_list(people, django_assert_num_queries) -> None:
    settle(people[0], people[1])
    settle(people[2], people[3])
    settle(people[0], people[1], pool="tapa:normal")
    rating_void(reference=settle(people[1], people[0], pool="normal"))
    for person in people:
        with django_assert_num_queries(1):
            places = places_of(person.pk, ["prize", "normal", "plakoto:prize"])
        row = ranking_of(person.pk, "prize")
        assert places == {"prize": RatingPlace(row.rank, row.change)}
    people[0].is_active = False
    people[0].save()
    assert places_of(people[0].pk, ["prize"]) == {}
    assert places_of(people[1].pk, ["prize"])["prize"].rank == 2


def test_record_leaves_voided_matches_out(people) -> None:
    settle(people[0], people[1])
    settle(people[1], people[0])
    rating_void(reference=settle(people[0], people[2]))
    told = record(people[0].pk, "prize")
    assert (told.won, told.lost) == (1, 1)


# --- the pages ------------------------------------------------------------------------------------
def rows(page: str) -> list[str]:
    return re.findall(r'data-player="([^"]+)"', page)


def test_empty_list_says_so(client, db) -> None:
    page = client.get(reverse("ranking")).content.decode()
    assert "No ranked players yet" in page


def test_everybody_may_look_and_symbols_have_words(client, people) -> None:
    settle(people[0], people[1])
    page = client.get(reverse("ranking")).content.decode()
    assert rows(page) == ["magriel", "hilde"]
    assert 'aria-label="Strength 3 of 6: Solid"' in page
    assert "+22" in page
    assert "−22" in page


def test_own_row_is_marked_where_it_stands(client, people) -> None:
    settle(people[0], people[1])
    client.force_login(people[1])
    page = client.get(reverse("ranking")).content.decode()
    assert rows(page) == ["magriel", "hilde"]
    assert re.findall(r'<tr data-player="(\w+)" class="own"', page) == ["hilde"]


def test_own_row_is_on_every_page(client, crowd) -> None:
    client.force_login(crowd[-1])
    page = client.get(reverse("ranking")).content.decode()
    assert rows(page)[0] == crowd[-1].username
    assert len(rows(page)) == PAGE_ROWS + 1
    page = client.get(reverse("ranking"), {"page": 3}).content.decode()
    assert rows(page).count(crowd[-1].username) == 1


def test_menu_shows_other_pools_and_an_unknown_pool_shows_the_first(client, people) -> None:
    settle(people[0], people[1])
    settle(people[1], people[0], n=1, pool="tapa:normal")
    page = client.get(reverse("ranking"), {"pool": "tapa:normal"}).content.decode()
    assert rows(page) == ["hilde", "magriel"]
    assert "Tapa: Normal games" in page
    unknown = client.get(reverse("ranking"), {"pool": "nonsense"}).content.decode()
    assert rows(unknown) == ["magriel", "hilde"]


def test_menu_names_the_variant_as_the_reader_does(client, people) -> None:
    settle(people[0], people[1], pool="misere:normal")
    for language, name in (("en", "Misère: Normal games"), ("de", "Misère: Normale Spiele")):
        page = client.get(reverse("ranking"), headers={"accept-language": language})
        assert name in page.content.decode()


@pytest.mark.parametrize("search", ["%", "_", "'", '"><script>', "\x00", "x" * 500])
def test_strange_searches_find_nobody_and_break_nothing(client, people, search: str) -> None:
    settle(people[0], people[1])
    answer = client.get(reverse("ranking"), {"search": search})
    assert answer.status_code == 200
    assert rows(answer.content.decode()) == []
    assert b"<script>" not in answer.content.replace(b"<script ", b"")


def test_player_page_tells_how_a_rating_came_about(client, people) -> None:
    settle(people[0], people[1])
    rating_void(reference=settle(people[2], people[0]))
    page = client.get(reverse("player", args=["magriel"])).content.decode()
    assert '<span id="rating">1522</span>' in page
    assert "rating-chart" in page
    assert 'href="/player/magriel/ratings/?pool=prize"' in page
    client.force_login(people[0])
    page = client.get("/player/magriel/ratings/?pool=prize").content.decode()
    assert page.count("<tr data-change>") == 3
    assert "voided" in page


def test_player_page_of_a_newcomer_is_complete(client, people) -> None:
    page = client.get(reverse("player", args=["tilo"])).content.decode()
    assert '<span id="rating">1500</span>' in page
    assert "No rated match yet." in page
    assert "All changes" not in page
    page = client.get(reverse("player_changes", args=["tilo"])).content.decode()
    assert "No rated match yet." in page


def test_numbers_of_the_drawing_are_not_localised(client, people) -> None:
    settle(people[0], people[1])
    with override("de"):
        page = client.get(
            reverse("player", args=["magriel"]), headers={"accept-language": "de"}
        ).content.decode()
    assert not re.search(r' (x|y|cx|cy)="[^"]*,', page)
    assert re.search(r'<path class="chart-grid" d="M44 [0-9.]+H584', page)


def test_player_in_another_case_is_the_same_player(client, people) -> None:
    assert client.get("/player/MAGRIEL/").url == reverse("player", args=["magriel"])
    changes = reverse("player_changes", args=["magriel"])
    assert client.get("/player/MAGRIEL/ratings/").url == changes


@pytest.mark.parametrize("name", ["nobody", "magriel'--", "x" * 300, "\x00"])
def test_unknown_player_is_not_found(client, people, name: str) -> None:
    assert client.get(reverse("player", args=[name])).status_code == 404


# --- the chart ------------------------------------------------------------------------------------
elos = st.decimals("-500", "4000", places=4)
days = st.dates(date(2020, 1, 1), date(2030, 1, 1))


@given(st.dictionaries(days, elos, min_size=1, max_size=100), elos)
def test_every_point_and_grid_line_lies_inside(closes: dict[date, Decimal], first: Decimal) -> None:
    chart = line(sorted(closes.items()), first=first)
    assert len(chart.places) == len(closes) + 1
    assert all(
        FRAME.left <= each.x <= FRAME.right and FRAME.top <= each.y <= FRAME.bottom
        for each in chart.places
    )
    assert all(FRAME.top <= float(each.y) <= FRAME.bottom for each in chart.levels)
    assert 2 <= len(chart.levels) <= 8
    assert [each.x for each in chart.places] == sorted(each.x for each in chart.places)
    assert (chart.places[0].x, chart.end.x) == (FRAME.left, FRAME.right)
    assert all(FRAME.left <= float(each.x) <= FRAME.right for each in chart.ticks)
    assert len({each.day for each in chart.ticks}) == len(chart.ticks)


def test_a_better_rating_stands_higher_and_a_later_one_further_right() -> None:
    closes = [(date(2026, 3, 2), Decimal(1522)), (date(2026, 3, 5), Decimal(1510))]
    chart = line(closes, first=Decimal(1500))
    start, best, end = chart.places
    assert best.y < end.y < start.y
    assert [place.day.day for place in chart.places] == [1, 2, 5]
    assert end.x - best.x == 3 * (best.x - start.x)
    assert (chart.lowest, chart.highest) == (1500, 1522)


def test_scripts_get_the_day_and_the_rating_of_every_point() -> None:
    closes = [(date(2026, 3, 2), Decimal("1522.5")), (date(2026, 3, 5), Decimal("1509.6"))]
    chart = line(closes, first=Decimal(1500))
    assert (chart.start, chart.days, chart.elos) == ("2026-03-01", "0 1 4", "1500 1522 1510")
    assert len(chart.points.split()) == 3


# --- ranks ----------------------------------------------------------------------------------------
PEOPLE = 3_600
#: as many share one rating, which a page and two marks lie within.
SHARED = range(900, 2_300)


@pytest.fixture
def large_crowd(db) -> None:
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


@pytest.mark.slow
def test_ranks_are_the_same_with_marks_and_without(large_crowd) -> None:
    wanted = counted()
    few = {elo: wanted[elo] for elo in sorted(wanted)[::60]}
    assert ranks_of("prize", few.keys()) == few
    made = marks_make()
    assert made == RankMark.objects.count() > 1
    assert ranks_of("prize", wanted.keys()) == wanted
    assert marks_make() == made


@pytest.mark.slow
def test_pages_across_a_mark_and_shared_ratings_have_the_ranks_of_a_count(large_crowd) -> None:
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


@pytest.mark.slow
def test_a_deep_rank_reads_no_more_than_a_mark_is_apart(
    large_crowd, django_assert_num_queries
) -> None:
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


@pytest.mark.slow
def test_who_came_since_the_marks_is_counted_between_two_of_them(large_crowd) -> None:
    marks_make()
    person = User.objects.get(username="player3550")
    before = places_of(person.pk, ["prize"])["prize"].rank
    elo = Rating.objects.get(user=person).elo
    newcomer = User.objects.create_user("newcomer")
    Rating.objects.create(user=newcomer, pool="prize", elo=elo + 1, games=1)
    assert places_of(person.pk, ["prize"])["prize"].rank == before + 1
