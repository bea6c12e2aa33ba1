"""Which engine of the house judges which variant."""

from collections.abc import Collection
from functools import lru_cache

from analysis.engines.engine import HouseEngine
from analysis.engines.hyper import Hyper
from analysis.engines.sage import house_engine
from games.bots.hypergammon import here
from games.bots.hypergammon.table import Table


def engine_for(variants: Collection[str]) -> HouseEngine:
    """The engine for a match in these variants: the exact table, where it is there and enough."""
    table = here.table() if set(variants) == {here.KEY} else None
    return house_engine() if table is None else _hyper(table)


@lru_cache(maxsize=1)
def _hyper(table: Table) -> Hyper:
    return Hyper(table)
