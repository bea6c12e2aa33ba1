"""What is kept of a full report: its sums by theme and its errors, once and for good."""

import pytest
from django.db import IntegrityError, transaction

from analysis.models import DecisionRow, ErrorExercise, ThemeSum
from analysis.reports import report_make
from analysis.sums import ERROR
from backgammon.analysis.depths import Depth
from backgammon.engines.sage import house_engine
from games.models import Match
from tests.analysis.errors import error_of
from tests.analysis.test_queue import Bare

pytestmark = pytest.mark.django_db


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


def test_sums_and_errors_never_change(played: Match) -> None:
    error_of(played)
    for change in (
        lambda: ThemeSum.objects.update(lost=0.0),
        lambda: ThemeSum.objects.all()._raw_delete("default"),
        lambda: ErrorExercise.objects.update(theme="race"),
        lambda: ErrorExercise.objects.all()._raw_delete("default"),
    ):
        with pytest.raises(IntegrityError, match="stay as they were written"), transaction.atomic():
            change()
