"""The ranking list and the player pages, as the server renders them."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from ratings.models import Rating
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
