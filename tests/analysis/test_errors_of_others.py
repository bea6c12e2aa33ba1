"""Errors of other people as exercises: only from matches whose analysis everybody may see."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from accounts.models import User
from analysis.access import may_read, open_matches, readable
from analysis.models import DecisionRow, ExerciseTry
from analysis.personal_data import PERSONAL_DATA
from analysis.progress import ProgressAsked
from games.models import Match
from games.selectors import may_see_all
from games.services.figures import figures_make
from games.services.tables import table_join, table_open
from harness.logins import logged_in
from harness.sitting import Sitting
from tests.analysis.errors import error_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def gerda() -> User:
    return User.objects.create_user("gerda")


@pytest.fixture
def error(played: Match) -> DecisionRow:
    figures_make()
    return error_of(played)


def page(reader: User | None, address: str) -> Any:
    client = Client(headers={"accept-language": "en"})
    return (client if reader is None else logged_in(client, reader)).get(address)


def address_of(row: DecisionRow) -> str:
    return f"/exercises/other-{row.pk}/"


def kept_back(match: Match) -> None:
    match.player_1.preferences = {"reports": "players"}
    match.player_1.save(update_fields=["preferences"])


def without_watchers(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(terms={**match.terms, "watchers": False})
    match.sides.update(is_open=False)


def closed(match: Match) -> None:
    User.objects.filter(pk=match.player_0_id).update(is_active=False)


def test_others_and_visitors_are_asked_without_names(error: DecisionRow, gerda: User) -> None:
    match = error.report.match
    for reader in (gerda, None):
        assert "Errors of other people" in page(reader, "/exercises/").content.decode()
        assert (
            page(reader, "/exercises/next/?theme=others")
            .headers["Location"]
            .startswith(address_of(error))
        )
        shown = page(reader, address_of(error)).content.decode()
        assert not any(each.username in shown for each in (match.player_0, match.player_1))
        assert str(match.pk) not in shown


def test_the_answer_says_where_it_comes_from_without_names(error: DecisionRow, gerda: User) -> None:
    match = error.report.match
    client = logged_in(Client(headers={"accept-language": "en"}), gerda)
    best = error.line["options"][0]["text"]
    shown = client.post(address_of(error), {"play": best}, follow=True).content.decode()
    assert "Found: " in shown
    assert "From a match between other people." in shown
    assert not any(each.username in shown for each in (match.player_0, match.player_1))
    assert str(match.pk) not in shown
    assert ExerciseTry.objects.get().decision == error


def test_the_players_themselves_are_not_asked_so(error: DecisionRow) -> None:
    match = error.report.match
    for player in (match.player_0, match.player_1):
        assert page(player, address_of(error)).status_code == 404


@pytest.mark.parametrize("change", [kept_back, without_watchers, closed])
def test_a_match_that_is_closed_to_others_drops_out(
    error: DecisionRow, gerda: User, change: Callable[[Match], None]
) -> None:
    """Also an exercise that was tried before."""
    ExerciseTry.objects.create(person=gerda, decision=error, answer="x", loss=0.5)
    assert page(gerda, address_of(error)).status_code == 200
    change(error.report.match)
    for address in (address_of(error), f"{address_of(error)}answer/"):
        assert page(gerda, address).status_code == 404
    assert "Errors of other people" not in page(gerda, "/exercises/").content.decode()


def test_the_errors_of_somebody_you_play_now_drop_out(error: DecisionRow, gerda: User) -> None:
    table = table_open(user=gerda, mode="normal")
    table_join(user=error.report.match.player_1, table_id=table.pk)
    assert Match.objects.filter(ended_at=None, player_0=gerda).exists()
    assert page(gerda, address_of(error)).status_code == 404


def test_a_match_that_runs_is_in_no_list(sitting: Sitting) -> None:
    running = Match.objects.get(table=sitting.pk)
    assert running.ended_at is None
    for reader in (AnonymousUser(), running.player_0):
        assert not readable(reader.pk, sees_all=False).exists()
    assert not open_matches().exists()


@pytest.mark.parametrize("change", [None, kept_back, without_watchers])
def test_the_filter_is_the_rule_of_a_single_report(
    error: DecisionRow, gerda: User, change: Callable[[Match], None] | None
) -> None:
    if change:
        change(error.report.match)
    match = Match.objects.get(pk=error.report.match_id)
    chief = User.objects.create_superuser("chief", password="quite-a-long-secret")
    for reader in (AnonymousUser(), gerda, match.player_0, match.player_1, chief):
        seen = readable(reader.pk, sees_all=may_see_all(reader))
        assert seen.filter(pk=match.pk).exists() == may_read(match, reader)
        for seat, person in enumerate((match.player_0, match.player_1)):
            latest = [(each.report, each.seat) for each in ProgressAsked(person, reader).latest(10)]
            may = may_read(match, reader)
            assert latest == ([(error.report_id, seat)] if may else [])


def test_a_newer_report_replaces_the_errors_of_an_older_one(
    error: DecisionRow, gerda: User
) -> None:
    newer = error_of(error.report.match, version="2")
    assert page(gerda, address_of(error)).status_code == 404
    assert page(gerda, address_of(newer)).status_code == 200


def test_the_copy_of_ones_data_names_no_match_of_others(error: DecisionRow, gerda: User) -> None:
    match = error.report.match
    ExerciseTry.objects.create(person=gerda, decision=error, answer="x", loss=0.5)
    ExerciseTry.objects.create(person=match.player_0, decision=error, answer="y", loss=0.0)
    rows = {
        person: list(
            next(part for part in PERSONAL_DATA.parts if part.name == "exercises").rows(person)
        )
        for person in (gerda, match.player_0)
    }
    assert [row["exercise_xgid"] for row in rows[gerda]] == [error.line["xgid"]]
    assert [row["decision_report_match_id"] for row in rows[gerda]] == [None]
    assert [row["decision_report_match_id"] for row in rows[match.player_0]] == [match.pk]
