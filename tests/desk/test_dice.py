"""The desk shows an alarm of the nightly count of all dice first."""

import pytest

from games.services.dice.statistics import statistics_make
from tests.desk.conftest import at_desk


@pytest.mark.parametrize("alarm", [True, False])
def test_an_alarm_of_the_dice_stands_on_the_overview(anna, alarm):
    counted = statistics_make()
    counted.alarm = alarm
    counted.save()
    page = at_desk(anna).get("/desk/").content.decode()
    assert ("The dice are improbable" in page) == alarm
    assert page.count('href="/fair/dice/"') == alarm
