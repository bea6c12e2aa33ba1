"""The variants whose matches are analysed.

They are those of the engine, and the games without a cube that have a net.
"""

from typing import Final

from backgammon.evaluation.nets.trained import PRESENT
from backgammon.evaluation.sage import VARIANTS
from backgammon.rules.variants import by_key

BY_NETS: Final = frozenset(key for key in PRESENT if not by_key(key).has_cube)

ANALYSED: Final = VARIANTS | BY_NETS
