"""The variants whose matches are analysed.

They are those of the engine, and the games without a cube that have a net.
"""

from typing import Final

from games.bots.engine import VARIANTS
from games.bots.nets.here import PRESENT
from games.rules.variants import by_key

BY_NETS: Final = frozenset(key for key in PRESENT if not by_key(key).has_cube)

ANALYSED: Final = VARIANTS | BY_NETS
