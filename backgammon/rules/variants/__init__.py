"""The registry: every variant there is, by its key.

It imports each file of this folder, so a new file is all that a new variant takes here.
"""

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from backgammon.rules.errors import UnknownVariant
from backgammon.rules.position import Way
from backgammon.rules.variant import Variant


def variant_of(module: ModuleType) -> Variant:
    """The one variant that a module defines.

    :raises TypeError: naming the module and what its file lacks.
    """
    file_name = module.__name__.rpartition(".")[2]
    where = f"{module.__name__.replace('.', '/')}.py"
    kinds = [
        kind
        for kind in vars(module).values()
        if isinstance(kind, type)
        and issubclass(kind, Variant)
        and kind.__module__ == module.__name__
    ]
    if len(kinds) != 1:
        raise TypeError(f"{where} defines {len(kinds)} subclasses of Variant instead of one")
    kind = kinds[0]
    if vars(kind).get("key") != file_name:
        raise TypeError(f'{where}: {kind.__name__} lacks `key = "{file_name}"`, the file\'s name')
    if not vars(kind).get("name"):
        raise TypeError(f'{where}: {kind.__name__} lacks `name = gettext_noop("…")`')
    return kind()


def _place(variant: Variant) -> tuple[object, ...]:
    """Where a variant stands in lists: backgammon, then ways and families, each by its keys."""
    not_the_first = variant.key != "backgammon"
    return not_the_first, list(Way).index(variant.way), variant.movement.pins, variant.key


ALL: tuple[Variant, ...] = tuple(
    sorted(
        (variant_of(import_module(f"{__name__}.{file.name}")) for file in iter_modules(__path__)),
        key=_place,
    )
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
