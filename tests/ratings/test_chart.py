"""The line of ratings stays inside its drawing for any ratings."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from ratings.chart import HEIGHT, LEFT, WIDTH, polyline

elos = st.decimals("-500", "4000", places=4)


@given(st.lists(elos, min_size=1, max_size=100), elos)
def test_every_point_and_grid_line_lies_inside(values: list[Decimal], first: Decimal) -> None:
    chart = polyline(values, first=first)
    places = [tuple(map(float, pair.split(","))) for pair in chart.points.split()]
    assert len(places) == len(values) + 1
    assert all(LEFT <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in places)
    assert all(0 <= line.y <= HEIGHT for line in chart.grid)
    assert 2 <= len(chart.grid) <= 8
    assert places[-1] == chart.end


def test_a_better_rating_stands_higher() -> None:
    chart = polyline([Decimal(1522), Decimal(1510)], first=Decimal(1500))
    heights = [float(pair.split(",")[1]) for pair in chart.points.split()]
    assert heights[1] < heights[2] < heights[0]
    assert (chart.lowest, chart.highest) == (1500, 1522)
