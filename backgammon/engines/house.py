"""Which engine of the house judges which variant."""

from collections.abc import Collection
from functools import lru_cache
from typing import Final

from backgammon.engines.engine import HouseEngine
from backgammon.engines.hyper import Hyper
from backgammon.engines.nets import nets_for
from backgammon.engines.sage import house_engine
from backgammon.evaluation.hypergammon.table import KEY, HypergammonTable, kept_table
from backgammon.evaluation.nets.trained import PRESENT
from backgammon.evaluation.sage import VARIANTS
from backgammon.rules.variants import by_key

BY_NETS: Final = frozenset(key for key in PRESENT if not by_key(key).has_cube)

ANALYSED: Final = VARIANTS | BY_NETS
"""The variants whose matches are analysed: bgsage's, and games without a cube that have a net."""


def engine_for(variants: Collection[str]) -> HouseEngine:
    """The engine for a match in these variants.

    The exact table where it is there and enough; the nets of the house where bgsage knows none of
    the variants and there is a net for each; else bgsage.
    """
    table = kept_table() if set(variants) == {KEY} else None
    if table is not None:
        return _hyper(table)
    nets = nets_for(variants) if BY_NETS.issuperset(variants) else None
    return house_engine() if nets is None else nets


@lru_cache(maxsize=1)
def _hyper(table: HypergammonTable) -> Hyper:
    return Hyper(table)
