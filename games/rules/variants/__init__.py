"""The registry: every variant there is, by its key."""

from games.rules.errors import UnknownVariant
from games.rules.variant import Variant
from games.rules.variants.backgammon import Backgammon

ALL: tuple[Variant, ...] = (Backgammon(),)

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
