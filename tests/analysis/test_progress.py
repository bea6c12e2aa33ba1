"""Progress over the months and the form, and who sees them."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.utils import timezone

from accounts.models import User
from analysis.pages.form import latest_form
from analysis.progress import MONTHS, Form, Progress, ProgressAsked, form_of, kinds_of, progress_of
from backgammon.counting.figures import band, band_of_sums
from harness.history import Past, history_make, report_make_up
from harness.logins import logged_in

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def losses(lost: float, counted: int = 100) -> dict[str, tuple[int, float]]:
    return {"middle": (counted, lost)}


@pytest.fixture
def anna(db: None) -> User:
    return User.objects.create_user("anna")


@pytest.fixture
def ben(db: None) -> User:
    return User.objects.create_user("ben")


def shown(person: User, variant: str = "backgammon") -> tuple[Progress, Form | None]:
    return progress_of(ProgressAsked(person, person).latest(1000), variant, NOW)


def test_the_band_by_sums_is_that_of_the_losses() -> None:
    each = [0.0] * 60 + [0.02, 0.05, 0.3, 0.11] * 5
    by_sums = band_of_sums(len(each), sum(each), sum(loss * loss for loss in each))
    of_losses = band(each)
    assert by_sums is not None
    assert of_losses is not None
    assert by_sums.low == pytest.approx(of_losses.low)
    assert by_sums.high == pytest.approx(of_losses.high)


def test_months_are_summed_and_few_decisions_have_no_band(anna: User, ben: User) -> None:
    history_make(
        anna,
        ben,
        [
            Past(NOW - timedelta(days=60), losses(3.0, 150)),
            Past(NOW - timedelta(days=2), {"race": (8, 0.1), "take": (2, 0.4)}, gift=0.2),
            Past(NOW - timedelta(days=1), {"race": (2, 0.1)}, gift=-0.5),
        ],
    )
    progress, _form = shown(anna)
    september, november = progress.months
    assert (september.day.month, november.day.month) == (9, 11)
    assert september.rate.pr == pytest.approx(500 * 3 / 150)
    assert september.rate.band is not None
    assert (november.matches, november.rate.counted, november.rate.band) == (2, 12, None)
    assert november.plays.pr == pytest.approx(500 * 0.2 / 10)
    assert november.cube.pr == pytest.approx(500 * 0.4 / 2)
    assert november.luck == pytest.approx(-0.3)
    assert november.luck_points is None
    assert [each.theme for each in progress.themes] == ["middle", "race", "take"]
    assert sum(each.share for each in progress.themes) == pytest.approx(1)
    assert progress.rate.counted == 162


def test_only_the_last_months_and_one_variant_count(anna: User, ben: User) -> None:
    history_make(
        anna,
        ben,
        [
            Past(NOW - timedelta(days=31 * MONTHS), losses(9.0)),
            Past(NOW - timedelta(days=4), losses(1.0)),
            Past(NOW - timedelta(days=3), losses(2.0), variant="nackgammon"),
            Past(NOW - timedelta(days=2), losses(2.0), variant="hypergammon", in_points=True),
        ],
    )
    progress, form = shown(anna)
    assert progress.rate.pr == pytest.approx(5)
    assert form is not None
    assert form.matches == 2
    assert shown(anna, "hypergammon")[0].months[0].luck is None
    kinds = kinds_of(ProgressAsked(anna, anna).latest(1000))
    assert [(kind.variant, kind.matches) for kind in kinds] == [
        ("backgammon", 2),
        ("hypergammon", 1),
        ("nackgammon", 1),
    ]


def test_the_newest_full_report_of_a_match_counts_alone(anna: User, ben: User) -> None:
    (match,) = history_make(anna, ben, [Past(NOW, losses(1.0))])
    report_make_up(match, Past(NOW, losses(2.0), version="2"))
    progress, _form = shown(anna)
    assert (progress.months[0].matches, progress.rate.pr) == (1, pytest.approx(10))
    assert progress.engines == (("bgsage", "2"),)


@pytest.mark.parametrize(
    ("lately", "before", "trend"),
    [(0.5, 4.0, "better"), (4.0, 0.5, "worse"), (1.0, 1.1, ""), (0.5, None, "")],
)
def test_a_trend_is_named_only_if_the_bands_do_not_overlap(
    anna: User, ben: User, lately: float, before: float | None, trend: str
) -> None:
    early = [] if before is None else [before] * 10
    past = [*early, *[lately] * 5]
    days = [NOW - timedelta(days=20 - number) for number in range(len(past))]
    history_make(anna, ben, [Past(day, losses(lost)) for day, lost in zip(days, past, strict=True)])
    form = form_of(ProgressAsked(anna, anna).latest(1000), "backgammon")
    assert form is not None
    assert form.lately.counted == 500
    assert form.trend == trend


def test_the_costly_theme_is_that_of_the_last_matches_and_leads_to_exercises(
    anna: User, ben: User
) -> None:
    old = [Past(NOW - timedelta(days=99), {"race": (10, 9.0)})]
    new = [
        Past(NOW - timedelta(days=n), {"middle": (10, 0.2), "take": (5, 0.6)}) for n in range(20)
    ]
    history_make(anna, ben, [*old, *new])
    form = latest_form(ProgressAsked(anna, anna))
    assert form is not None
    assert form.train == "/exercises/next/?theme=take"
    assert form.share == "75%"
    others = latest_form(ProgressAsked(anna, ben))
    assert others is not None
    assert others.train == ""


def page(reader: User | None, address: str) -> str:
    client = Client(headers={"accept-language": "en"})
    return (client if reader is None else logged_in(client, reader)).get(address).content.decode()


def keep_back(person: User) -> None:
    person.preferences = {"reports": "players"}
    person.save(update_fields=["preferences"])


@pytest.mark.parametrize("keeper", ["anna", "ben"])
def test_others_see_no_match_that_a_player_keeps_back(anna: User, ben: User, keeper: str) -> None:
    """The opponent sees it, and everybody the matches of others."""
    carl, third = User.objects.create_user("carl"), User.objects.create_user("dora")
    history_make(anna, ben, [Past(timezone.now(), losses(1.0))])
    history_make(anna, carl, [Past(timezone.now(), losses(3.0))])
    matches = {
        person: len(ProgressAsked(anna, person).latest(9)) for person in (anna, ben, carl, third)
    }
    assert set(matches.values()) == {2}
    keep_back(anna if keeper == "anna" else ben)
    rest = 0 if keeper == "anna" else 1
    asked = {
        person: len(ProgressAsked(anna, person).latest(9))
        for person in (anna, ben, carl, third, AnonymousUser())
    }
    assert asked == {
        anna: 2,
        ben: 1 + rest,
        carl: 1,
        third: rest,
        AnonymousUser(): rest,
    }


def test_the_pages_show_it_to_the_player_and_to_whom_they_let(anna: User, ben: User) -> None:
    history_make(
        anna, ben, [Past(timezone.now() - timedelta(days=n), losses(1.0)) for n in range(8)]
    )
    own, other = page(anna, "/player/anna/progress/"), page(None, "/player/anna/progress/")
    assert "Your progress" in own
    assert "Progress of anna" in other
    assert "/exercises/next/?theme=middle" in own
    assert "/exercises/next/" not in other
    for text in (own, other):
        assert "month-chart" in text
        assert "Judged by bgsage 1." in text
    assert "Last 5 matches" in page(None, "/player/anna/")
    keep_back(anna)
    assert "There is no analysed match that you may see." in page(None, "/player/anna/progress/")
    assert "Last 5 matches" not in page(None, "/player/anna/")
    assert "Last 5 matches" in page(anna, "/player/anna/")


def test_a_player_without_analysed_matches_and_nobody(anna: User) -> None:
    assert "None of your matches" in page(anna, "/player/anna/progress/")
    assert "Your form" not in page(anna, "/player/anna/")
    assert Client().get("/player/nobody/progress/").status_code == 404
