"""The line of ratings stays inside its drawing for any ratings, and its days are in order."""

from datetime import date
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from ratings.chart import FRAME, line

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
