"""What is kept of a full report: its sums by theme and its errors, once and for good."""

import pytest
from django.db import IntegrityError, connection, transaction

from analysis.models import DecisionRow, ErrorExercise, Report, ThemeSum
from analysis.queue import report_make
from analysis.sums import ERROR, sums_catch_up
from backgammon.analysis.depths import Depth
from backgammon.engines.sage import house_engine
from games.models import Match
from tests.analysis.errors import error_of
from tests.analysis.test_queue import Bare

pytestmark = pytest.mark.django_db

SUMMED = ("seat", "theme", "counted", "lost", "counted_lost", "squares", "gift", "in_points")


def sums_of(report: Report) -> list[tuple[object, ...]]:
    return list(ThemeSum.objects.filter(report=report).values_list(*SUMMED).order_by(*SUMMED))


def unsummed(report: Report) -> None:
    """As a report was before there were sums; the owner of the tables alone can do that."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        ThemeSum.objects.filter(report=report)._raw_delete("default")
        ErrorExercise.objects.filter(report=report)._raw_delete("default")
        cursor.execute("SET LOCAL session_replication_role = origin")


def test_the_sums_of_a_full_report_are_its_figures(played: Match) -> None:
    report = report_make(played, house_engine(), "full")
    for seat in (0, 1):
        sums = ThemeSum.objects.filter(report=report, seat=seat)
        figures = report.figures[seat]
        assert sum(row.counted for row in sums) == figures["counted"]
        assert sum(row.lost for row in sums) == pytest.approx(figures["lost"], abs=1e-3)
        assert sum(row.gift for row in sums) == pytest.approx(figures["gift"], abs=1e-3)
    assert not ThemeSum.objects.filter(in_points=True).exists()
    assert set(ErrorExercise.objects.values_list("decision", flat=True)) == set(
        DecisionRow.objects.filter(counted=True, loss__gte=ERROR).values_list("pk", flat=True)
    )


@pytest.mark.parametrize("depth", ["quick", "deep"])
def test_reports_of_another_depth_have_none(played: Match, depth: Depth) -> None:
    report_make(played, Bare(), depth)
    assert not ThemeSum.objects.exists()
    assert not ErrorExercise.objects.exists()


def test_a_report_from_before_gets_the_same_sums_once(played: Match) -> None:
    report = report_make(played, house_engine(), "full")
    sums, errors = sums_of(report), set(ErrorExercise.objects.values_list("decision", "theme"))
    assert sums_catch_up() is None
    unsummed(report)
    assert sums_catch_up() == report.pk
    assert sums_catch_up() is None
    assert sums_of(report) == sums
    assert set(ErrorExercise.objects.values_list("decision", "theme")) == errors


def test_a_report_whose_match_cannot_be_read_stops_no_other(played: Match) -> None:
    """Its only decision is none of the match."""
    broken = error_of(played).report
    unsummed(broken)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        DecisionRow.objects.filter(report=broken).update(game=9)
        cursor.execute("SET LOCAL session_replication_role = origin")
    earlier = sums_catch_up()
    assert earlier == broken.pk
    assert sums_catch_up(earlier) is None
    assert not ThemeSum.objects.exists()


def test_sums_and_errors_never_change(played: Match) -> None:
    error_of(played)
    for change in (
        lambda: ThemeSum.objects.update(lost=0.0),
        lambda: ThemeSum.objects.all()._raw_delete("default"),
        lambda: ErrorExercise.objects.update(theme="race"),
        lambda: ErrorExercise.objects.all()._raw_delete("default"),
    ):
        with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
            change()
