"""The registry: every variant there is, by its key."""

from games.rules.errors import UnknownVariant
from games.rules.variant import Variant
from games.rules.variants.acey_deucey import AceyDeucey
from games.rules.variants.backgammon import Backgammon
from games.rules.variants.fevga import Fevga
from games.rules.variants.gul_bara import GulBara
from games.rules.variants.hypergammon import Hypergammon
from games.rules.variants.long_nardi import LongNardi
from games.rules.variants.misere import Misere
from games.rules.variants.nackgammon import Nackgammon
from games.rules.variants.plakoto import Plakoto
from games.rules.variants.portes import Portes
from games.rules.variants.russian import Russian
from games.rules.variants.short_nardi import ShortNardi
from games.rules.variants.tabula import Tabula
from games.rules.variants.tapa import Tapa

ALL: tuple[Variant, ...] = (
    Backgammon(),
    Nackgammon(),
    Hypergammon(),
    ShortNardi(),
    Portes(),
    Misere(),
    AceyDeucey(),
    Plakoto(),
    Tapa(),
    LongNardi(),
    Fevga(),
    GulBara(),
    Russian(),
    Tabula(),
)

KEYS: tuple[str, ...] = tuple(variant.key for variant in ALL)

_BY_KEY = {variant.key: variant for variant in ALL}


def by_key(key: str) -> Variant:
    """The variant of this key.

    :raises UnknownVariant: naming the keys there are.
    """
    try:
        return _BY_KEY[key]
    except (KeyError, TypeError):
        raise UnknownVariant(f"no variant {key!r}; there are: {', '.join(KEYS)}") from None
