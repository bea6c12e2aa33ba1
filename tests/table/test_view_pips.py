"""The pip counts of the view are those of the variant, whichever way its players go."""

import pytest

from backgammon.rules.variants import ALL
from games.table.view import table_view
from harness.rig import Rig, terms_for


@pytest.mark.parametrize("variant", ALL, ids=lambda variant: variant.key)
def test_nobody_is_ahead_at_the_start(variant):
    table = Rig(iter([(3, 1)] * 4), terms_for(mode="normal", variant=variant.key)).sit()
    mine, his = table_view(table.state).pips
    assert mine == his == variant.start.pips(variant.way)[0]
