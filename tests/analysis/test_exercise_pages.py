"""The pages of the exercises: questions, answers, what comes back, and the position of the day."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from analysis.models import Exercise, ExerciseTry
from analysis.training.house_set import house_exercises, of_day, today
from games.models import Match
from harness.logins import logged_in
from tests.analysis.errors import error_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture
def visitor() -> Client:
    return Client(headers={"accept-language": "en"})


@pytest.fixture
def gerda() -> User:
    return User.objects.create_user("gerda", password="quite-a-long-secret")


def reader(person: User) -> Client:
    return logged_in(Client(headers={"accept-language": "en"}), person)


def first(kind: str) -> Exercise:
    return next(row for row in house_exercises() if row.kind == kind)


def options(row: Exercise) -> list[str]:
    return [option["text"] for option in row.line["options"]]


def sent(client: Client, address: str, **fields: str) -> str:
    answer = client.post(address, fields, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def test_every_exercise_of_the_house_has_its_page_and_says_nothing_before(visitor: Client) -> None:
    assert visitor.get("/exercises/").status_code == 200
    for row in house_exercises():
        page = visitor.get(f"/exercises/{row.pk}/").content.decode()
        assert "equity" not in page.lower()
        assert row.kind != "play" or options(row)[0] not in page
    assert visitor.get("/exercises/999999/").status_code == 404
    assert visitor.get("/exercises/own-1/").status_code == 404
    assert Exercise.objects.count() == len(house_exercises())


def test_an_exercise_leaves_the_theme_of_the_page_alone(visitor: Client) -> None:
    home = visitor.get("/").content.decode().split("data-theme=")[1].split()[0]
    page = visitor.get(reverse("exercise_today")).content.decode()
    assert f"data-theme={home} " in page


def test_answers_are_graded_by_what_they_lose(visitor: Client) -> None:
    row = first("play")
    address = f"/exercises/{row.pk}/"
    assert "Found: " in sent(visitor, address, play=options(row)[0])
    worst = options(row)[-1]
    page = sent(visitor, address, play=worst)
    assert "blunder" in page.lower()
    assert worst in page
    assert "bg-arrow bg-best" in page
    answer = visitor.post(address, {"play": "1/24 nonsense"})
    assert answer.status_code == 400
    assert "no legal play" in answer.content.decode()
    assert ExerciseTry.objects.count() == 2


@pytest.mark.parametrize("kind", ["double", "take"])
def test_the_cube_is_asked_with_two_choices(visitor: Client, kind: str) -> None:
    row = first(kind)
    best, other = options(row)
    assert "Found: " in sent(visitor, f"/exercises/{row.pk}/", choice=best)
    assert "report-bars" in sent(visitor, f"/exercises/{row.pk}/", choice=other)
    assert visitor.post(f"/exercises/{row.pk}/", {"choice": "redouble"}).status_code == 400


def test_a_miss_comes_back_the_next_day_and_a_find_later(gerda: User) -> None:
    client = reader(gerda)
    row, other = house_exercises()[:2]
    for each, text in ((row, options(row)[-1]), (other, options(other)[0])):
        ExerciseTry.objects.create(
            person=gerda,
            exercise=each,
            answer=text,
            loss=0.5 if each == row else 0,
            at=timezone.now() - timedelta(days=2),
        )
    assert "1 exercise is due" in client.get("/exercises/").content.decode()
    following = client.get("/exercises/next/")
    assert following.headers["Location"] == f"/exercises/{row.pk}/"
    themed = client.get("/exercises/next/?theme=race").headers["Location"]
    assert themed.endswith("?theme=race")


def test_own_errors_come_back_to_their_player_alone(played: Match) -> None:
    row = error_of(played)
    mine, theirs = reader(played.player_0), reader(played.player_1)
    assert "Your own errors" in mine.get("/exercises/").content.decode()
    assert mine.get("/exercises/next/").headers["Location"] == f"/exercises/own-{row.pk}/"
    page = sent(mine, f"/exercises/own-{row.pk}/", play=row.line["options"][0]["text"])
    assert "Found: " in page
    assert f"From your match against {played.player_1.username}" in page
    assert theirs.get(f"/exercises/own-{row.pk}/").status_code == 404
    assert theirs.get("/exercises/next/").headers["Location"] != f"/exercises/own-{row.pk}/"
    assert ExerciseTry.objects.get().exercise_id is None


@pytest.mark.parametrize("fields", [{"loss": 0.039}, {"counted": False}, {"seat": 1}])
def test_small_uncounted_and_other_errors_do_not(played: Match, fields: dict[str, object]) -> None:
    row = error_of(played, **fields)
    assert reader(played.player_0).get(f"/exercises/own-{row.pk}/").status_code == 404


def test_the_position_of_the_day_is_answered_once_and_then_shows_the_share(
    visitor: Client, gerda: User
) -> None:
    row = of_day(today())
    assert row
    field = "play" if row.kind == "play" else "choice"
    client = reader(gerda)
    assert "found it" not in client.get("/exercises/today/").content.decode()
    sent(visitor, "/exercises/today/", **{field: options(row)[-1]})
    page = sent(client, "/exercises/today/", **{field: options(row)[0]})
    assert "2 answers so far; 50% found it." in page
    shared = page[page.index('id="day-share"') :].split(">", 1)[0]
    assert ": found · 1 day in a row. http://testserver/exercises/today/" in shared
    assert options(row)[0] not in shared, "others may still look for it"
    assert shared.split('value="')[1] in client.get("/").content.decode()
    sent(client, "/exercises/today/", **{field: options(row)[-1]})
    assert ExerciseTry.objects.filter(day=today()).count() == 2
    assert ExerciseTry.objects.get(person=gerda).loss == 0


def test_the_position_changes_every_day() -> None:
    days = [today() + timedelta(days=back) for back in range(len(house_exercises()))]
    assert len({row.pk for day in days if (row := of_day(day))}) == len(days)


def test_a_visitor_takes_the_tries_along(visitor: Client, gerda: User) -> None:
    row = first("play")
    sent(visitor, f"/exercises/{row.pk}/", play=options(row)[0])
    assert ExerciseTry.objects.get().person is None
    assert "1 of 8 today" in visitor.get("/exercises/").content.decode()
    visitor.post(reverse("account_login"), {"login": "gerda", "password": "quite-a-long-secret"})
    assert ExerciseTry.objects.get().person == gerda
    assert "1 of 8 today" in visitor.get("/exercises/").content.decode()


def test_tries_and_exercises_are_never_altered(gerda: User) -> None:
    row = first("play")
    tried = ExerciseTry.objects.create(person=gerda, exercise=row, answer="x", loss=0.1)
    for change in (
        lambda: ExerciseTry.objects.filter(pk=tried.pk).update(loss=0.0),
        lambda: ExerciseTry.objects.filter(pk=tried.pk).update(person=None),
        lambda: Exercise.objects.filter(pk=row.pk).update(theme="race"),
        lambda: Exercise.objects.filter(pk=house_exercises()[-1].pk).delete(),
    ):
        with (
            pytest.raises(DatabaseError, match=r"stay as they were|append-only"),
            transaction.atomic(),
        ):
            change()


def test_the_command_stores_new_exercises_once() -> None:
    before = len(house_exercises())
    call_command("exercises_make", count=2, seed=5)
    call_command("exercises_make", count=2, seed=5)
    assert Exercise.objects.count() == before + 2


def test_the_home_page_has_the_position_of_the_day(visitor: Client) -> None:
    page = visitor.get("/").content.decode()
    assert 'href="/exercises/today/"' in page
    assert page.count("home-day") == 1
