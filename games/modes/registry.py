"""Every mode there is, in the order of their places. A lookup of an unknown one raises."""

from importlib import import_module
from typing import Final

from games.modes.mode import Mode
from games.modes.terms import KEYS, Terms, UnknownMode


def _mode(key: str) -> Mode:
    """The mode of a file in `kinds/`. Raises `AttributeError` or `TypeError` for one without."""
    mode = import_module(f"games.modes.kinds.{key}").MODE
    if not isinstance(mode, Mode) or mode.key != key:
        raise TypeError(f"MODE of games/modes/kinds/{key}.py is no mode of the key {key!r}")
    return mode


_BY_KEY: Final = {key: _mode(key) for key in KEYS}

ALL: Final = tuple(sorted(_BY_KEY.values(), key=lambda mode: (mode.place, mode.key)))

OPENED: Final = tuple(mode for mode in ALL if not mode.is_practice)
"""The modes in which people play each other."""

PRACTICE_KEYS: Final = tuple(mode.key for mode in ALL if mode.is_practice)


def by_key(key: str) -> Mode:
    """The mode of this key.

    :raises UnknownMode: naming the keys there are.
    """
    try:
        return _BY_KEY[key]
    except (KeyError, TypeError):
        raise UnknownMode(f"there is no mode {key!r} (there are: {', '.join(KEYS)})") from None


def mode_of(terms: Terms) -> Mode:
    """The mode that these terms are of. Raises `UnknownMode`."""
    return by_key(terms.mode)
