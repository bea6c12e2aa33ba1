"""Streaks of answers to the position of the day, and the missed day that is forgiven."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from analysis.models import ExerciseTry
from analysis.training import house_set
from analysis.training.house_set import of_day
from analysis.training.streaks import Streak, streak_of
from harness.logins import logged_in

TODAY = date(2026, 11, 28)


def streak(*days_ago: int) -> Streak:
    return streak_of([TODAY - timedelta(days=ago) for ago in days_ago], TODAY)


@pytest.mark.parametrize(
    ("days_ago", "days"),
    [
        ((), 0),
        ((0,), 1),
        ((1,), 1),  # today is not over
        ((0, 1, 2), 3),
        ((1, 2, 3), 3),
        ((0, 0, 1), 2),
        ((0, 2, 3), 3),  # one missed day is forgiven
        ((2, 3), 2),  # yesterday is forgiven
        ((3, 4), 0),  # two days in a row are not
        ((0, 3, 4), 1),
        ((0, 2, 4), 1),  # a second one within a week is not
        ((0, 2, 3, 4, 5, 6, 7, 9), 8),  # the next one after seven days
        ((0, 2, 3, 4, 5, 6, 8), 1),  # and not after six
    ],
)
def test_a_streak_is_days_in_a_row_with_one_forgiven_in_seven(
    days_ago: tuple[int, ...], days: int
) -> None:
    assert streak(*days_ago).days == days


def test_the_week_shows_every_day_and_which_one_was_forgiven() -> None:
    week = streak(1, 2, 4, 8).week
    assert [day for day, _state in week] == [
        TODAY - timedelta(days=ago) for ago in range(6, -1, -1)
    ]
    assert [state for _day, state in week] == [
        *("missed", "missed", "answered", "forgiven", "answered", "answered", "today"),
    ]


@pytest.fixture
def gerda(db: None) -> User:
    return User.objects.create_user("gerda")


def home(person: User) -> str:
    client = logged_in(Client(headers={"accept-language": "en"}), person)
    return " ".join(client.get("/").content.decode().split())


def day_of(page: str) -> str:
    """The part of the page with the position of the day: other boards have arrows, too."""
    return page[page.index("home-today") :].split("</section>")[0]


def tried(person: User, at: datetime, day: date, loss: float = 0.0) -> ExerciseTry:
    row = of_day(day)
    assert row is not None
    answer = row.line["options"][0]["text"]
    return ExerciseTry.objects.create(
        person=person, exercise=row, answer=answer, loss=loss, at=at, day=day
    )


@pytest.mark.django_db
def test_a_day_is_one_of_the_time_zone_of_the_account(
    gerda: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = datetime(2026, 11, 28, 20, tzinfo=UTC)
    monkeypatch.setattr(timezone, "now", lambda: now)
    for day in (27, 28):  # in Auckland both answers fall on the 28th
        tried(
            gerda, datetime(2026, 11, day, 13 if day == 27 else 10, tzinfo=UTC), date(2026, 11, day)
        )
    assert '<b class="num">2</b>' in home(gerda)
    gerda.preferences = {"zone": "Pacific/Auckland"}
    gerda.save()
    assert '<b class="num">1</b>' in home(gerda), "and the 29th is still open"


@pytest.mark.django_db
def test_others_are_told_of_after_ones_own_answer_alone(gerda: User) -> None:
    day = house_set.today()
    for number, loss in enumerate((0.0, 0.2, 0.0)):
        tried(User.objects.create_user(f"other{number}"), timezone.now(), day, loss)
    before = home(gerda)
    assert "found it" not in before
    assert "Solve it" in before
    row = of_day(day)
    assert row is not None
    assert "bg-arrow" not in day_of(before)
    tried(gerda, timezone.now(), day)
    after = home(gerda)
    assert "3 of 4 found it." in after
    assert "Your answer: found." in after
    assert "bg-arrow" in day_of(after) or row.kind != "play"
    assert "Solve it" not in after


@pytest.mark.django_db
def test_the_streak_is_in_words_for_those_who_do_not_see_it(gerda: User) -> None:
    day = house_set.today()
    tried(gerda, timezone.now() - timedelta(days=1), day - timedelta(days=1))
    words = home(gerda)
    assert "Keep the streak" in words
    assert "day in a row" in words
    assert ": still open</span>" in words
