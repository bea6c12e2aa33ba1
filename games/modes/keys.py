"""The keys of all modes: the names of the files in `games/modes/kinds/`."""

from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Final, Literal

_KINDS: Final = str(Path(__file__).with_name("kinds"))

KEYS: Final[tuple[str, ...]] = tuple(sorted(found.name for found in iter_modules([_KINDS])))

if TYPE_CHECKING:
    ModeKey = str
else:
    ModeKey = Literal[KEYS]  # so decoding refuses any other key, and schemas list them
